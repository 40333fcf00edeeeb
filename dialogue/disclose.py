"""Read every gap of a Root that is about to end off its facts.

Source: design.md D2, D6, D13.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from bullbear.lifecycle import RequestState, Role
from dialogue.case import DialogueCase, end_reason_of
from dialogue.deliver import Delivery, delivery_of, exposures
from dialogue.gaps import record_gap
from dialogue.kinds import GapCode
from dialogue.rules import PARTIAL_REASONS, SlotOutcome
from research.answers import Pattern
from research.plans import EXECUTIONS

_NO_MESSAGE = frozenset(
    {SlotOutcome.SPENT, SlotOutcome.INVALID, SlotOutcome.UNKNOWN, SlotOutcome.UNUSED}
)


def disclose_gaps(case: DialogueCase) -> None:
    """Read every gap off the facts of a Root that is about to end."""
    for code, subject, child_id in _gaps(case):
        record_gap(case, code, subject, child=case.child(child_id) if child_id else None)


def _gaps(case: DialogueCase) -> Iterable[tuple[GapCode, str, UUID | None]]:
    for request in case.requests:
        if request.state == RequestState.OUTCOME_UNKNOWN:
            yield GapCode.OUTCOME_UNKNOWN, str(request.pk), request.child_id
    if case.plan is None or case.plan.decided_by == "host":
        yield GapCode.NO_PLAN, "", None
    yield from _missing_openings(case)
    yield from _dialogue_gaps(case)
    if case.synthesis_given_up:
        yield GapCode.NO_SYNTHESIS, "", None


def _missing_openings(case: DialogueCase) -> Iterable[tuple[GapCode, str, UUID | None]]:
    planned = EXECUTIONS[Pattern(case.plan.pattern)] if case.plan else ()
    for role in planned:
        child = case.child_of(Role(role))
        if child is not None and case.opening_of(Role(role)) is None:
            yield GapCode.NO_OPENING, str(child.pk), child.pk


def _dialogue_gaps(case: DialogueCase) -> Iterable[tuple[GapCode, str, UUID | None]]:
    reason = end_reason_of(case)
    if case.pair is None:
        if reason is not None:
            yield GapCode.NO_DIALOGUE, str(reason), None
        return
    if reason in PARTIAL_REASONS:
        yield GapCode.DIALOGUE_CUT_SHORT, str(case.pair.pk), None
    for half in case.half_rounds:
        if half.outcome in _NO_MESSAGE:
            yield GapCode.NO_MESSAGE, str(half.pk), half.child_id
    seen = exposures(case)
    for message in case.messages:
        match delivery_of(case, message, seen):
            case Delivery.NO:
                yield GapCode.NOT_DELIVERED, str(message.pk), message.recipient_id
            case Delivery.UNKNOWN:
                yield GapCode.DELIVERY_UNKNOWN, str(message.pk), message.recipient_id
            case Delivery.YES | Delivery.NO_FURTHER_TURN:
                pass
