"""The claim register: what is on record, and what moves it.

The host records claims of an opening's structure at its acceptance, and moves from structured fields of
accepted messages: CONTESTED by the other side's counter-quote, CONCEDED only by the claim's own author.

Source: design.md D12.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bullbear import receipts
from bullbear.bodies import Piece
from bullbear.content import held_contents, keep, salted_digest
from bullbear.models import Child
from dialogue.answers import Action, BearAnswer, BearKind, BullAnswer
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.models import Claim, ClaimMove, PeerMessage
from dialogue.rules import ClaimStatus, MoveKind
from research.answers import OpeningAnswer
from research.authority import may_see
from research.blocks import UNTRUSTED, fenced
from research.compose import Block
from research.kinds import PartKind
from research.models import Opening
from research.rules import AnswerClass

_MOVE_OF = {
    Action.DEFEND: MoveKind.DEFENDED,
    Action.REVISE: MoveKind.REVISED,
    Action.CONCEDE: MoveKind.CONCEDED,
}


def record_stated_claims(
    case: DialogueCase, child: Child, opening: Opening, answer: OpeningAnswer
) -> None:
    """Put the claims that an accepted opening states on the register."""
    for stated in answer.claims:
        quote = keep(case.held, stated.quote)
        claim = case.held.add(
            Claim(
                root=case.root,
                author=child,
                opening=opening,
                number=len(case.claims) + 1,
                quote=quote,
                quote_digest=salted_digest(quote),
                evidence=list(stated.evidence),
                lineage=list(opening.lineage),
            )
        )
        case.claims.append(claim)
        receipts.append(
            case.held,
            DialogueKind.CLAIM_RECORDED,
            act=str(claim.pk),
            child=child,
            subjects={
                "claim": str(claim.pk),
                "handle": f"C{claim.number}",
                "author": str(child.pk),
                "source": str(opening.pk),
            },
            digests={"quote": claim.quote_digest},
        )


def check_challenged(case: DialogueCase, sender: Child, handles: Iterable[str]) -> AnswerClass:
    """Check that a challenge is about claims of the other side that are on record and not conceded."""
    for handle in handles:
        claim = case.claim(handle)
        if claim is None or claim.author_id == sender.pk:
            return AnswerClass.UNKNOWN_CLAIM
        if case.status(claim) is ClaimStatus.CONCEDED:
            return AnswerClass.UNKNOWN_CLAIM
    return AnswerClass.VALID


def check_answered(
    case: DialogueCase, sender: Child, challenged: Collection[str], answer: BullAnswer
) -> AnswerClass:
    """Check that a response answers claims of its own side that this round challenged, each once."""
    handles = [one.claim for one in answer.answers]
    if len(set(handles)) < len(handles) or not set(handles) <= set(challenged):
        return AnswerClass.UNKNOWN_CLAIM
    own = all(claim and claim.author_id == sender.pk for claim in map(case.claim, handles))
    return AnswerClass.VALID if own else AnswerClass.UNKNOWN_CLAIM


def move_by_challenge(case: DialogueCase, message: PeerMessage, answer: BearAnswer) -> None:
    """Record what an accepted challenge contests; a proposition without counter-quote moves nothing."""
    if answer.kind is BearKind.CHALLENGE or answer.counter_quote:
        for handle in dict.fromkeys(answer.claims):
            _move(case, message, handle, MoveKind.CONTESTED, answer.counter_quote)


def move_by_response(case: DialogueCase, message: PeerMessage, answer: BullAnswer) -> None:
    """Record what an accepted response does to each claim it answers."""
    for one in answer.answers:
        _move(case, message, one.claim, _MOVE_OF[one.action], one.quote)


def _move(
    case: DialogueCase, message: PeerMessage, handle: str, kind: MoveKind, words: str
) -> None:
    claim = case.claim(handle)
    if claim is None:
        raise LookupError(f"{handle} was checked and is not on record")
    quote = keep(case.held, words)
    move = case.held.add(
        ClaimMove(
            claim=claim,
            message=message,
            move=kind,
            quote=quote,
            quote_digest=salted_digest(quote),
        )
    )
    case.moves.append(move)
    receipts.append(
        case.held,
        DialogueKind.CLAIM_MOVED,
        act=str(move.pk),
        child=message.sender,
        subjects={
            "claim": str(claim.pk),
            "handle": handle,
            "move": str(kind),
            "message": str(message.pk),
        },
        digests={"quote": move.quote_digest},
    )


def claim_blocks(case: DialogueCase, child: Child, nonce: str) -> list[Block]:
    """The register as an execution may see it: id, author's side, status and verbatim quote."""
    visible = [one for one in case.claims if may_see(child.authorization, one.lineage)]
    texts = held_contents(case.held, [claim.quote_id for claim in visible])
    blocks = []
    for claim in visible:
        label = (
            f"claim C{claim.number}",
            str(case.role_of(claim.author_id)),
            str(case.status(claim)),
            UNTRUSTED,
        )
        text = texts[claim.quote_id].decode()
        piece = Piece(text, PartKind.CLAIM_QUOTE, str(claim.pk), frozenset(claim.lineage))
        blocks.append(fenced(nonce, label, piece))
    return blocks
