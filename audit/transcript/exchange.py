"""Openings, half-rounds and messages, each with what is known of it.

Source: design.md D6 (three facts about a message), D10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from audit.sentences import words
from audit.transcript import page
from audit.transcript.facts import Facts
from audit.transcript.page import Answer, Mark
from audit.transcript.texts import Texts
from bullbear.lifecycle import RequestState, Role
from bullbear.models import ModelRequest
from dialogue.answers import BearAnswer, BullAnswer
from dialogue.models import ClaimMove, HalfRound, PeerMessage
from dialogue.report.outcome_words import outcome_words
from dialogue.report.sentences import MOVES, REFUSALS, SLOT_SENTENCES
from dialogue.rules import MessageKind, SlotKind, SlotOutcome
from research.answers import OpeningAnswer
from research.kinds import PartKind
from research.models import Finding, Opening


def openings(facts: Facts, texts: Texts) -> list[page.Opening]:
    """Return the openings, Bull's first."""
    order = {role: index for index, role in enumerate((Role.BULL, Role.BEAR, Role.RESEARCHER))}
    ours = sorted(facts.openings, key=lambda one: order[Role(facts.role(one.child_id))])
    return [_opening(facts, texts, one) for one in ours]


def _opening(facts: Facts, texts: Texts, opening: Opening) -> page.Opening:
    request = facts.requests[opening.request_id]
    answer = texts.answer(request, OpeningAnswer)
    return page.Opening(
        id=opening.pk,
        role=facts.role(opening.child_id),
        request=request.pk,
        statement=texts.show(opening.statement_id, opening.lineage),
        claims=[f"C{one.number}" for one in facts.claims if one.opening_id == opening.pk],
        unknown=texts.lines(answer.unknown if answer else (), request.lineage),
        would_change=texts.lines(answer.would_change if answer else (), request.lineage),
        shown=_shown_to_peer(facts, opening),
    )


def _shown_to_peer(facts: Facts, opening: Opening) -> Mark | None:
    if facts.pair is None:
        return None
    peer = facts.pair.bear_id if opening.child_id == facts.pair.bull_id else facts.pair.bull_id
    name = f"Shown to {facts.role(peer).title()}"
    answer, request = _reached(_exposed(facts, PartKind.OPENING, opening.pk, {peer}))
    return Mark(name, answer, _REACHED[answer], request.pk if request else None)


def turns(facts: Facts, texts: Texts) -> list[page.Turn]:
    """Return the half-rounds in the order in which they were spent."""
    return [_turn(facts, texts, half) for half in facts.half_rounds]


def _turn(facts: Facts, texts: Texts, half: HalfRound) -> page.Turn:
    requests = facts.turn(half.child_id, facts.requests[half.first_request_id].turn)
    last = requests[-1]
    message = next((one for one in facts.messages if one.half_round_id == half.pk), None)
    refused = next((one for one in facts.findings if one.request_id in _ids(requests)), None)
    shown = None
    if message is not None:
        shown = _accepted(facts, texts, message)
    elif refused is not None:
        shown = _refused(texts, refused, half)
    closing = _answer(texts, last, half) if half.outcome == SlotOutcome.CLOSED else None
    return page.Turn(
        round=half.round,
        kind=half.kind,
        role=facts.role(half.child_id),
        outcome=half.outcome,
        meaning=words(SLOT_SENTENCES, half.outcome),
        attempts=half.attempts,
        request=last.pk,
        request_state=last.state,
        request_outcome=outcome_words(last.outcome_class),
        message=shown,
        checked=texts.lines(closing.checked if closing else (), last.lineage),
        unknown=texts.lines(closing.unknown if closing else (), last.lineage),
    )


def _ids(requests: Iterable[ModelRequest]) -> set[UUID]:
    return {one.pk for one in requests}


def _answer(
    texts: Texts, request: ModelRequest, half: HalfRound
) -> BearAnswer | BullAnswer | None:
    if half.kind == SlotKind.CHALLENGE:
        return texts.answer(request, BearAnswer)
    return texts.answer(request, BullAnswer)


