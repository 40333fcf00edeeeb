"""The project's own source, read as syntax trees: what the tests of this folder look at."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("audit", "bullbear", "config", "dialogue", "research")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One source file."""

    name: str  # dotted
    text: str
    tree: ast.Module

    @property
    def is_migration(self) -> bool:
        """Whether Django wrote most of it: tables and their triggers, not code that anybody extends."""
        return ".migrations" in self.name

    def named(self, node: ast.AST) -> str:
        """Say where a node stands."""
        return f"{self.name}:{getattr(node, 'lineno', 0)}"

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones included."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield node

    def classes(self) -> Iterator[ast.ClassDef]:
        """Every class."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                yield node

    def used_names(self) -> Iterator[tuple[str, ast.AST]]:
        """Every name and attribute that is read, called or imported, with its place."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Name():
                    yield node.id, node
                case ast.Attribute():
                    yield node.attr, node
                case ast.ImportFrom() | ast.Import():
                    for alias in node.names:
                        yield alias.name.split(".")[-1], node

    def imported_modules(self) -> Iterator[tuple[str, ast.AST]]:
        """Every module that is imported or imported from, with its place."""
        for node in ast.walk(self.tree):
            match node:
                case ast.ImportFrom(module=str() as module):
                    yield module, node
                case ast.Import():
                    for alias in node.names:
                        yield alias.name, node

    def strings(self) -> Iterator[ast.Constant]:
        """Every string that is no docstring."""
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(self.tree)
            if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(self.tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and id(node) not in docstrings:
                yield cast("ast.Constant", node)


def _read(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text()
    return Module(name, text, ast.parse(text))


@functools.cache
def modules(*packages: str) -> tuple[Module, ...]:
    """Read all modules of these packages; of all five where none is named."""
    chosen = packages or PACKAGES
    return tuple(
        _read(path) for package in chosen for path in sorted((ROOT / package).rglob("*.py"))
    )


@functools.cache
def written_modules(*packages: str) -> tuple[Module, ...]:
    """Read all modules but migrations."""
    return tuple(module for module in modules(*packages) if not module.is_migration)


def body_lines(function: Function) -> int:
    """Count a function's lines without signature and docstring."""
    body = function.body
    documented = len(body) > 1 and ast.get_docstring(function) is not None
    first = body[1] if documented else body[0]
    return (function.end_lineno or first.lineno) - first.lineno + 1
