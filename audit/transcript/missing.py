"""Gaps as sentences: which call, which half-round, which message.

Source: design.md D2, D13.
"""

from __future__ import annotations

from uuid import UUID

from audit.sentences import words
from audit.transcript import page
from audit.transcript.facts import Facts
from bullbear.models import ModelRequest
from dialogue.kinds import GapCode
from dialogue.models import Gap
from dialogue.report.outcome_words import CALLS, outcome_words
from dialogue.report.sentences import (
    END_CLAUSES,
    REFUSALS,
    SLOT_SENTENCES,
    SLOTS,
    gap_sentence,
)


def gaps(facts: Facts) -> list[page.Gap]:
    """Return what the report discloses as missing."""
    return [_gap(facts, one) for one in facts.gaps]


def _gap(facts: Facts, gap: Gap) -> page.Gap:
    request = _request(facts, gap)
    return page.Gap(
        code=gap.code,
        sentence=gap_sentence(
            GapCode(gap.code), subject=_subject(facts, gap), reason=_reason(facts, gap)
        ),
        request=request.pk if request else None,
    )


def _request(facts: Facts, gap: Gap) -> ModelRequest | None:
    """Find the call a gap is about: itself, or the last one of its half-round."""
    half = next((one for one in facts.half_rounds if str(one.pk) == gap.subject), None)
    if half is not None:
        return facts.turn(half.child_id, facts.requests[half.first_request_id].turn)[-1]
    return next((one for one in facts.requests.values() if str(one.pk) == gap.subject), None)


def _subject(facts: Facts, gap: Gap) -> str:
    whose = facts.role(gap.child_id).title()
    match gap.code:
        case GapCode.OUTCOME_UNKNOWN:
            return f"{whose}'s {_call(facts.requests[UUID(gap.subject)])}"
        case GapCode.NO_MESSAGE:
            half = next(one for one in facts.half_rounds if str(one.pk) == gap.subject)
            return f"{whose}'s {words(SLOTS, half.kind)} in round {half.round}"
        case GapCode.NOT_DELIVERED | GapCode.DELIVERY_UNKNOWN:
            number = next(one.number for one in facts.messages if str(one.pk) == gap.subject)
            return f"message M{number}"
        case GapCode.CONFIGURATION_CHANGED:
            return gap.subject
        case _:
            return whose


def _call(request: ModelRequest) -> str:
    return words(CALLS, request.purpose)


def _reason(facts: Facts, gap: Gap) -> str:
    match gap.code:
        case GapCode.OUTCOME_UNKNOWN:
            return outcome_words(facts.requests[UUID(gap.subject)].outcome_class)
        case GapCode.NO_MESSAGE:
            half = next(one for one in facts.half_rounds if str(one.pk) == gap.subject)
            return words(SLOT_SENTENCES, half.outcome)
        case GapCode.SEND_REFUSED:
            refused = next((one for one in facts.findings if one.act == gap.subject), None)
            return words(REFUSALS, refused.reason) if refused else ""
        case GapCode.NO_DIALOGUE:
            return words(END_CLAUSES, gap.subject)
        case GapCode.DIALOGUE_CUT_SHORT:
            return words(END_CLAUSES, facts.pair.end_reason) if facts.pair else ""
        case _:
            return ""
