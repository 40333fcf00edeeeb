"""Record what a child hands to Main beside its opening.

Source: design.md D2, D6, D14.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.content import keep, salted_digest
from bullbear.identity import sending_act
from bullbear.models import Child, ModelRequest
from research.answers import ResearchAnswer
from research.case import Case
from research.evidence import shown_to
from research.kinds import FindingKind, ResearchKind
from research.models import Finding
from research.rules import AnswerClass, Purpose


def record_refused_send(
    case: Case, child: Child, request: ModelRequest, *, act: str, text: str, reason: str
) -> Finding:
    """Keep the text of a refused send as a finding that only Main will see."""
    kind = FindingKind.REFUSED_SEND
    return _record(case, child, request, act=act, text=text, kind=kind, reason=reason)


def record_private_research(
    case: Case, child: Child, request: ModelRequest, answer: ResearchAnswer
) -> Finding:
    """Keep what a child found in its own material as a finding that only Main will see."""
    act, kind = sending_act(request.pk, 0), FindingKind.PRIVATE_RESEARCH
    return _record(case, child, request, act=act, text=answer.finding, kind=kind, reason="")


def check_private_research(case: Case, child: Child, answer: ResearchAnswer) -> AnswerClass:
    """Check that private research cites what its author was shown for it."""
    shown = shown_to(case, child, Purpose.RESEARCH)
    known = all(handle in shown for handle in answer.evidence)
    return AnswerClass.VALID if known else AnswerClass.UNKNOWN_EVIDENCE


def _record(
    case: Case,
    child: Child,
    request: ModelRequest,
    *,
    act: str,
    text: str,
    kind: FindingKind,
    reason: str,
) -> Finding:
    number = len(case.findings) + 1
    kept = keep(case.held, text)
    finding = case.held.add(
        Finding(
            root=case.root,
            child=child,
            request=request,
            act=act,
            number=number,
            kind=kind,
            reason=reason,
            text=kept,
            text_digest=salted_digest(kept),
            lineage=list(request.lineage),
        )
    )
    case.findings.append(finding)
    receipts.append(
        case.held,
        ResearchKind.FINDING_RECORDED,
        act=act,
        child=child,
        subjects={
            "finding": str(finding.pk),
            "handle": f"F{number}",
            "kind": str(kind),
            "reason": reason,
        },
        digests={"text": finding.text_digest},
    )
    return finding
