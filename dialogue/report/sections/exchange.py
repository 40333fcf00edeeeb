"""What was challenged, answered and revised: half-rounds in order, with their messages or why there is none.

Source: design.md D6, D10, D13.
"""

from __future__ import annotations

from bullbear.identity import JsonValue
from bullbear.lifecycle import RequestState
from bullbear.models import ModelRequest
from dialogue.answers import BearAnswer, BullAnswer
from dialogue.deliver import Delivery, delivery_of
from dialogue.models import HalfRound, PeerMessage
from dialogue.report.material import Material, Section
from dialogue.report.outcome_words import outcome_words
from dialogue.report.sections.evidence import cited
from dialogue.report.sentences import DELIVERY_SENTENCES, MOVES, REFUSALS, SLOT_SENTENCES
from dialogue.rules import MoveKind, SendRefusal, SlotKind, SlotOutcome
from research.kinds import FindingKind
from research.models import Finding

PeerAnswer = BearAnswer | BullAnswer


def half_rounds(material: Material) -> list[JsonValue]:
    """Every half-round that was spent, in order."""
    return [_half_round(material, half) for half in material.case.half_rounds]


def _half_round(material: Material, half: HalfRound) -> Section:
    outcome = SlotOutcome(half.outcome)
    message = next((m for m in material.case.messages if m.half_round_id == half.pk), None)
    answer = peer_answer(material, half)
    return {
        "round": half.round,
        "kind": half.kind,
        "by": str(material.role(half.child_id)),
        "outcome": str(outcome),
        "outcome_means": SLOT_SENTENCES[outcome],
        "message": _message(material, message, half, answer) if message else None,
        "closing": _closing(material, answer) if outcome is SlotOutcome.CLOSED else None,
        "requests": [_request(one) for one in material.requests_of(half)],
    }


def peer_answer(material: Material, half: HalfRound) -> PeerAnswer | None:
    """Read the valid answer of a half-round again, if one came."""
    for request in reversed(material.requests_of(half)):
        answer: PeerAnswer | None
        if half.kind == SlotKind.CHALLENGE:
            answer = material.answer(request.pk, BearAnswer)
        else:
            answer = material.answer(request.pk, BullAnswer)
        if answer is not None:
            return answer
    return None


def _message(
    material: Material, message: PeerMessage, half: HalfRound, answer: PeerAnswer | None
) -> Section:
    case = material.case
    numbers = {one.pk: one.number for one in case.messages}
    return {
        "handle": f"M{message.number}",
        "message": str(message.pk),
        "round": half.round,
        "kind": message.kind,
        "from": str(material.role(message.sender_id)),
        "to": str(material.role(message.recipient_id)),
        "reply_to": f"M{numbers[message.reply_to_id]}" if message.reply_to_id else "",
        "accepted_in": str(message.request_id),
        "claims": list(message.about),
        "text": material.quoted(material.text(message.text_id)),
        "does_not_establish": _does_not_establish(material, answer),
        "evidence": cited(
            material,
            case.child(message.sender_id),
            message.evidence,
            until=message.request_id,
        ),
        "moved": _moved(material, message),
        "delivery": _delivery(material, message),
        "in_synthesis": _in_synthesis(material, message),
    }


def _does_not_establish(material: Material, answer: PeerAnswer | None) -> Section | None:
    text = answer.does_not_establish if isinstance(answer, BearAnswer) else ""
    return material.quoted(text) if text else None


def _moved(material: Material, message: PeerMessage) -> list[JsonValue]:
    handles = {one.pk: f"C{one.number}" for one in material.case.claims}
    return [
        {
            "claim": handles[move.claim_id],
            "move": move.move,
            "means": MOVES[MoveKind(move.move)],
            "quote": material.quoted(material.text(move.quote_id)),
        }
        for move in material.case.moves
        if move.message_id == message.pk
    ]


def _delivery(material: Material, message: PeerMessage) -> Section:
    """Say what is known of the message's way, and name the request that decides it."""
    delivery = delivery_of(material.case, message, material.exposed)
    where = set(material.exposed.get(message.pk, ()))
    states = {
        Delivery.YES: {RequestState.ANSWERED},
        Delivery.UNKNOWN: {RequestState.OUTCOME_UNKNOWN, RequestState.SEALED},
    }.get(delivery, set())
    deciding = [
        request
        for request in material.case.requests
        if request.pk in where
        and request.child_id == message.recipient_id
        and request.state in states
    ]
    return {
        "state": str(delivery),
        "means": DELIVERY_SENTENCES[delivery],
        "request": str(deciding[0].pk) if deciding else "",
    }


def _in_synthesis(material: Material, message: PeerMessage) -> list[JsonValue]:
    """Name Main's requests in which the text stood: a fact of its own, no delivery to the peer."""
    pair = {message.sender_id, message.recipient_id}
    where = set(material.exposed.get(message.pk, ()))
    return [
        {"request": str(one.pk), "state": one.state}
        for one in material.case.requests
        if one.pk in where and one.child_id not in pair
    ]


def _closing(material: Material, answer: PeerAnswer | None) -> Section | None:
    """What a side checked, and does not know, when it had nothing further to say."""
    if answer is None:
        return None
    return {
        "checked": [material.quoted(line) for line in answer.checked],
        "unknown": [material.quoted(line) for line in answer.unknown],
    }


def _request(request: ModelRequest) -> Section:
    return {
        "request": str(request.pk),
        "state": request.state,
        "class": request.outcome_class,
        "means": outcome_words(request.outcome_class),
    }


def refused(material: Material) -> list[JsonValue]:
    """Texts of refused sends: they reached Main, never the other side."""
    return [_refused(material, one) for one in material.case.findings if one.reason]


def private_research(material: Material) -> list[JsonValue]:
    """What a side found in material that only it could read: Main was given it, the other side never."""
    return [
        {
            "handle": f"F{finding.number}",
            "by": str(material.role(finding.child_id)),
            "text": material.quoted(material.text(finding.text_id)),
        }
        for finding in material.case.findings
        if finding.kind == FindingKind.PRIVATE_RESEARCH
    ]


def _refused(material: Material, finding: Finding) -> Section:
    return {
        "handle": f"F{finding.number}",
        "by": str(material.role(finding.child_id)),
        "reason": finding.reason,
        "means": REFUSALS[SendRefusal(finding.reason)],
        "text": material.quoted(material.text(finding.text_id)),
    }
