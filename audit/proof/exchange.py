"""The exchange: whose turn it was, who received what, and that the rounds are legal.

Source: design.md D6, D9, D10, D11.
"""

from __future__ import annotations

from audit.proof.dialogue_rows import HalfRoundRow, MessageRow, PairRow
from audit.proof.evidence import Evidence
from audit.proof.reading import sequence
from audit.proof.runtime_rows import RequestRow
from audit.proof.verdict import require
from audit.proof.vocabulary import (
    ACT_NEEDED,
    MESSAGES_OF,
    OVER_AND_NEXT_ROUND,
    SPEAKER,
    VALID,
    WITH_REFUSED_SEND,
)

_OF_THE_OTHER = frozenset({"opening", "message", "claim_quote", "opening_line"})


def half_rounds_are_legal_and_consecutive(evidence: Evidence) -> int:
    """Bear's, then Bull's, round after round from one to the cap; a slot is not given back."""
    pair = evidence.pair
    halves = sorted(evidence.record.half_rounds, key=lambda h: (h.round, h.kind == "response"))
    if pair is None:
        require(not halves, "pair", "there are half-rounds and no pair")
        return 0
    before: HalfRoundRow | None = None
    for half in halves:
        place = f"half-round {half.round} {half.kind}"
        require(half.kind in SPEAKER, place, "its kind is not known")
        require(half.round <= pair.max_rounds, place, "it is past the last round")
        require(_may_follow(before, half), place, "it may not follow the half-round before it")
        speaker = pair.bear_id if SPEAKER[half.kind] == "bear" else pair.bull_id
        require(half.child_id == speaker, place, "it is of the other side")
        _check_requests(evidence, half, place)
        _check_order(evidence, before, half, place)
        before = half
    return len(halves)


def _may_follow(before: HalfRoundRow | None, half: HalfRoundRow) -> bool:
    if before is None:
        return (half.round, half.kind) == (1, "challenge")
    if half.kind == "response":
        opened = (before.round, before.kind) == (half.round, "challenge")
        return opened and before.outcome == "accepted"
    answered = before.kind == "response" or before.outcome != "accepted"
    return half.round == before.round + 1 and answered and before.outcome in OVER_AND_NEXT_ROUND


def _check_requests(evidence: Evidence, half: HalfRoundRow, place: str) -> None:
    turn = [
        request
        for request in evidence.record.requests
        if (request.child_id, request.turn) == (half.child_id, half.round + 1)
    ]
    turn.sort(key=lambda request: (request.attempt, request.n))
    require(bool(turn), place, "it has no request")
    require(turn[0].id == half.first_request_id, place, "another request opened it")
    right = all(request.purpose == half.kind for request in turn)
    require(right, place, "a request of its turn has another purpose")
    require(turn[-1].attempt == half.attempts, place, "it counts other attempts")
    outcome = _outcome(evidence, turn[-1])
    require(half.outcome in {"spent", outcome}, place, f"its last request makes it {outcome}")
    came = any(message.half_round_id == half.id for message in evidence.record.messages)
    require(came == (half.outcome == "accepted"), place, "its outcome and its message disagree")


def _outcome(evidence: Evidence, last: RequestRow) -> str:
    """Say what a turn's last request makes of its half-round."""
    if (last.state, last.outcome_class) == ("answered", VALID):
        closing = evidence.answer(last).get("kind") == "no_further"
        return "closed" if closing else "accepted"
    if last.outcome_class == WITH_REFUSED_SEND:
        return "refused"
    others = {"answered": "invalid", "outcome_unknown": "unknown", "rejected": "unused"}
    return others.get(last.state, "spent")


def _check_order(
    evidence: Evidence, before: HalfRoundRow | None, half: HalfRoundRow, place: str
) -> None:
    """Each slot is spent after the one before it ended, and before the pair did."""
    spent = evidence.seq("half_round_spent", _act(half), place)
    if before is not None:
        ended = evidence.seq("half_round_ended", _act(before), place)
        require(ended < spent, place, "it was spent before the one before it ended")
    over = evidence.fact("pair_ended", half.pair_id)
    require(over is None or spent < over.seq, place, "it was spent after the pair ended")


def _act(half: HalfRoundRow) -> str:
    return f"{half.pair_id}:{half.round}:{half.kind}"


def every_half_rounds_request_is_of_a_slot(evidence: Evidence) -> int:
    """No challenge or response was asked for beside the slots on record."""
    slots = {(half.child_id, half.round + 1) for half in evidence.record.half_rounds}
    asked = [r for r in evidence.record.requests if r.purpose in SPEAKER]
    for request in asked:
        place = evidence.place_of(request)
        require((request.child_id, request.turn) in slots, place, "it has no half-round")
    return len(asked)


def sender_recipient_and_turn_follow_from_the_pair(evidence: Evidence) -> int:
    """A model names none of them: each message's are recomputed."""
    pair = evidence.pair
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        require(pair is not None and message.pair_id == pair.id, place, "it is of another pair")
        if pair is not None:
            _check_message(evidence, pair, message, place)
    return len(evidence.record.messages)


def _check_message(evidence: Evidence, pair: PairRow, message: MessageRow, place: str) -> None:
    half = evidence.half_round(message.half_round_id, place)
    request = evidence.request(message.request_id, place)
    require(message.sender_id == half.child_id, place, "its sender had not the turn")
    peer = pair.bull_id if half.child_id == pair.bear_id else pair.bear_id
    require(message.recipient_id == peer, place, "its recipient is not the other of the pair")
    of_turn = (request.child_id, request.turn) == (half.child_id, half.round + 1)
    require(of_turn, place, "it comes from a request of another turn")
    require(message.act == f"{request.id}:0", place, "its act names another answer")
    require(message.kind in MESSAGES_OF[half.kind], place, "its half-round brings no such message")
    sender = evidence.child(message.sender_id, place)
    acts = sequence(sender.authorization.get("acts"), place, "the issued acts")
    require(ACT_NEEDED[message.kind] in acts, place, "its sender was not issued this act")
    require(message.reply_to_id == _replied_to(evidence, message), place, "it replies to another")


def _replied_to(evidence: Evidence, message: MessageRow) -> str | None:
    if message.kind != "response":
        return None
    place = f"message M{message.number}"
    round_ = evidence.half_round(message.half_round_id, place).round
    for other in evidence.record.messages:
        half = evidence.half_round(other.half_round_id, place)
        if (half.round, half.kind) == (round_, "challenge"):
            return other.id
    return None


def every_author_saw_what_he_answers(evidence: Evidence) -> int:
    """`saw` are the messages in the authoring request; a response's holds the challenge it answers."""
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        request = evidence.request(message.request_id, place)
        shown = evidence.shown(request, "message")
        require(list(message.saw) == shown, place, "its request held other messages")
        if message.reply_to_id:
            require(message.reply_to_id in shown, place, "its author had not the challenge")
    return len(evidence.record.messages)


def openings_are_independent_where_they_say_so(evidence: Evidence) -> int:
    """No opening request holds anything of the other side, and Bear's challenge holds Bull's opening."""
    pair = evidence.pair
    if pair is None:
        return 0
    count = 0
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        if request.purpose == "opening" and pair.opening_order == "independent":
            foreign = any(part.kind in _OF_THE_OTHER for part in evidence.parts(request))
            require(not foreign, place, "an independent opening was shown something of the other")
            count += 1
        if request.purpose in SPEAKER:
            shown = {
                evidence.opening(record, place).child_id
                for record in evidence.shown(request, "opening")
            }
            require(shown == {pair.bull_id, pair.bear_id}, place, "it does not hold both openings")
            count += 1
    return count
