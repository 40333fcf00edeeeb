"""Every use case that writes is tried at every boundary of its transaction, a new one too."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import written_modules
from tests.crash import (
    test_accepting,
    test_calls,
    test_celery,
    test_ending,
    test_forming,
    test_sealing,
    test_stopped,
    test_sweeping,
)
from tests.crash.crashes import Crash
from tests.crash.kill_points import AROUND_A_TRANSACTION, POINTS, STEPS
from tests.crash.story import Told

NOT_OF_A_ROOT = {"dispatch", "offer_outbox"}  # the one writes nothing, the other one statement
TABLES = (
    test_accepting,
    test_calls,
    test_celery,
    test_ending,
    test_forming,
    test_sealing,
    test_stopped,
    test_sweeping,
)


def crashes() -> list[Crash]:
    """Every row of the table, as the tests name them."""
    return [
        crash
        for module in TABLES
        for value in vars(module).values()
        if isinstance(value, list)
        for crash in value
        if isinstance(crash, Crash)
    ]


def use_cases() -> set[str]:
    """Every function of the product that begins a transaction."""
    return {
        f"{module.name}.{function.name}"
        for module in written_modules()
        for function in module.functions()
        for node in ast.walk(function)
        if isinstance(node, ast.With)
        for item in node.items
        if ast.unparse(item.context_expr) == "transaction()"
    }


def test_every_use_case_that_writes_is_a_step_of_the_list() -> None:
    """Scenarios A01 to A14: a new use case without a kill point fails here."""
    assert use_cases() == {target for step, target in STEPS.items() if step not in NOT_OF_A_ROOT}


@pytest.mark.parametrize("step", [s for s, target in STEPS.items() if target in use_cases()])
def test_it_dies_at_every_boundary_of_its_transaction(step: str) -> None:
    """Scenarios A01 to A14."""
    tried = {one.kill.point for one in crashes() if one.kill and one.kill.step == step}
    boundaries = AROUND_A_TRANSACTION
    if step == "open":  # its lock is the insertion of its Root
        boundaries = boundaries - {"after the lock"} | {"after the Root row"}
    assert boundaries <= tried


def test_every_kill_point_is_used() -> None:
    """Scenarios A01 to A14: a point that no row names proves nothing."""
    used = {kill.point for one in crashes() for kill in (one.kill, one.first) if kill}
    assert used == set(POINTS)


def test_the_oracle_has_nothing_to_say_of_all_roots_together(table: Told) -> None:
    """Scenarios A01 to A19. No fact vanished, and nothing arrived at the provider that was not sealed."""
    assert table.complaints == []