def _accepted(facts: Facts, texts: Texts, message: PeerMessage) -> page.Message:
    request = facts.requests[message.request_id]
    bears = texts.answer(request, BearAnswer) if message.kind != MessageKind.RESPONSE else None
    main = {one.pk for one in facts.children.values() if one.role == Role.MAIN}
    _, synthesis = _reached(_exposed(facts, PartKind.MESSAGE, message.pk, main))
    own = [one for one in facts.moves if one.message_id == message.pk]
    replied = next((one for one in facts.messages if one.pk == message.reply_to_id), None)
    moves_ = moves(facts, texts, own)
    return page.Message(
        handle=f"M{message.number}",
        kind=message.kind,
        text=texts.show(message.text_id, message.lineage),
        reply_to=f"M{replied.number}" if replied else "",
        claims=list(dict.fromkeys([*(bears.claims if bears else ()), *(m.claim for m in moves_)])),
        evidence=message.evidence,
        does_not_establish=(
            texts.words(bears.does_not_establish, message.lineage) if bears else None
        ),
        moves=moves_,
        marks=[
            Mark("Proposed", Answer.YES, "It stands in the sender's stored answer.", request.pk),
            Mark("Accepted", Answer.YES, "The host checked it and put it on record."),
            delivery(facts, message),
        ],
        in_synthesis=synthesis.pk if synthesis else None,
        at=message.accepted_at,
    )


def _refused(texts: Texts, finding: Finding, half: HalfRound) -> page.Message:
    """Show a refused send: its text is a finding that only Main was given."""
    never = "Refused messages are never delivered; the peer learned only that none came."
    return page.Message(
        handle=f"F{finding.number}",
        kind=half.kind,
        text=texts.show(finding.text_id, finding.lineage),
        reply_to="",
        claims=[],
        evidence=[],
        does_not_establish=None,
        moves=[],
        marks=[
            Mark(
                "Proposed",
                Answer.YES,
                "It stands in the sender's stored answer.",
                finding.request_id,
            ),
            Mark(
                "Accepted",
                Answer.NO,
                f"Refused ({finding.reason}): {words(REFUSALS, finding.reason)}.",
            ),
            Mark("Delivered", Answer.NO, never),
        ],
        in_synthesis=None,
        at=None,
    )


def moves(facts: Facts, texts: Texts, rows: Iterable[ClaimMove]) -> list[page.Move]:
    """Return what messages did to claims, with their quotes."""
    handles = {one.pk: f"C{one.number}" for one in facts.claims}
    messages = {one.pk: one for one in facts.messages}
    return [
        page.Move(
            claim=handles[one.claim_id],
            message=f"M{messages[one.message_id].number}",
            kind=one.move,
            meaning=words(MOVES, one.move),
            by=facts.role(messages[one.message_id].sender_id),
            quote=texts.show(one.quote_id, messages[one.message_id].lineage),
            received=delivery(facts, messages[one.message_id]).answer,
        )
        for one in rows
    ]


_REACHED = {
    Answer.YES: "Its whole text stands in an answered request of its recipient.",
    Answer.UNKNOWN: "Its text stands in a request of its recipient whose outcome nobody knows.",
    Answer.NO: "It stands in no answered request of its recipient.",
    Answer.NOT_YET: "Its recipient may still have a turn.",
    Answer.NO_FURTHER_TURN: "It was the last response: its recipient had no turn after it.",
}


def delivery(facts: Facts, message: PeerMessage) -> Mark:
    """Say what is known of a message's way to its recipient."""
    answer, request = _reached(
        _exposed(facts, PartKind.MESSAGE, message.pk, {message.recipient_id})
    )
    if answer is Answer.NO:
        answer = _why_not(facts, message)
    return Mark("Delivered", answer, _REACHED[answer], request.pk if request else None)


def _why_not(facts: Facts, message: PeerMessage) -> Answer:
    rounds = {one.pk: one.round for one in facts.half_rounds}
    own = rounds[message.half_round_id]
    if facts.pair is not None and not facts.pair.end_reason:
        return Answer.NOT_YET
    later = any(
        one.round > own and one.child_id == message.recipient_id for one in facts.half_rounds
    )
    if message.kind == MessageKind.RESPONSE and not later:
        return Answer.NO_FURTHER_TURN
    return Answer.NO


def _exposed(
    facts: Facts, kind: PartKind, record: UUID, children: set[UUID]
) -> Sequence[ModelRequest]:
    """Return the requests of these executions in which a record's text stands, oldest first."""
    held = [
        facts.requests[one.request_id]
        for one in facts.parts
        if one.kind == kind and one.record == str(record)
    ]
    return [one for one in held if one.child_id in children]


def _reached(requests: Sequence[ModelRequest]) -> tuple[Answer, ModelRequest | None]:
    """Say whether a text arrived, and name the first request that shows it."""
    for state, answer in (
        (RequestState.ANSWERED, Answer.YES),
        (RequestState.OUTCOME_UNKNOWN, Answer.UNKNOWN),
        (RequestState.SEALED, Answer.UNKNOWN),
    ):
        found = next((one for one in requests if one.state == state), None)
        if found is not None:
            return answer, found
    return Answer.NO, None
