"""The protocol as values: whose move it is.  Why an exchange ends stands in `pair_rules.py`.

    Main:   plan ──▶ (children work) ──▶ synthesis ──▶ report
    Bull:   (private research ──▶) opening ──▶ offer/join ──▶ response 1 ──▶ … ──▶ pair ended
    Bear:   (private research ──▶) opening ──▶ offer/join ──▶ challenge 1 ──▶ … ──▶ pair ended

    round r:  Bear challenge(r) ──accepted──▶ Bull response(r) ──any outcome──▶ round r + 1
                       └──refused, invalid, unused──▶ round r + 1

Everything here is a function of recorded facts: a process that lost its memory decides the same.

Source: design.md D7 (the table), D9, D10, D11.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from bullbear.lifecycle import ENDED_CHILD, ENDED_ROOT, Cause, ChildState, Role, RootState
from research.answers import Pattern
from research.rules import Purpose

PEERS = (Role.RESEARCHER, Role.BULL, Role.BEAR)


class SlotKind(StrEnum):
    """The two halves of a round."""

    CHALLENGE = "challenge"  # Bear's: a challenge or a proposition
    RESPONSE = "response"  # Bull's


class SlotOutcome(StrEnum):
    """What came of a half-round; whatever it is, the slot is not given back."""

    SPENT = "spent"  # its first request is sealed; nothing more is known yet
    ACCEPTED = "accepted"  # it brought a message
    REFUSED = "refused"  # its message was refused
    INVALID = "invalid"  # no valid answer, also after a further attempt
    UNKNOWN = "unknown"  # the outcome of its last request is unknown
    CLOSED = "closed"  # ended by `no_further`
    UNUSED = "unused"  # every request of it was rejected


class MessageKind(StrEnum):
    """What a peer message is."""

    CHALLENGE = "challenge"
    PROPOSITION = "proposition"
    RESPONSE = "response"


class MoveKind(StrEnum):
    """What a message does to a claim."""

    CONTESTED = "contested"  # the other side brought counter-evidence
    DEFENDED = "defended"
    REVISED = "revised"  # its author narrowed it
    CONCEDED = "conceded"  # its own author withdrew it: final


class ClaimStatus(StrEnum):
    """Where a claim stands: derived from its moves."""

    OPEN = "OPEN"
    CONTESTED = "CONTESTED"
    CONCEDED = "CONCEDED"


class DecisionKind(StrEnum):
    """What an operator can decide."""

    REASK = "reask"  # the last request again
    ABANDON = "abandon"  # the half-round ends unknown


class EndReason(StrEnum):
    """Why a dialogue ended; of several that hold, the first in this order is stored."""

    CANCELLED = "cancelled"
    DEADLINE = "deadline"
    BUDGET = "budget"
    PARTICIPANT_ENDED = "participant_ended"
    OUTCOME_UNKNOWN = "outcome_unknown"
    CONTEXT_FULL = "context_full"
    REFUSED_SCOPE = "refused_scope"
    INVALID_OUTPUT = "invalid_output"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    EXTRACTION_FAILED = "extraction_failed"
    NO_STRONG_COUNTEREXAMPLE = "no_strong_counterexample"
    SETTLED = "settled"
    DECLINED = "declined"
    CONVERGED = "converged"
    MAX_ROUNDS = "max_rounds"
    MUTUAL_WAIT = "mutual_wait"


PARTIAL_REASONS = frozenset(
    {
        EndReason.CANCELLED,
        EndReason.DEADLINE,
        EndReason.BUDGET,
        EndReason.PARTICIPANT_ENDED,
        EndReason.OUTCOME_UNKNOWN,
        EndReason.CONTEXT_FULL,
        EndReason.PROVIDER_UNAVAILABLE,
        EndReason.EXTRACTION_FAILED,
        EndReason.MUTUAL_WAIT,
    }
)


@dataclass(frozen=True, slots=True)
class HalfRoundView:
    """A half-round on record."""

    round: int
    kind: SlotKind
    outcome: SlotOutcome


@dataclass(frozen=True, slots=True)
class PairView:
    """The frozen pair with its half-rounds, in order."""

    max_rounds: int
    end_reason: str
    half_rounds: Sequence[HalfRoundView]
    claims: Mapping[str, ClaimStatus] = field(default_factory=dict)
    scope_refusals: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What is on record of a Root, as far as turns depend on it."""

    now: datetime
    state: RootState
    cause: Cause
    peers_stop_at: datetime
    deadline_at: datetime
    pattern: Pattern | None
    executions: Mapping[Role, ChildState]
    openings: frozenset[Role]
    pair: PairView | None
    no_pair: str  # why no pair was or will be formed, or ""
    synthesis: bool  # recorded, or given up
    peer_budget: bool  # one more peer request can be reserved
    to_research: frozenset[Role] = frozenset()  # whose private research is not on record yet


