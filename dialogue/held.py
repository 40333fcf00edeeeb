"""What follows an unknown outcome: the Root's frozen policy, or the operator's decision where it holds.

Source: design.md D10, the table of purposes.
"""

from __future__ import annotations

from bullbear.lifecycle import RequestState, Role
from bullbear.models import Child, ModelRequest
from dialogue.case import DialogueCase, view_of
from dialogue.rules import DecisionKind, Slot, duty
from research.asking import UnknownPolicy
from research.rules import AFTER_UNKNOWN, AfterUnknown, Hold, Progress, progress

_OF_POLICY = {
    UnknownPolicy.END: AfterUnknown.GIVE_UP,
    UnknownPolicy.HOLD: AfterUnknown.HOLD,
    UnknownPolicy.REASK: AfterUnknown.REPEAT,
}
_OF_DECISION = {
    DecisionKind.REASK: AfterUnknown.REPEAT,
    DecisionKind.ABANDON: AfterUnknown.GIVE_UP,
}


def progress_of(case: DialogueCase, child: Child, slot: Slot) -> Progress:
    """Say what a turn needs next, the Root's policy and decisions included."""
    return progress(
        slot.purpose,
        case.asked(child, slot.turn),
        now=case.now,
        retry_at=case.retry_at(child),
        after_unknown=_after_unknown(case, child, slot),
    )


def _after_unknown(case: DialogueCase, child: Child, slot: Slot) -> AfterUnknown:
    if not slot.round:
        return AFTER_UNKNOWN.get(slot.purpose, AfterUnknown.GIVE_UP)
    policy = UnknownPolicy(case.configuration["unknown_policy"])
    last = _last(case, child, slot)
    decision = next((one for one in case.decisions if last and one.request_id == last.pk), None)
    if policy is UnknownPolicy.HOLD and decision is not None:
        return _OF_DECISION[DecisionKind(decision.kind)]
    return _OF_POLICY[policy]


def _last(case: DialogueCase, child: Child, slot: Slot) -> ModelRequest | None:
    turn = case.turn(child, slot.turn)
    return turn[-1] if turn else None


def held_request(case: DialogueCase) -> ModelRequest | None:
    """Return the request about which an operator must decide, if there is one."""
    for child in case.children:
        slot = duty(view_of(case), Role(child.role))
        if not isinstance(slot, Slot) or not slot.round:
            continue
        last = _last(case, child, slot)
        if last is None or last.state != RequestState.OUTCOME_UNKNOWN:
            continue
        if isinstance(progress_of(case, child, slot), Hold):
            return last
    return None
