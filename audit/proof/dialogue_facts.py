"""Which receipt each row of the dialogue must have.

Source: design.md D6, D9, D10, D12, D13.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.proof.delivery import delivering_request
from audit.proof.evidence import Evidence
from audit.proof.runtime_facts import Expected
from audit.proof.vocabulary import VALID


def of_the_pair(evidence: Evidence) -> Iterator[Expected]:
    """A pair was offered, frozen and ended, or none was formed."""
    for offer in evidence.record.offers:
        opening = next((o for o in evidence.record.openings if o.child_id == offer.child_id), None)
        yield Expected(
            "offer of the pair",
            "pair_offered",
            offer.child_id,
            offer.child_id,
            subjects={"offer": offer.id, "opening": opening.id if opening else ""},
        )
    pair, root = evidence.pair, evidence.root
    if pair is None:
        if root.end_reason:
            yield Expected("Root", "no_pair", root.id, subjects={"reason": root.end_reason})
        return
    yield Expected(
        "pair",
        "pair_frozen",
        pair.id,
        subjects={
            "pair": pair.id,
            "bull": pair.bull_id,
            "bear": pair.bear_id,
            "max_rounds": pair.max_rounds,
            "opening_order": pair.opening_order,
        },
        digests={
            "bull_authorization": pair.bull_authorization_digest,
            "bear_authorization": pair.bear_authorization_digest,
        },
        at=pair.frozen_at,
    )
    if pair.end_reason:
        rounds = max((half.round for half in evidence.record.half_rounds), default=0)
        yield Expected(
            "pair",
            "pair_ended",
            pair.id,
            subjects={"pair": pair.id, "reason": pair.end_reason, "rounds": rounds},
        )


def of_the_half_rounds(evidence: Evidence) -> Iterator[Expected]:
    """Each slot was spent with its first seal, and what came of it recorded."""
    for half in evidence.record.half_rounds:
        place = f"half-round {half.round} {half.kind}"
        act = f"{half.pair_id}:{half.round}:{half.kind}"
        yield Expected(
            place,
            "half_round_spent",
            act,
            half.child_id,
            subjects={
                "half_round": half.id,
                "round": half.round,
                "kind": half.kind,
                "request": half.first_request_id,
            },
        )
        if half.outcome != "spent":
            yield Expected(
                place,
                "half_round_ended",
                act,
                half.child_id,
                subjects={"half_round": half.id, "outcome": half.outcome},
            )


def of_the_messages(evidence: Evidence) -> Iterator[Expected]:
    """Each message was accepted, and delivered exactly where an answered request holds it."""
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        yield Expected(
            place,
            "message_accepted",
            message.act,
            message.sender_id,
            subjects={
                "message": message.id,
                "handle": f"M{message.number}",
                "pair": message.pair_id,
                "half_round": message.half_round_id,
                "round": evidence.half_round(message.half_round_id, place).round,
                "kind": message.kind,
                "request": message.request_id,
                "reply_to": message.reply_to_id or "",
                "recipient": message.recipient_id,
            },
            digests={"text": message.text_digest},
            at=message.accepted_at,
        )
        request = delivering_request(evidence, message)
        if request is not None:
            yield Expected(
                place,
                "message_delivered",
                message.id,
                message.recipient_id,
                subjects={"message": message.id, "request": request.id},
            )


def of_the_register(evidence: Evidence) -> Iterator[Expected]:
    """Each claim was recorded, and each of its moves."""
    for claim in evidence.record.claims:
        yield Expected(
            f"claim C{claim.number}",
            "claim_recorded",
            claim.id,
            claim.author_id,
            subjects={
                "claim": claim.id,
                "handle": f"C{claim.number}",
                "author": claim.author_id,
                "source": claim.opening_id or claim.message_id or "",
            },
            digests={"quote": claim.quote_digest},
        )
    for move in evidence.record.moves:
        place = "move of a claim"
        handle = f"C{evidence.claim(move.claim_id, place).number}"
        message = evidence.message(move.message_id, place)
        yield Expected(
            f"move of claim {handle} by message M{message.number}",
            "claim_moved",
            move.id,
            message.sender_id,
            subjects={
                "claim": move.claim_id,
                "handle": handle,
                "move": move.move,
                "message": move.message_id,
            },
            digests={"quote": move.quote_digest},
        )


def of_the_synthesis(evidence: Evidence) -> Iterator[Expected]:
    """Main's dispositions, if it made any, stand in one receipt."""
    for request in evidence.record.requests:
        if (request.purpose, request.outcome_class) != ("synthesis", VALID):
            continue
        mine = [one for one in evidence.record.dispositions if one.request_id == request.id]
        yield Expected(
            "synthesis",
            "synthesis_recorded",
            request.id,
            request.child_id,
            subjects={
                "request": request.id,
                "dispositions": {
                    f"C{evidence.claim(one.claim_id, 'disposition').number}": one.disposition
                    for one in mine
                },
            },
        )


def of_the_decisions(evidence: Evidence) -> Iterator[Expected]:
    """Each decision of an operator stands in the chain."""
    for decision in evidence.record.decisions:
        request = evidence.request(decision.request_id, f"decision {decision.kind}")
        yield Expected(
            f"decision {decision.kind}",
            "decision_recorded",
            decision.id,
            request.child_id,
            subjects={
                "decision": decision.id,
                "request": decision.request_id,
                "kind": decision.kind,
                "decided_by": decision.decided_by_id,
            },
            at=decision.decided_at,
        )


def of_the_end(evidence: Evidence) -> Iterator[Expected]:
    """Gaps were disclosed and a report compiled."""
    for gap in evidence.record.gaps:
        yield Expected(
            f"gap {gap.code}",
            "gap_recorded",
            gap.id,
            gap.child_id or "",
            subjects={"code": gap.code, "subject": gap.subject},
            at=gap.recorded_at,
        )
    for report in evidence.record.reports:
        yield Expected(
            f"report {report.version}",
            "report_compiled",
            report.id,
            subjects={"report": report.id, "version": report.version},
            digests={"document": report.document_sha256},
            at=report.compiled_at,
        )
