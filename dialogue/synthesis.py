"""Main's synthesis: one disposition for each claim on record, or none at all.

Source: design.md D13: a missing or unknown claim, a withdrawal without a concession and evidence that nobody
was shown are refused; nothing is voted on, averaged or scored.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.content import keep
from bullbear.models import Child, ModelRequest
from dialogue.answers import ClaimDisposition, DispositionKind, SynthesisAnswer
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.models import Disposition
from dialogue.rules import ClaimStatus
from research.rules import AnswerClass, TurnEnd


def check_synthesis(case: DialogueCase, answer: SynthesisAnswer) -> AnswerClass:
    """Check that every claim has one disposition, and that each may stand on the record."""
    on_record = {f"C{claim.number}" for claim in case.claims}
    disposed = [one.claim for one in answer.dispositions]
    if len(disposed) != len(set(disposed)) or set(disposed) != on_record:
        return AnswerClass.UNKNOWN_CLAIM
    shown = _shown(case)
    if any(handle not in shown for one in answer.dispositions for handle in one.evidence):
        return AnswerClass.UNKNOWN_EVIDENCE
    if any(not _may_be(case, one) for one in answer.dispositions):
        return AnswerClass.UNLAWFUL_DISPOSITION
    return AnswerClass.VALID


def _shown(case: DialogueCase) -> frozenset[str]:
    """Name what stands in Main's synthesis request."""
    tools = [f"T{call.number}" for call in case.tool_calls if not call.refusal]
    sources = [f"S{n}" for n, _ in enumerate(case.configuration["sources"], start=1)]
    messages = [f"M{message.number}" for message in case.messages]
    claims = [f"C{claim.number}" for claim in case.claims]
    findings = [f"F{finding.number}" for finding in case.findings]
    return frozenset([*tools, *sources, *messages, *claims, *findings])


def _may_be(case: DialogueCase, one: ClaimDisposition) -> bool:
    """`withdrawn` needs a concession, and a conceded claim cannot stand or be revised."""
    claim = case.claim(one.claim)
    conceded = claim is not None and case.status(claim) is ClaimStatus.CONCEDED
    if one.disposition is DispositionKind.WITHDRAWN:
        return conceded
    return not conceded or one.disposition is DispositionKind.UNRESOLVED


def record_synthesis(
    case: DialogueCase, child: Child, request: ModelRequest, answer: SynthesisAnswer
) -> None:
    """Put Main's dispositions on record."""
    for one in answer.dispositions:
        case.dispositions.append(
            case.held.add(
                Disposition(
                    root=case.root,
                    claim=case.claim(one.claim),
                    request=request,
                    disposition=str(one.disposition),
                    reason=keep(case.held, one.reason),
                    evidence=list(one.evidence),
                )
            )
        )
    case.synthesis_stands = True
    receipts.append(
        case.held,
        DialogueKind.SYNTHESIS_RECORDED,
        act=str(request.pk),
        child=child,
        subjects={
            "request": str(request.pk),
            "dispositions": {one.claim: str(one.disposition) for one in answer.dispositions},
        },
    )


def give_up_synthesis(case: DialogueCase, child: Child, how: TurnEnd | None) -> None:
    """Leave every claim unresolved: the host disposes of none in another way.

    Args:
        case: the Root's facts.
        child: Main.
        how: how its turn ended; None where it was never asked.
    """
    case.synthesis_given_up = True
    for claim in case.claims:
        case.dispositions.append(
            case.held.add(
                Disposition(
                    root=case.root,
                    claim=claim,
                    disposition=DispositionKind.UNRESOLVED,
                    evidence=[],
                )
            )
        )
    receipts.append(
        case.held,
        DialogueKind.SYNTHESIS_FAILED,
        act=str(case.root.pk),
        child=child,
        subjects={"reason": str(how) if how else "not_asked"},
    )
