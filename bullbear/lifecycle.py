"""The three state machines: an execution, a model request, a Root.

    Child    READY ──begin──▶ RUNNING ──record──▶ PARKED ──wake──▶ READY
               │                 │ │                 │
               └─────────────────┴─┴─────────────────┴──▶ FINISHED | FAILED | STOPPED
    Request  SEALED ──▶ ANSWERED | REJECTED | OUTCOME_UNKNOWN        (all three final)
    Root     OPEN ──▶ FINALIZING ──▶ FINISHED | CANCELLED | EXPIRED

Check constraints are built from the enums, so a state that is not named here cannot be stored.

Source: design.md D5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeVar


class ChildState(StrEnum):
    """Where an execution stands."""

    READY = "ready"  # must look again; any worker may begin it
    RUNNING = "running"  # one worker holds its lease
    PARKED = "parked"  # waits without a worker, a permit or a connection
    FINISHED = "finished"  # nothing more is asked of it
    FAILED = "failed"  # it could not do its part; the record says why
    STOPPED = "stopped"  # ended from outside: cancelled


class RequestState(StrEnum):
    """What is known of a model request."""

    SEALED = "sealed"  # the bytes are committed; from here the outcome may be unknown
    ANSWERED = "answered"  # a 2xx whose body parses as a completion object
    REJECTED = "rejected"  # nothing was generated
    OUTCOME_UNKNOWN = "outcome_unknown"  # and stays unknown


class RootState(StrEnum):
    """Where a research task stands."""

    OPEN = "open"
    FINALIZING = "finalizing"  # synthesis and report only
    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class ResultType(StrEnum):
    """What a Root's end is worth."""

    NONE = ""  # not ended
    COMPLETE = "complete"
    PARTIAL = "partial"


class Cause(StrEnum):
    """Why a Root is being finalised."""

    NONE = ""
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    DEADLINE = "deadline"
    BUDGET = "budget"


class Role(StrEnum):
    """The duty of an execution: not an opinion."""

    MAIN = "main"
    RESEARCHER = "researcher"
    BULL = "bull"
    BEAR = "bear"
    REGISTRAR = "registrar"
    CRITIC = "critic"


CHILD_TRANSITIONS: Mapping[ChildState, frozenset[ChildState]] = {
    ChildState.READY: frozenset(
        {ChildState.RUNNING, ChildState.PARKED, ChildState.FINISHED, ChildState.STOPPED}
    ),
    ChildState.RUNNING: frozenset(
        {
            ChildState.READY,
            ChildState.PARKED,
            ChildState.FINISHED,
            ChildState.FAILED,
            ChildState.STOPPED,
        }
    ),
    ChildState.PARKED: frozenset(
        {ChildState.READY, ChildState.FINISHED, ChildState.FAILED, ChildState.STOPPED}
    ),
    ChildState.FINISHED: frozenset(),
    ChildState.FAILED: frozenset(),
    ChildState.STOPPED: frozenset(),
}
REQUEST_TRANSITIONS: Mapping[RequestState, frozenset[RequestState]] = {
    RequestState.SEALED: frozenset(
        {RequestState.ANSWERED, RequestState.REJECTED, RequestState.OUTCOME_UNKNOWN}
    ),
    RequestState.ANSWERED: frozenset(),
    RequestState.REJECTED: frozenset(),
    RequestState.OUTCOME_UNKNOWN: frozenset(),
}
ROOT_TRANSITIONS: Mapping[RootState, frozenset[RootState]] = {
    RootState.OPEN: frozenset({RootState.FINALIZING}),
    RootState.FINALIZING: frozenset({RootState.FINISHED, RootState.CANCELLED, RootState.EXPIRED}),
    RootState.FINISHED: frozenset(),
    RootState.CANCELLED: frozenset(),
    RootState.EXPIRED: frozenset(),
}

ENDED_CHILD = frozenset({ChildState.FINISHED, ChildState.FAILED, ChildState.STOPPED})
ENDED_ROOT = frozenset({RootState.FINISHED, RootState.CANCELLED, RootState.EXPIRED})

State = TypeVar("State", ChildState, RequestState, RootState)


class IllegalTransition(AssertionError):
    """A state was to change in a way that no table allows: a defect, caught by nobody."""


def names(values: Iterable[StrEnum]) -> list[str]:
    """Return the values of enum members in a fixed order, as check constraints hold them."""
    return sorted(str(value) for value in values)


def moved(table: Mapping[State, frozenset[State]], before: State, after: State) -> State:
    """Return `after`, a legal successor of `before`.

    Raises:
        IllegalTransition: the table does not list it.
    """
    if after not in table[before]:
        raise IllegalTransition(f"{before} → {after}")
    return after
