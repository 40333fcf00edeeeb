"""What is missing, each gap in one sentence; the host writes them, no model can leave one out.

Source: design.md D2, D13.
"""

from __future__ import annotations

from bullbear.identity import JsonValue
from bullbear.models import ModelRequest
from dialogue.case import end_reason_of
from dialogue.kinds import GapCode
from dialogue.models import Gap
from dialogue.report.material import Material, Section
from dialogue.report.outcome_words import CALLS, outcome_words
from dialogue.report.sentences import (
    END_CLAUSES,
    NAMES,
    REFUSALS,
    SLOT_SENTENCES,
    SLOTS,
    gap_sentence,
)
from dialogue.rules import SendRefusal, SlotKind, SlotOutcome
from research.rules import Purpose

Words = tuple[str, str]  # subject, reason
_NO_REASON = "why is not on record"


def gaps(material: Material) -> list[JsonValue]:
    """Every gap on record, with what it is about in words."""
    return [_gap(material, gap) for gap in material.gaps]


def _gap(material: Material, gap: Gap) -> Section:
    code = GapCode(gap.code)
    subject, reason = _words(material, code, gap)
    return {
        "code": str(code),
        "subject": gap.subject,
        "by": str(material.role(gap.child_id)) if gap.child_id else "",
        "sentence": gap_sentence(code, subject=subject, reason=reason),
    }


def _words(material: Material, code: GapCode, gap: Gap) -> Words:
    """Name what a gap is about and why; an id that names nothing here stays itself."""
    match code:
        case GapCode.OUTCOME_UNKNOWN:
            return _of_request(material, gap.subject)
        case GapCode.NO_MESSAGE:
            return _of_half_round(material, gap.subject)
        case GapCode.SEND_REFUSED:
            return _of_refused(material, gap)
        case GapCode.NOT_DELIVERED | GapCode.DELIVERY_UNKNOWN:
            return _of_message(material, gap.subject)
        case GapCode.NO_DIALOGUE | GapCode.DIALOGUE_CUT_SHORT:
            reason = end_reason_of(material.case)
            return "the dialogue", END_CLAUSES[reason] if reason else _NO_REASON
        case GapCode.NO_OPENING:
            return _name(material, gap), ""
        case GapCode.NO_SYNTHESIS | GapCode.NO_PLAN | GapCode.CONFIGURATION_CHANGED:
            return gap.subject, ""


def _name(material: Material, gap: Gap) -> str:
    return NAMES[material.role(gap.child_id)] if gap.child_id else gap.subject


def call_name(material: Material, request: ModelRequest) -> str:
    """Name a call so that a reader can find it: who, what for, which attempt, its id."""
    purpose = Purpose(request.purpose)
    round_ = next(
        (
            f" in round {half.round}"
            for half in material.case.half_rounds
            if request.pk in {one.pk for one in material.requests_of(half)}
        ),
        "",
    )
    attempt = f", attempt {request.attempt}" if request.attempt > 1 else ""
    who = NAMES[material.role(request.child_id)]
    return f"{who}'s {CALLS[purpose]}{round_}{attempt} (request {request.pk})"


def _of_request(material: Material, subject: str) -> Words:
    request = next((one for one in material.case.requests if str(one.pk) == subject), None)
    if request is None:
        return f"request {subject}", _NO_REASON
    return call_name(material, request), outcome_words(request.outcome_class)


def _of_half_round(material: Material, subject: str) -> Words:
    half = next((one for one in material.case.half_rounds if str(one.pk) == subject), None)
    if half is None:
        return f"half-round {subject}", _NO_REASON
    who = NAMES[material.role(half.child_id)]
    named = f"{who}'s {SLOTS[SlotKind(half.kind)]} in round {half.round}"
    return named, SLOT_SENTENCES[SlotOutcome(half.outcome)]


def _of_refused(material: Material, gap: Gap) -> Words:
    finding = next((one for one in material.case.findings if one.act == gap.subject), None)
    reason = REFUSALS[SendRefusal(finding.reason)] if finding else _NO_REASON
    return _name(material, gap), reason


def _of_message(material: Material, subject: str) -> Words:
    message = next((one for one in material.case.messages if str(one.pk) == subject), None)
    if message is None:
        return f"message {subject}", ""
    return f"message M{message.number} by {NAMES[material.role(message.sender_id)]}", ""
