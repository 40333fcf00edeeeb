"""The three state machines, as design.md D5 draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.lifecycle import (
    CHILD_TRANSITIONS,
    ENDED_CHILD,
    ENDED_ROOT,
    REQUEST_TRANSITIONS,
    ROOT_TRANSITIONS,
    ChildState,
    IllegalTransition,
    RequestState,
    RootState,
    moved,
)

DRAWN = {
    "execution": """
        READY → RUNNING | PARKED | FINISHED | STOPPED
        RUNNING → READY | PARKED | FINISHED | FAILED | STOPPED
        PARKED → READY | FINISHED | FAILED | STOPPED
        """,
    "request": "SEALED → ANSWERED | REJECTED | OUTCOME_UNKNOWN",
    "root": """
        OPEN → FINALIZING
        FINALIZING → FINISHED | CANCELLED | EXPIRED
        """,
}
MACHINES: list[tuple[str, Any, Mapping[Any, frozenset[Any]]]] = [
    ("execution", ChildState, CHILD_TRANSITIONS),
    ("request", RequestState, REQUEST_TRANSITIONS),
    ("root", RootState, ROOT_TRANSITIONS),
]
EDGES = [
    (name, table, before, after)
    for name, states, table in MACHINES
    for before in states
    for after in states
]


def drawn(name: str) -> set[tuple[str, str]]:
    """The edges of a machine as D5 writes them."""
    lines = [line.strip() for line in DRAWN[name].strip().splitlines()]
    pairs = [line.split(" → ") for line in lines]
    return {(before, after) for before, many in pairs for after in many.split(" | ")}


@pytest.mark.parametrize(
    ("name", "table", "before", "after"),
    [pytest.param(*edge, id=f"{edge[0]}: {edge[2]} to {edge[3]}") for edge in EDGES],
)
def test_moved_follows_the_drawing(
    name: str, table: Mapping[Any, frozenset[Any]], before: Any, after: Any
) -> None:
    if (before.name, after.name) in drawn(name):
        assert moved(table, before, after) is after
    else:
        with pytest.raises(IllegalTransition, match=f"{before} → {after}"):
            moved(table, before, after)


class TestFinalStates:
    @pytest.mark.parametrize("state", sorted(ENDED_CHILD))
    def test_an_ended_execution_stays_so(self, state: ChildState) -> None:
        assert CHILD_TRANSITIONS[state] == frozenset()

    @pytest.mark.parametrize("state", sorted(ENDED_ROOT))
    def test_an_ended_root_stays_so(self, state: RootState) -> None:
        assert ROOT_TRANSITIONS[state] == frozenset()

    @pytest.mark.parametrize("state", ["ANSWERED", "REJECTED", "OUTCOME_UNKNOWN"])
    def test_a_requests_outcome_stays_so(self, state: str) -> None:
        assert REQUEST_TRANSITIONS[RequestState[state]] == frozenset()

    def test_are_exactly_those_without_a_successor(self) -> None:
        assert {state for state, after in CHILD_TRANSITIONS.items() if not after} == ENDED_CHILD
        assert {state for state, after in ROOT_TRANSITIONS.items() if not after} == ENDED_ROOT


@pytest.mark.parametrize(("name", "states", "table"), MACHINES, ids=[one[0] for one in MACHINES])
def test_every_state_is_in_the_table(name: str, states: Any, table: Mapping[Any, Any]) -> None:
    assert set(table) == set(states)


@given(st.lists(st.sampled_from(RequestState), max_size=6))
def test_a_request_gets_one_outcome(wanted: list[RequestState]) -> None:
    state, outcomes = RequestState.SEALED, 0
    for after in wanted:
        if after in REQUEST_TRANSITIONS[state]:
            state = moved(REQUEST_TRANSITIONS, state, after)
            outcomes += 1
    assert outcomes <= 1


@given(st.lists(st.sampled_from(ChildState), max_size=12))
def test_only_a_ready_execution_begins_to_run(wanted: list[ChildState]) -> None:
    state = ChildState.READY
    for after in wanted:
        if after in CHILD_TRANSITIONS[state]:
            assert after is not ChildState.RUNNING or state is ChildState.READY
            state = moved(CHILD_TRANSITIONS, state, after)
