"""Begin to finalise a Root, and end it.

Source: design.md D5, D17.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.lifecycle import ROOT_TRANSITIONS, Cause, ResultType, RootState, moved
from bullbear.locks import Held
from bullbear.receipts import RuntimeKind


def begin_finalizing(held: Held, cause: Cause) -> None:
    """Let only synthesis and report follow; the first cause stays."""
    root = held.root
    root.state = moved(ROOT_TRANSITIONS, RootState(root.state), RootState.FINALIZING)
    root.cause = cause
    receipts.append(
        held, RuntimeKind.ROOT_FINALIZING, act=str(root.pk), subjects={"cause": str(cause)}
    )


def end_root(held: Held, state: RootState, result: ResultType, *, document_sha256: str) -> None:
    """End a Root for good; its research chain closes with this receipt."""
    root = held.root
    root.state = moved(ROOT_TRANSITIONS, RootState(root.state), state)
    root.result = result
    receipts.append(
        held,
        RuntimeKind.ROOT_ENDED,
        act=str(root.pk),
        subjects={
            "state": str(state),
            "result": str(result),
            "cause": root.cause,
            "end_reason": root.end_reason,
            "model_calls_spent": root.model_calls_spent,
            "tokens_spent": root.tokens_spent,
            "tool_calls_spent": root.tool_calls_spent,
        },
        digests={"report": document_sha256},
    )
