"""End a pair for its one stored reason.

Source: design.md D10.
"""

from __future__ import annotations

from bullbear import receipts
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.rules import EndReason


def end_pair(case: DialogueCase, reason: EndReason) -> None:
    """Store why the exchange ended; a trigger holds that it is stored once."""
    if case.pair is None:
        raise LookupError("there is no pair to end")
    case.held.change(case.pair, end_reason=reason)
    receipts.append(
        case.held,
        DialogueKind.PAIR_ENDED,
        act=str(case.pair.pk),
        subjects={
            "pair": str(case.pair.pk),
            "reason": str(reason),
            "rounds": max((half.round for half in case.half_rounds), default=0),
        },
    )
