"""The claim register, Main's words about it, and why it ended.

Source: design.md D10, D12, D13.
"""

from __future__ import annotations

from audit.sentences import CAUSES, ROOT_STATES, words
from audit.transcript import page
from audit.transcript.exchange import moves
from audit.transcript.facts import Facts
from audit.transcript.texts import Texts
from dialogue.answers import SynthesisAnswer
from dialogue.models import Claim
from dialogue.report.sentences import DISPOSITIONS, RESULT_SENTENCES, STATUSES, end_sentence
from dialogue.rules import ClaimStatus, EndReason, MoveKind
from research.answers import Pattern


def claims(facts: Facts, texts: Texts) -> list[page.Claim]:
    """Return the claims in the order of their handles."""
    return [_claim(facts, texts, one) for one in facts.claims]


def _claim(facts: Facts, texts: Texts, claim: Claim) -> page.Claim:
    own = [one for one in facts.moves if one.claim_id == claim.pk]
    status = _status({one.move for one in own})
    of_claim = [one for one in facts.dispositions if one.claim_id == claim.pk]
    last = max(of_claim, key=lambda one: one.report_version, default=None)
    origin = next((f"M{m.number}" for m in facts.messages if m.pk == claim.message_id), "opening")
    asked = facts.requests[last.request_id] if last and last.request_id else None
    return page.Claim(
        handle=f"C{claim.number}",
        author=facts.role(claim.author_id),
        origin=origin,
        quote=texts.show(claim.quote_id, claim.lineage),
        evidence=claim.evidence,
        status=status,
        status_meaning=words(STATUSES, status),
        moves=moves(facts, texts, own),
        disposition=last.disposition if last else "",
        disposition_meaning=words(DISPOSITIONS, last.disposition) if last else "",
        reason=(
            texts.prose(texts.read(last.reason_id), asked.lineage)
            if last and asked and last.reason_id
            else None
        ),
        reason_evidence=last.evidence if last else [],
    )


def _status(moved: set[str]) -> ClaimStatus:
    if MoveKind.CONCEDED in moved:
        return ClaimStatus.CONCEDED
    return ClaimStatus.CONTESTED if MoveKind.CONTESTED in moved else ClaimStatus.OPEN


def synthesis(facts: Facts, texts: Texts) -> page.Synthesis | None:
    """Return Main's words about the whole, where there is a valid synthesis."""
    asked = next((one.request_id for one in facts.dispositions if one.request_id), None)
    request = facts.requests[asked] if asked else None
    answer = texts.answer(request, SynthesisAnswer) if request else None
    if request is None or answer is None:
        return None
    return page.Synthesis(
        request=request.pk,
        summary=texts.prose(answer.summary, request.lineage),
        open_questions=[texts.prose(one, request.lineage) for one in answer.open_questions],
        would_change=[texts.prose(one, request.lineage) for one in answer.would_change],
    )


def end(facts: Facts) -> page.End:
    """Say why and how the Root ended, or that it has not."""
    root = facts.root
    reason = facts.pair.end_reason if facts.pair else root.end_reason
    return page.End(
        state=root.state,
        state_meaning=words(ROOT_STATES, root.state),
        cause=words(CAUSES, root.cause),
        result=root.result,
        result_meaning=words(RESULT_SENTENCES, root.result),
        reason=reason,
        reason_meaning=_why(facts, reason),
    )


def _why(facts: Facts, reason: str) -> str:
    planned = facts.plan is not None and facts.plan.pattern == Pattern.DIALOGUE
    if planned and not reason:
        return "The exchange has not ended."
    return end_sentence(
        EndReason(reason) if reason else None, planned=planned, formed=facts.pair is not None
    )
