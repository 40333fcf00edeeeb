"""What the host does by itself once a fact is recorded: pair, end, finish, wake.

Source: design.md D7 (the table), D9, D10, D17.
"""

from __future__ import annotations

from bullbear.lifecycle import ENDED_CHILD, Cause, ChildState, Role, RootState
from bullbear.models import Child
from bullbear.parking import end, wake
from bullbear.root_end import begin_finalizing
from dialogue.case import DialogueCase, view_of
from dialogue.ending import end_pair
from dialogue.held import progress_of
from dialogue.pair_rules import may_freeze, pair_end, peer_is_through, why_no_pair
from dialogue.pairing import give_up_pair, join_pair, offer_pair
from dialogue.rules import PEERS, EndReason, Slot, View, duty, next_actor
from research.answers import Pattern
from research.rules import Hold, Wait


def settle(case: DialogueCase, me: Child | None = None) -> None:
    """Do every act that follows from the record without a model, until none is left.

    Args:
        case: the Root's facts.
        me: the execution whose step this is: it may be finished here although it is RUNNING.
    """
    while _one_act(case, view_of(case)):
        pass
    view = view_of(case)
    for child in case.children:
        if Role(child.role) in PEERS and peer_is_through(view, Role(child.role)):
            _finish(case, child, me)


def _one_act(case: DialogueCase, view: View) -> bool:
    """Stop in time, offer, join, give up or end; say whether anything was done."""
    if case.root.state == RootState.OPEN and case.now >= case.root.peers_stop_at:
        begin_finalizing(case.held, Cause.DEADLINE)
        return True
    if _may_offer(case):
        offer_pair(case, case.openings[0])
        return True
    if may_freeze(view):
        join_pair(case)
        return True
    reason = why_no_pair(view)
    if reason is not None:
        give_up_pair(case, reason)
        return True
    ended = pair_end(view)
    if ended is not None:
        end_pair(case, ended)
        return True
    return False


def _may_offer(case: DialogueCase) -> bool:
    return (
        case.plan is not None
        and case.plan.pattern == Pattern.DIALOGUE
        and case.offer is None
        and case.pair is None
        and len(case.openings) == 1
        and not case.root.end_reason
    )


def _finish(case: DialogueCase, child: Child, me: Child | None) -> None:
    """Finish an execution without a call; a RUNNING one keeps its lease until its own record."""
    if child.state == ChildState.RUNNING and child is not me:
        return
    cancelled = case.root.cause == Cause.CANCELLED
    if child.state == ChildState.RUNNING or child.state in {ChildState.READY, ChildState.PARKED}:
        state = ChildState.STOPPED if cancelled else ChildState.FINISHED
        end(case.held, child, state, str(case.root.cause) if cancelled else "")


def wake_next(case: DialogueCase, cause: str, *, but: Child | None = None) -> None:
    """Wake every parked execution that has something to do now, in the order of their creation."""
    due = next_actor(view_of(case))
    for child in case.children:
        if child.role not in due or child is but or child.state != ChildState.PARKED:
            continue
        if not waits(case, child):
            wake(case.held, child, cause)


def waits(case: DialogueCase, child: Child) -> bool:
    """Whether an execution's next request is only due when a timer fires, or an operator decides."""
    slot = duty(view_of(case), Role(child.role))
    return isinstance(slot, Slot) and isinstance(progress_of(case, child, slot), Wait | Hold)


def end_mutual_wait(case: DialogueCase) -> bool:
    """End a dialogue in which everybody waits for nothing: never a silent hour.

    Source: design.md D7; scenario B18.
    """
    live = [child for child in case.children if child.state not in ENDED_CHILD]
    if any(child.state != ChildState.PARKED for child in live):
        return False
    if any(waits(case, child) for child in live):
        return False
    if case.pair is not None and not case.pair.end_reason:
        end_pair(case, EndReason.MUTUAL_WAIT)
    elif not case.root.end_reason and case.pair is None:
        give_up_pair(case, EndReason.MUTUAL_WAIT)
    else:
        return False
    return True
