"""What only one place may do: lock, begin transactions, touch contents, speak to the broker.

Source: style.md, rules 3, 4 and 11; design.md D4.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

import pytest

from tests.architecture.source import Module, modules, written_modules

ROW_LOCK = re.compile(
    r"\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b(?! SKIP LOCKED)", re.IGNORECASE
)
ANY_ROW_LOCK = re.compile(r"\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b", re.IGNORECASE)


def where_named(names: Iterable[str], *, among: Iterable[Module] | None = None) -> set[str]:
    """Name the modules in which one of these names is used."""
    wanted = set(names)
    chosen = written_modules() if among is None else among
    return {
        module.name for module in chosen if any(name in wanted for name, _ in module.used_names())
    }


class TestLocks:
    def test_only_locks_locks_a_row_of_a_root(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for string in module.strings()
            if ROW_LOCK.search(str(string.value))
        }
        assert found == {"bullbear.locks"}

    def test_a_lock_that_skips_locked_rows_is_the_sweepers_on_the_outbox(self) -> None:
        found = {
            (module.name, "bullbear_outboxentry" in str(string.value))
            for module in written_modules()
            for string in module.strings()
            if ANY_ROW_LOCK.search(str(string.value)) and not ROW_LOCK.search(str(string.value))
        }
        assert found == {("bullbear.sweep", True)}

    def test_nobody_says_select_for_update(self) -> None:
        assert where_named(["select_for_update"]) == set()

    def test_no_advisory_or_table_lock(self) -> None:
        pattern = re.compile(r"pg_(try_)?advisory|\bLOCK TABLE\b", re.IGNORECASE)
        found = {
            module.name
            for module in written_modules()
            for string in module.strings()
            if pattern.search(str(string.value))
        }
        assert found == set()


class TestTransactions:
    def test_only_transactions_says_atomic_or_on_commit(self) -> None:
        names = ["atomic", "on_commit", "set_autocommit", "savepoint", "commit", "rollback"]
        assert where_named(names) == {"bullbear.transactions"}

    def test_atomic_requests_stays_off(self) -> None:
        values = [
            value.value
            for module in written_modules("config")
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value == "ATOMIC_REQUESTS"
            if isinstance(value, ast.Constant)
        ]
        assert values == [False]


class TestContents:
    """Encryption and erasure can be switched on in one file only while nobody else reads the table."""

    # They name the table but no payload: one inserts what `content.py` made, two pass rows back to it.
    NAME_ROWS = frozenset({"audit.oracle.everywhere", "audit.verify.load", "research.open_root"})

    def test_only_content_queries_the_table(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}
            if isinstance(node.value, ast.Name) and node.value.id == "Content"
        }
        assert found - self.NAME_ROWS == {"bullbear.content"}
        assert found >= self.NAME_ROWS, "an exception that is none any more"

    def test_only_content_makes_one(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Call)
            if isinstance(node.func, ast.Name) and node.func.id == "Content"
        }
        assert found == {"bullbear.content"}

    def test_only_content_reads_payloads(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Attribute) and node.attr == "payload"
        }
        assert found == {"bullbear.content"}

    def test_no_query_reaches_payloads_by_name(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for string in module.strings()
            if re.search(r"\bpayload\b", str(string.value)) and "__" in str(string.value)
        }
        assert found == set()


class TestHabits:
    def test_nobody_overrides_save_or_delete(self) -> None:
        found = [
            f"{module.name}.{owner.name}.{function.name}"
            for module in written_modules()
            for owner in module.classes()
            for function in owner.body
            if isinstance(function, ast.FunctionDef)
            if function.name in {"save", "delete", "save_model", "delete_model", "full_clean"}
        ]
        assert found == []

    def test_no_manager_holds_business_rules(self) -> None:
        found = [
            f"{module.name}.{owner.name}"
            for module in written_modules()
            for owner in module.classes()
            for base in owner.bases
            if "Manager" in ast.unparse(base) or "QuerySet" in ast.unparse(base)
        ]
        assert found == []

    def test_no_signal_is_received_but_celerys_of_a_process(self) -> None:
        found = {
            module.name
            for module in written_modules()
            for name, _ in module.imported_modules()
            if name.split(".")[-1] in {"signals", "dispatch"}
        }
        assert found == {"config.celery", "config.celery_worker"}

    def test_nobody_marks_text_as_safe(self) -> None:
        assert where_named(["mark_safe"]) == set()
        assert {m.name for m in written_modules() if "|safe" in m.text} == set()

    def test_nothing_swallows_every_exception(self) -> None:
        found = [
            module.named(node)
            for module in written_modules()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.ExceptHandler)
            if node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"}
            if not _raises_again(node)
        ]
        assert len(found) == 1, found
        assert found[0].startswith("bullbear.hints:"), "the outermost line of the queue's thread"

    def test_a_task_takes_keywords_and_makes_few_calls(self) -> None:
        (module,) = [module for module in modules("dialogue") if module.name == "dialogue.tasks"]
        for task in module.functions():
            assert not task.args.args, "only keywords"
            assert task.args.kwarg is not None, "a newer sender may say more"
            assert len(task.body) <= 10


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


@pytest.mark.parametrize("word", ["print", "breakpoint", "eval", "exec"])
def test_nobody_calls(word: str) -> None:
    found = [
        module.named(node)
        for module in written_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == word
    ]
    assert found == []
