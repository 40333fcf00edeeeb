"""Names say which fact: style.md, rule 9."""

from __future__ import annotations

import ast
import re

from tests.architecture.source import modules, written_modules

FORBIDDEN_WORDS = frozenset(
    {
        "sent",
        "processed",
        "done",
        "manager",
        "util",
        "utils",
        "helper",
        "helpers",
        "common",
        "misc",
    }
)


def words(name: str) -> set[str]:
    """Split a snake or camel name into its words."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return {word for word in apart.lower().split("_") if word}


def test_no_module_has_a_forbidden_word_in_its_name() -> None:
    found = [
        module.name
        for module in modules(*("audit", "bullbear", "config", "dialogue", "research", "tests"))
        if any(words(part) & FORBIDDEN_WORDS for part in module.name.split("."))
    ]
    assert found == []


def test_no_function_or_class_has_a_forbidden_word_in_its_name() -> None:
    found = [
        f"{module.name}.{node.name}"
        for module in written_modules()
        for node in (*module.functions(), *module.classes())
        if words(node.name) & FORBIDDEN_WORDS or _handles_or_does(node.name)
    ]
    assert found == []


def _handles_or_does(name: str) -> bool:
    of_http_server = {"do_GET", "do_POST", "handle_error", "handle_expect_100"}
    return name.lstrip("_").startswith(("handle_", "do_")) and name not in of_http_server


def test_no_column_or_field_has_a_forbidden_word_in_its_name() -> None:
    found = [
        f"{module.name}.{owner.name}.{target.id}"
        for module in written_modules()
        for owner in module.classes()
        for statement in owner.body
        for target in _targets(statement)
        if words(target.id) & FORBIDDEN_WORDS
    ]
    assert found == []


def _targets(statement: ast.stmt) -> list[ast.Name]:
    match statement:
        case ast.Assign():
            return [target for target in statement.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name() as target):
            return [target]
    return []


TIME_ENDINGS = {"DateTimeField": ("_at", "_until"), "DateField": ("_on",)}


def test_columns_say_what_kind_of_time_they_hold() -> None:
    found = [
        f"{module.name}.{owner.name}.{target.id}"
        for module in written_modules()
        if ".models" in module.name
        for owner in module.classes()
        for statement in owner.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        for target in _targets(statement)
        for field, endings in TIME_ENDINGS.items()
        if ast.unparse(statement.value.func) == f"models.{field}"
        if not target.id.endswith(endings)
    ]
    assert found == []


def test_no_state_is_a_boolean() -> None:
    found = [
        f"{module.name}:{node.lineno}"
        for module in written_modules()
        if ".models" in module.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in {"BooleanField", "NullBooleanField"}
    ]
    assert found == [], "facts are rows"
