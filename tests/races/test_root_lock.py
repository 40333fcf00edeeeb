"""B17: every writing use case takes the Root lock first, and it is `FOR NO KEY UPDATE`.

That it comes first in what each use case says to the server: tests/usecases/test_lock_first.py.  Here: that
no use case is missing there, and why the lock is this one.  Many tables refer to the Root, and a reference
is checked by a key-share lock: `FOR UPDATE` would make each such writer wait; the chosen one does not.
"""

from __future__ import annotations

import ast

import psycopg
import pytest

from bullbear.locks import hold_root
from bullbear.models import Root
from bullbear.transactions import transaction
from tests.architecture.source import ROOT, written_modules
from tests.races.naive import run
from tests.usecases.conftest import OpenScene
from tests.usecases.on_record import address

COVERED_BY_WHOLE_STEPS = {"begin", "record"}


def may_lock(root: Root, strength: str) -> bool:
    """Whether another session gets a lock on the Root's row at once."""
    statement = f"SELECT FROM bullbear_root WHERE id = %s FOR {strength} NOWAIT"
    with address("app").connect() as other:
        try:
            other.execute(statement, [root.pk])
        except psycopg.errors.LockNotAvailable:
            return False
    return True


@pytest.mark.usefixtures("database")
class TestTheRootLock:
    """One writer at a time, and references are not disturbed."""

    def test_keeps_out_writers_and_lets_references_be_checked(self, opened: OpenScene) -> None:
        """Scenario B17."""
        scene = opened()
        with transaction(), hold_root(scene.root.pk):
            assert not may_lock(scene.root, "NO KEY UPDATE")
            assert may_lock(scene.root, "KEY SHARE")
        assert may_lock(scene.root, "NO KEY UPDATE")

    def test_for_update_would_keep_references_out(self, opened: OpenScene) -> None:
        """Scenario B17, control."""
        scene = opened()
        with transaction():
            run("SELECT FROM bullbear_root WHERE id = %s FOR UPDATE", scene.root.pk)
            assert not may_lock(scene.root, "KEY SHARE")


def use_cases() -> set[str]:
    """Name the functions of the product that begin a transaction."""
    return {
        function.name
        for module in written_modules()
        for function in module.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.With)
        for item in node.items
        if ast.unparse(item.context_expr) == "transaction()"
    }


def test_no_use_case_is_missing_in_test_lock_first() -> None:
    """A new writing use case must be watched there. Scenario B17."""
    tree = ast.parse((ROOT / "tests" / "usecases" / "test_lock_first.py").read_text())
    called = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert "cancel" in use_cases()
    assert use_cases() - called - COVERED_BY_WHOLE_STEPS - {"open_root"} == set()
    assert "a_root" in called  # the factory that calls `open_root`
