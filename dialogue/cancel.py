"""Cancel a Root: what stands is kept, and its report says so.

Source: design.md D17.
"""

from __future__ import annotations

from uuid import UUID

from bullbear.lifecycle import Cause, RootState
from bullbear.locks import hold_root
from bullbear.root_end import begin_finalizing
from bullbear.transactions import retried, transaction
from dialogue.case import load_case
from dialogue.settle import settle, wake_next


@retried
def cancel(root_id: UUID) -> bool:
    """Stop a Root's work and let Main compile what there is.

    Executions that wait are stopped now; one whose call is under way keeps its lease until it records.

    Returns:
        False where the Root is being finalised or has ended already: nothing was changed.

    Raises:
        UnknownRoot: there is none of this id.
    """
    with transaction(), hold_root(root_id) as held:
        if held.root.state != RootState.OPEN:
            return False
        begin_finalizing(held, Cause.CANCELLED)
        case = load_case(held)
        settle(case)
        wake_next(case, "cancelled")
    return True
