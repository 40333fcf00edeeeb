"""Spend a half-round with its first seal, and say what came of it.

Source: design.md D4, D10: a slot is never given back.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.models import Child, ModelRequest
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.models import HalfRound
from dialogue.rules import Slot, SlotKind, SlotOutcome


def spend(case: DialogueCase, child: Child, slot: Slot, request: ModelRequest) -> HalfRound:
    """Open a slot with its first request, or count a further attempt of it."""
    if case.pair is None:
        raise LookupError("a half-round belongs to a pair")
    kind = SlotKind(str(slot.purpose))
    half = case.half_round(kind, slot.round)
    if half is not None:
        if request.attempt > half.attempts:
            case.held.change(half, attempts=request.attempt)
        return half
    half = case.held.add(
        HalfRound(pair=case.pair, round=slot.round, kind=kind, child=child, first_request=request)
    )
    case.half_rounds.append(half)
    receipts.append(
        case.held,
        DialogueKind.HALF_ROUND_SPENT,
        act=_act(half),
        child=child,
        subjects={
            "half_round": str(half.pk),
            "round": half.round,
            "kind": str(kind),
            "request": str(request.pk),
        },
    )
    return half


def end_half_round(
    case: DialogueCase, child: Child, half: HalfRound, outcome: SlotOutcome
) -> None:
    """Say what came of a half-round."""
    case.held.change(half, outcome=outcome)
    receipts.append(
        case.held,
        DialogueKind.HALF_ROUND_ENDED,
        act=_act(half),
        child=child,
        subjects={"half_round": str(half.pk), "outcome": str(outcome)},
    )


def _act(half: HalfRound) -> str:
    return f"{half.pair_id}:{half.round}:{half.kind}"
