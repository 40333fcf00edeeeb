"""What a Root's end is worth.

Source: design.md D13.
"""

from __future__ import annotations

from bullbear.lifecycle import Cause, ResultType
from dialogue.rules import PARTIAL_REASONS, EndReason

_REASON_OF_CAUSE = {
    Cause.CANCELLED: EndReason.CANCELLED,
    Cause.DEADLINE: EndReason.DEADLINE,
    Cause.BUDGET: EndReason.BUDGET,
}


def result_type(
    end_reason: EndReason | None, *, synthesis_valid: bool, failed_execution: bool
) -> ResultType:
    """Say whether a result is complete.

    Args:
        end_reason: why the dialogue ended or none was formed; None where none was planned.
        synthesis_valid: whether Main's synthesis disposed of every claim.
        failed_execution: whether any execution could not do its part.
    """
    if not synthesis_valid or failed_execution or end_reason in PARTIAL_REASONS:
        return ResultType.PARTIAL
    return ResultType.COMPLETE


def reason_of(stored: EndReason | None, cause: Cause) -> EndReason | None:
    """Return the stored end reason, or, where none is, the one for which the Root is being finalised."""
    return stored or _REASON_OF_CAUSE.get(cause)
