"""Views of a Root as the rules read them: what a table of turns varies, over a dialogue under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bullbear.lifecycle import Cause, ChildState, Role, RootState
from dialogue.rules import ClaimStatus, HalfRoundView, PairView, SlotKind, SlotOutcome, View
from research.answers import Pattern

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
PEERS_STOP_AT = NOW + timedelta(seconds=1_500)
DEADLINE_AT = NOW + timedelta(seconds=1_800)
BOTH = frozenset({Role.BULL, Role.BEAR})

CREATED = View(
    now=NOW,
    state=RootState.OPEN,
    cause=Cause.NONE,
    peers_stop_at=PEERS_STOP_AT,
    deadline_at=DEADLINE_AT,
    pattern=None,
    executions={Role.MAIN: ChildState.READY},
    openings=frozenset(),
    pair=None,
    no_pair="",
    synthesis=False,
    peer_budget=True,
)
PLANNED = replace(
    CREATED,
    pattern=Pattern.DIALOGUE,
    executions={
        Role.MAIN: ChildState.PARKED,
        Role.BULL: ChildState.PARKED,
        Role.BEAR: ChildState.PARKED,
    },
)
OPENED = replace(PLANNED, openings=BOTH)


def history(*steps: str) -> tuple[HalfRoundView, ...]:
    """Write half-rounds in order: `C1 accepted` is Bear's challenge of round 1, `R1` Bull's response."""
    halves = []
    for step in steps:
        place, outcome = step.split()
        kind = SlotKind.CHALLENGE if place[0] == "C" else SlotKind.RESPONSE
        halves.append(HalfRoundView(int(place[1:]), kind, SlotOutcome(outcome)))
    return tuple(halves)


def pair(*steps: str, rounds: int = 2, claims: str = "", **facts: Any) -> PairView:
    """A frozen pair with this history; `claims` are statuses such as `OPEN CONCEDED`."""
    statuses = [ClaimStatus(status) for status in claims.split()]
    return PairView(
        max_rounds=rounds,
        end_reason=facts.pop("end_reason", ""),
        half_rounds=history(*steps),
        claims={f"C{number}": status for number, status in enumerate(statuses, start=1)},
        **facts,
    )


def paired(*steps: str, rounds: int = 2, claims: str = "", **facts: Any) -> View:
    """A dialogue whose pair is frozen and has this history."""
    return replace(OPENED, pair=pair(*steps, rounds=rounds, claims=claims, **facts))


def states(view: View, **changed: ChildState) -> Mapping[Role, ChildState]:
    """The executions of a view, some of them in another state."""
    return {**view.executions, **{Role(role): state for role, state in changed.items()}}
