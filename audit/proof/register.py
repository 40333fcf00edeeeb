"""The register: claims quote their origin, and only lawful words move them.

Source: design.md D12, D13.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.proof.dialogue_rows import DispositionRow, MoveRow
from audit.proof.evidence import Evidence
from audit.proof.reading import mapping, sequence
from audit.proof.verdict import Unknown, require
from audit.proof.vocabulary import MOVE_OF_ACTION


def every_claim_quotes_its_origin(evidence: Evidence) -> int:
    """A claim is a verbatim span of its author's opening, with the evidence stated there."""
    for claim in evidence.record.claims:
        place = f"claim C{claim.number}"
        if not claim.opening_id or claim.message_id is not None:
            raise Unknown(place, "it does not come from an opening")
        opening = evidence.opening(claim.opening_id, place)
        require(claim.author_id == opening.child_id, place, "its author is another")
        quote = evidence.text(claim.quote_id, place)
        statement = evidence.text(opening.statement_id, place)
        require(bool(quote) and quote in statement, place, "its quote stands not in its opening")
        digest = evidence.salted(claim.quote_id, place)
        require(digest == claim.quote_digest, place, "its quote has another digest")
    return len(evidence.record.claims)


def every_stated_claim_is_on_record(evidence: Evidence) -> int:
    """What an accepted opening states stands on the register, in its order, and nothing beside it."""
    for opening in evidence.record.openings:
        place = f"opening of {evidence.role(opening.child_id, 'opening')}"
        answer = evidence.valid_answer(opening.request_id, place)
        stated = [
            (one.get("quote"), one.get("evidence"))
            for one in _objects(answer.get("claims"), place, "its claims")
        ]
        mine = [claim for claim in evidence.record.claims if claim.opening_id == opening.id]
        mine.sort(key=lambda claim: claim.number)
        found = [(evidence.text(c.quote_id, place), list(c.evidence)) for c in mine]
        for index, (said, kept) in enumerate(zip(stated, found, strict=False)):
            where = f"claim C{mine[index].number}"
            require(said == kept, where, "its opening states another quote or evidence")
        require(len(stated) == len(found), place, "a claim it states is not on the register")
    return len(evidence.record.claims)


def every_move_is_lawful(evidence: Evidence) -> int:
    """Contested by the other side's challenge; defended, revised or conceded by its own author only."""
    for move in evidence.record.moves:
        claim = evidence.claim(move.claim_id, "move of a claim")
        message = evidence.message(move.message_id, f"move of claim C{claim.number}")
        place = f"move of claim C{claim.number} by message M{message.number}"
        own = message.sender_id == claim.author_id
        if move.move == "contested":
            require(not own, place, "nobody contests his own claim")
            require(message.kind != "response", place, "a response contests nothing")
        else:
            require(move.move in MOVE_OF_ACTION.values(), place, "its kind is not known")
            require(own, place, "nobody but its author answers for a claim")
            require(message.kind == "response", place, "only a response answers for a claim")
        digest = evidence.salted(move.quote_id, place)
        require(digest == move.quote_digest, place, "its quote has another digest")
        quote = evidence.text(move.quote_id, place)
        text = evidence.text(message.text_id, place)
        require(bool(quote) and quote in text, place, "its quote stands not in its message")
        _check_not_over(evidence, move, place)
    return len(evidence.record.moves)


def _check_not_over(evidence: Evidence, move: MoveRow, place: str) -> None:
    """CONCEDED is final: nothing moves a claim after it."""
    seq = evidence.seq("claim_moved", move.id, place)
    for other in evidence.record.moves:
        if other.claim_id == move.claim_id and other.move == "conceded":
            last = evidence.seq("claim_moved", other.id, place)
            require(seq <= last, place, "its claim was conceded before")


def every_message_moved_what_it_says(evidence: Evidence) -> int:
    """An accepted challenge's claims are contested, a response's answered, in the words it names."""
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        answer = evidence.valid_answer(message.request_id, place)
        moves = {
            f"C{evidence.claim(move.claim_id, place).number}": (
                move.move,
                evidence.text(move.quote_id, place),
            )
            for move in evidence.record.moves
            if move.message_id == message.id
        }
        said = _moves_in(message.kind, answer, place)
        for handle in sorted(said.keys() | moves.keys()):
            where = f"move of claim {handle} by {place}"
            require(moves.get(handle) == said.get(handle), where, "the answer says something else")
    return len(evidence.record.messages)


def _moves_in(
    kind: str, answer: Mapping[str, Any], place: str
) -> Mapping[str, tuple[str | None, Any]]:
    if kind == "response":
        return {
            str(one.get("claim")): (MOVE_OF_ACTION.get(str(one.get("action"))), one.get("quote"))
            for one in _objects(answer.get("answers"), place, "its answers")
        }
    quote = answer.get("counter_quote")
    claims = sequence(answer.get("claims"), place, "its claims") if quote else ()
    return {str(handle): ("contested", quote) for handle in claims}


def every_disposition_is_what_its_synthesis_says(evidence: Evidence) -> int:
    """Main's are those of the stored response; the host's leave a claim unresolved."""
    for one in evidence.record.dispositions:
        number = evidence.claim(one.claim_id, "disposition of a claim").number
        place = f"disposition of claim C{number}"
        if one.request_id is None:
            bare = (one.disposition, one.reason_id, one.evidence) == ("unresolved", None, ())
            require(bare, place, "the host disposes of no claim but as unresolved")
        else:
            _check_disposition(evidence, one, one.request_id, f"C{number}", place)
        conceded = any(
            move.claim_id == one.claim_id and move.move == "conceded"
            for move in evidence.record.moves
        )
        lawful = conceded or one.disposition != "withdrawn"
        require(lawful, place, "nobody conceded it")
        require(one.report_version == 1, place, "it is of another version of the report")
    return len(evidence.record.dispositions)


def _check_disposition(
    evidence: Evidence, one: DispositionRow, request_id: str, handle: str, place: str
) -> None:
    request = evidence.request(request_id, place)
    require(request.purpose == "synthesis", place, "it comes from no synthesis")
    answer = evidence.valid_answer(request_id, place)
    said = [
        (item.get("disposition"), item.get("reason"), item.get("evidence"))
        for item in _objects(answer.get("dispositions"), place, "the dispositions")
        if item.get("claim") == handle
    ]
    kept = (one.disposition, evidence.text(one.reason_id, place), list(one.evidence))
    require(said == [kept], place, "its synthesis says something else")


def every_claim_is_disposed_of_once(evidence: Evidence) -> int:
    """At an ended Root each claim has exactly one disposition; a claim never vanishes."""
    if not evidence.record.reports:
        return 0
    disposed = [one.claim_id for one in evidence.record.dispositions]
    for claim in evidence.record.claims:
        place = f"claim C{claim.number}"
        require(disposed.count(claim.id) == 1, place, "it has not exactly one disposition")
    return len(evidence.record.claims)


def _objects(value: Any, place: str, what: str) -> list[Mapping[str, Any]]:
    return [mapping(item, place, what) for item in sequence(value, place, what)]
