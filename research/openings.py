"""Accept a child's opening, or say what is wrong with it.

Source: design.md D2, D6, D12.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.content import keep, salted_digest
from bullbear.models import Child, ModelRequest
from research.answers import OpeningAnswer
from research.case import Case
from research.evidence import shown_to
from research.kinds import ResearchKind
from research.models import Opening
from research.rules import AnswerClass


def check_opening(case: Case, child: Child, answer: OpeningAnswer) -> AnswerClass:
    """Check that claims quote the statement to the letter and cite what their author was shown."""
    if any(claim.quote not in answer.statement for claim in answer.claims):
        return AnswerClass.NOT_VERBATIM
    if len({claim.quote for claim in answer.claims}) < len(answer.claims):
        return AnswerClass.NOT_VERBATIM
    shown = shown_to(case, child)
    if any(handle not in shown for claim in answer.claims for handle in claim.evidence):
        return AnswerClass.UNKNOWN_EVIDENCE
    return AnswerClass.VALID


def accept_opening(
    case: Case, child: Child, request: ModelRequest, answer: OpeningAnswer
) -> Opening:
    """Put a checked opening on record."""
    statement = keep(case.held, answer.statement)
    opening = case.held.add(
        Opening(
            root=case.root,
            child=child,
            request=request,
            statement=statement,
            statement_digest=salted_digest(statement),
            lineage=list(request.lineage),
        )
    )
    case.openings.append(opening)
    receipts.append(
        case.held,
        ResearchKind.OPENING_ACCEPTED,
        act=str(request.pk),
        child=child,
        subjects={"opening": str(opening.pk), "request": str(request.pk)},
        digests={"statement": opening.statement_digest},
    )
    return opening
