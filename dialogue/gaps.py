"""Disclose one missing thing: the host writes gaps, no model can leave one out.

Source: design.md D2, D13.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.models import Child
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind, GapCode
from dialogue.models import Gap


def record_gap(
    case: DialogueCase, code: GapCode, subject: str = "", *, child: Child | None = None
) -> None:
    """Disclose one gap, once."""
    if any(gap.code == code and gap.subject == subject for gap in case.gaps):
        return
    gap = case.held.add(
        Gap(root=case.root, child=child, code=str(code), subject=subject, recorded_at=case.now)
    )
    case.gaps.append(gap)
    receipts.append(
        case.held,
        DialogueKind.GAP_RECORDED,
        act=str(gap.pk),
        child=child,
        subjects={"code": str(code), "subject": subject},
    )
