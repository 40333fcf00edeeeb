"""Wake and park executions without losing a wake.

Note [Lost wake-up]: a wake is the receipt `child_woken` and `wakes + 1` on the waiter, in the transaction of
the fact that causes it.  Parking names the count it has seen and refuses to wait if it moved.  Both happen
under the Root lock; without a common lock, or with check and park in one statement, wakes are lost.

Source: design.md D7.
"""

from __future__ import annotations

from bullbear import outbox, receipts
from bullbear.lifecycle import CHILD_TRANSITIONS, ENDED_CHILD, ChildState, moved
from bullbear.locks import Held
from bullbear.models import Child
from bullbear.receipts import RuntimeKind

NO_LEASE = {"worker": None, "lease_token": None, "hard_end_at": None}


def wake(held: Held, child: Child, cause: str) -> None:
    """Record that `child` must look again, because of `cause`; an ended one is left alone."""
    if child.state in ENDED_CHILD:
        return
    held.change(child, wakes=child.wakes + 1)
    receipts.append(
        held,
        RuntimeKind.CHILD_WOKEN,
        act=f"{child.pk}:{child.wakes}",
        child=child,
        subjects={"cause": cause, "wakes": child.wakes},
    )
    if child.state == ChildState.PARKED:
        ready(held, child, cause)


def ready(held: Held, child: Child, cause: str) -> None:
    """Make `child` READY, free of any lease, and owe its step."""
    state = moved(CHILD_TRANSITIONS, ChildState(child.state), ChildState.READY)
    held.change(child, state=state, **NO_LEASE)
    outbox.enqueue(held, child, cause)


def park(held: Held, child: Child, *, seen: int) -> bool:
    """Let `child` wait without a worker, a permit or a connection.

    Args:
        held: the locked Root.
        child: the execution.
        seen: the count of wakes its decision to wait rests on.

    Returns:
        False where it was woken since: it is READY again and does not wait.
    """
    if child.wakes != seen:
        if child.state != ChildState.READY:
            ready(held, child, "woken_meanwhile")
        return False
    state = moved(CHILD_TRANSITIONS, ChildState(child.state), ChildState.PARKED)
    held.change(child, state=state, **NO_LEASE)
    receipts.append(
        held,
        RuntimeKind.CHILD_PARKED,
        act=f"{child.pk}:{held.root.receipts_seq + 1}",
        child=child,
        subjects={"wakes": child.wakes},
    )
    return True


def end(held: Held, child: Child, state: ChildState, reason: str) -> None:
    """End an execution for good: a step that was owed to it is not any more."""
    if child.state == ChildState.READY:
        outbox.settle(child)
    held.change(
        child,
        state=moved(CHILD_TRANSITIONS, ChildState(child.state), state),
        end_reason=reason,
        **NO_LEASE,
    )
    receipts.append(
        held,
        RuntimeKind.CHILD_ENDED,
        act=str(child.pk),
        child=child,
        subjects={"state": str(state), "reason": reason},
    )
