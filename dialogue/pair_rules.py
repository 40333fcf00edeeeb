"""The pair as values: when it is formed, why it ends, and when its members are through.

    both openings stand ──▶ frozen ──▶ (half-rounds) ──▶ ended, for the first reason that holds
             └──▶ no pair, for a reason of the Root

Two reasons come from elsewhere: `context_full`, where a request is composed, and `mutual_wait`, where
everybody parks.

Source: design.md D9, D10.
"""

from __future__ import annotations

from bullbear.lifecycle import Cause, Role
from dialogue.rules import (
    ClaimStatus,
    EndReason,
    PairView,
    SlotKind,
    SlotOutcome,
    View,
    has_ended,
    next_half_round,
    peers_may_work,
)
from research.answers import Pattern

MAX_SCOPE_REFUSALS = 2


def may_freeze(view: View) -> bool:
    """Whether both openings stand and a pair can be formed of their authors now."""
    return (
        view.pattern is Pattern.DIALOGUE
        and view.pair is None
        and not view.no_pair
        and peers_may_work(view)
        and {Role.BULL, Role.BEAR} <= view.openings
        and not any(has_ended(view, role) for role in (Role.BULL, Role.BEAR))
    )


def pair_end(view: View) -> EndReason | None:
    """Say why the open pair ends now, or that it goes on; the first reason of `EndReason` that holds."""
    pair = view.pair
    if pair is None or pair.end_reason:
        return None
    return next((reason for reason, holds in _reasons(view, pair) if holds), None)


def _reasons(view: View, pair: PairView) -> list[tuple[EndReason, bool]]:
    last = pair.half_rounds[-1] if pair.half_rounds else None
    outcome = last.outcome if last else None
    over = next_half_round(pair) is None
    in_flight = outcome is SlotOutcome.SPENT
    asked = any(
        half.kind is SlotKind.CHALLENGE and half.outcome is SlotOutcome.ACCEPTED
        for half in pair.half_rounds
    )
    closed = outcome is SlotOutcome.CLOSED
    challenged = [s for s in pair.claims.values() if s is not ClaimStatus.OPEN]
    conceded = bool(challenged) and all(s is ClaimStatus.CONCEDED for s in challenged)
    return [
        (EndReason.CANCELLED, view.cause is Cause.CANCELLED),
        (EndReason.DEADLINE, view.cause is Cause.DEADLINE or view.now >= view.peers_stop_at),
        (EndReason.BUDGET, not (over or in_flight or view.peer_budget)),
        (EndReason.PARTICIPANT_ENDED, has_ended(view, Role.BULL) or has_ended(view, Role.BEAR)),
        (EndReason.OUTCOME_UNKNOWN, outcome is SlotOutcome.UNKNOWN),
        (EndReason.REFUSED_SCOPE, pair.scope_refusals >= MAX_SCOPE_REFUSALS),
        (EndReason.INVALID_OUTPUT, over and outcome is SlotOutcome.INVALID),
        (EndReason.PROVIDER_UNAVAILABLE, over and outcome is SlotOutcome.UNUSED),
        (EndReason.NO_STRONG_COUNTEREXAMPLE, closed and not asked),
        (EndReason.SETTLED, conceded and not in_flight),
        (EndReason.DECLINED, closed),
        (EndReason.MAX_ROUNDS, over),
    ]


def why_no_pair(view: View) -> EndReason | None:
    """Say why a planned dialogue cannot form its pair any more, or that it still can."""
    if view.pattern is not Pattern.DIALOGUE or view.pair is not None or view.no_pair:
        return None
    if view.cause is Cause.CANCELLED:
        return EndReason.CANCELLED
    if not peers_may_work(view):
        return EndReason.DEADLINE
    if has_ended(view, Role.BULL) or has_ended(view, Role.BEAR):
        return EndReason.PARTICIPANT_ENDED
    return None


def peer_is_through(view: View, role: Role) -> bool:
    """Whether an execution has nothing more to do: the host finishes it without a call."""
    if role not in view.executions or has_ended(view, role):
        return False
    if not peers_may_work(view):
        return True
    if role not in view.openings:
        return False
    if view.pattern is not Pattern.DIALOGUE:
        return True
    return bool(view.no_pair) or (view.pair is not None and bool(view.pair.end_reason))
