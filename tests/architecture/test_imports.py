"""Dependencies run one way, and an import stands at the top of its module.

Source: design.md D3; style.md, rule 11.  The contracts stand in pyproject.toml.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, modules, written_modules


def test_every_import_contract_is_kept() -> None:
    command = Path(sysconfig.get_path("scripts")) / "lint-imports"
    ran = subprocess.run(  # noqa: S603 - our own tool
        [command, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_stands_inside_a_function(package: str) -> None:
    found = [
        f"{module.name}.{function.name}:{node.lineno}"
        for module in modules(package)
        for function in module.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert found == []


def test_no_module_is_looked_up_by_a_computed_name() -> None:
    names = {"import_module", "__import__", "import_string"}
    found = {m.name for m in written_modules() for name, _ in m.used_names() if name in names}
    verbs, mutable_columns = "config.cli.main", "config.grants"
    assert found == {verbs, mutable_columns}


def test_the_rehearsal_model_uses_the_standard_library_and_itself() -> None:
    found = {
        (module.name, name)
        for module in written_modules("config")
        if module.name.startswith("config.rehearsal")
        for name, _ in module.imported_modules()
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("config.rehearsal")
    }
    assert found == set()


def test_verification_could_run_without_the_rest() -> None:
    """Its pure module needs the standard library, the canonicaliser and itself."""
    found = {
        (module.name, name)
        for module in written_modules("audit")
        if module.name.startswith("audit.proof")
        for name, _ in module.imported_modules()
        if name.split(".")[0] not in sys.stdlib_module_names
        and not name.startswith("audit.proof")
        and name != "bullbear.identity"
    }
    assert found == set()


def test_imports_are_absolute() -> None:
    found = [
        module.named(node)
        for module in written_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert found == []


PURE_NAMES = {"answers", "bodies", "budget", "identity", "lifecycle", "pair_rules", "rules"}
ASKS_A_CLOCK = {"datetime.now", "datetime.utcnow", "date.today", "uuid.uuid4", "timezone.now"}


def test_a_pure_module_asks_no_clock_and_opens_no_file() -> None:
    found = [
        module.named(node)
        for module in written_modules()
        if module.name.split(".")[-1] in PURE_NAMES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        if ast.unparse(node.func) in {*ASKS_A_CLOCK, "open"}
    ]
    assert found == []