@dataclass(frozen=True, slots=True)
class Slot:
    """A turn that an execution has now."""

    purpose: Purpose
    turn: int
    round: int = 0


class SendRefusal(StrEnum):
    """Why the host refuses a send: a fixed vocabulary without ids or titles."""

    REFUSED_SCOPE = "refused_scope"  # the recipient's authorization does not cover the lineage
    NOT_ISSUED = "not_issued"  # the sender was not issued this act


@dataclass(frozen=True, slots=True)
class Compile:
    """The host compiles the report and the Root ends."""


Duty: TypeAlias = Slot | Compile
PLAN = Slot(Purpose.PLAN, turn=1)
PRIVATE_RESEARCH = Slot(Purpose.RESEARCH, turn=0)
OPENING = Slot(Purpose.OPENING, turn=1)
SYNTHESIS = Slot(Purpose.SYNTHESIS, turn=2)


def half_round_slot(kind: SlotKind, round_: int) -> Slot:
    """Name the turn of a half-round: an opening is turn 1, round r is turn 1 + r."""
    return Slot(Purpose(kind.value), turn=1 + round_, round=round_)


def next_half_round(pair: PairView) -> tuple[Role, Slot] | None:
    """Say whose half-round is next in an open pair, or that no round is left."""
    if not pair.half_rounds:
        return Role.BEAR, half_round_slot(SlotKind.CHALLENGE, 1)
    last = pair.half_rounds[-1]
    if last.outcome is SlotOutcome.SPENT:
        who = Role.BEAR if last.kind is SlotKind.CHALLENGE else Role.BULL
        return who, half_round_slot(last.kind, last.round)
    if last.outcome is SlotOutcome.CLOSED:
        return None
    if last.kind is SlotKind.CHALLENGE and last.outcome is SlotOutcome.ACCEPTED:
        return Role.BULL, half_round_slot(SlotKind.RESPONSE, last.round)
    if last.round < pair.max_rounds:
        return Role.BEAR, half_round_slot(SlotKind.CHALLENGE, last.round + 1)
    return None


def peers_may_work(view: View) -> bool:
    """Whether research and exchange may still ask models."""
    return view.state is RootState.OPEN and view.now < view.peers_stop_at


def duty(view: View, role: Role) -> Duty | None:
    """Say what an execution must do now, or that it waits.

    Source: design.md D7, the table "who is woken by what".
    """
    if view.state in ENDED_ROOT or has_ended(view, role):
        return None
    if role is Role.MAIN:
        return _duty_of_main(view)
    if not peers_may_work(view) or view.pattern is None:
        return None
    if role not in view.openings:
        return PRIVATE_RESEARCH if role in view.to_research else OPENING
    if view.pair is None or view.pair.end_reason:
        return None
    whose = next_half_round(view.pair)
    return whose[1] if whose and whose[0] is role else None


def _duty_of_main(view: View) -> Duty | None:
    if view.pattern is None and peers_may_work(view):
        return PLAN
    if any(role in view.executions and not has_ended(view, role) for role in PEERS):
        return None
    too_late = view.cause is Cause.CANCELLED or view.now >= view.deadline_at
    if view.synthesis or too_late or not view.openings:
        return Compile()
    return SYNTHESIS


def decide_send(
    *, act: str, issued: Collection[str], lineage: Collection[str], recipient: Collection[str]
) -> SendRefusal | None:
    """Decide whether a valid message may reach the other side.

    Whose turn it is was decided before: only an execution whose duty is this slot gets here.

    Args:
        act: what the sender does: challenge, proposition or respond.
        issued: the acts of his authorization.
        lineage: all labels of the request that produced the text, not only of what it cites.
        recipient: the labels of the recipient's authorization.

    Source: design.md D14, D15.
    """
    if act not in issued:
        return SendRefusal.NOT_ISSUED
    if not frozenset(lineage) <= frozenset(recipient):
        return SendRefusal.REFUSED_SCOPE
    return None


def next_actor(view: View) -> frozenset[Role]:
    """Name the executions that have something to do now: the ones a recorded fact wakes."""
    return frozenset(role for role in view.executions if duty(view, role) is not None)


def has_ended(view: View, role: Role) -> bool:
    """Whether a role's execution has ended; one that was never created has not."""
    return view.executions.get(role) in ENDED_CHILD
