"""What was claimed: the openings and the register.

Source: design.md D12, D13.
"""

from __future__ import annotations

from uuid import UUID

from bullbear.identity import JsonValue
from dialogue.models import Claim
from dialogue.report.material import Material, Section
from dialogue.report.sections.evidence import cited
from dialogue.report.sentences import MOVES, STATUSES
from dialogue.rules import MoveKind
from research.answers import OpeningAnswer
from research.models import Opening


def openings(material: Material) -> list[JsonValue]:
    """Every accepted opening, verbatim, with what its author says it does not show."""
    return [_opening(material, one) for one in material.case.openings]


def _opening(material: Material, opening: Opening) -> Section:
    answer = material.answer(opening.request_id, OpeningAnswer)
    return {
        "by": str(material.role(opening.child_id)),
        "opening": str(opening.pk),
        "request": str(opening.request_id),
        "statement": material.quoted(material.text(opening.statement_id)),
        "unknown": [material.quoted(line) for line in answer.unknown] if answer else [],
        "would_change": [material.quoted(line) for line in answer.would_change] if answer else [],
        "stood_in": _stood_in(material, opening),
    }


def _stood_in(material: Material, opening: Opening) -> list[JsonValue]:
    """The requests of others in which the opening's text stands, with what became of each."""
    where = set(material.exposed.get(opening.pk, ()))
    return [
        {
            "by": str(material.role(request.child_id)),
            "request": str(request.pk),
            "state": request.state,
        }
        for request in material.case.requests
        if request.pk in where and request.child_id != opening.child_id
    ]


def claims(material: Material) -> list[JsonValue]:
    """Every claim on the register, quoted verbatim, with all that moved it."""
    return [_claim(material, claim) for claim in material.case.claims]


def _claim(material: Material, claim: Claim) -> Section:
    case = material.case
    status = case.status(claim)
    origin, request_id = _origin(material, claim)
    return {
        "handle": f"C{claim.number}",
        "claim": str(claim.pk),
        "by": str(material.role(claim.author_id)),
        "status": str(status),
        "status_means": STATUSES[status],
        "quote": material.quoted(material.text(claim.quote_id)),
        "origin": origin,
        "evidence": cited(material, case.child(claim.author_id), claim.evidence, until=request_id),
        "moves": _moves(material, claim),
    }


def _origin(material: Material, claim: Claim) -> tuple[Section, UUID]:
    """Name the text a claim is quoted from, and the request whose answer that text is."""
    case = material.case
    for opening in case.openings:
        if opening.pk == claim.opening_id:
            return {"kind": "opening", "record": str(opening.pk), "handle": ""}, opening.request_id
    message = next(one for one in case.messages if one.pk == claim.message_id)
    handle = f"M{message.number}"
    return {"kind": "message", "record": str(message.pk), "handle": handle}, message.request_id


def _moves(material: Material, claim: Claim) -> list[JsonValue]:
    handles = {one.pk: f"M{one.number}" for one in material.case.messages}
    return [
        {
            "move": move.move,
            "means": MOVES[MoveKind(move.move)],
            "message": handles[move.message_id],
            "quote": material.quoted(material.text(move.quote_id)),
        }
        for move in material.case.moves
        if move.claim_id == claim.pk
    ]
