"""Record what a child hands to Main beside its opening.

Source: design.md D2, D6.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.content import keep, salted_digest
from bullbear.models import Child, ModelRequest
from research.case import Case
from research.kinds import ResearchKind
from research.models import Finding

REFUSED_SEND = "refused_send"


def record_refused_send(
    case: Case, child: Child, request: ModelRequest, *, act: str, text: str, reason: str
) -> Finding:
    """Keep the text of a refused send as a finding that only Main will see."""
    number = len(case.findings) + 1
    kept = keep(case.held, text)
    finding = case.held.add(
        Finding(
            root=case.root,
            child=child,
            request=request,
            act=act,
            number=number,
            kind=REFUSED_SEND,
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
            "kind": REFUSED_SEND,
            "reason": reason,
        },
        digests={"text": finding.text_digest},
    )
    return finding
