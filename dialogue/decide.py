"""Record an operator's decision about a held half-round.

Source: design.md D10, D15.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User

from bullbear import receipts
from bullbear.lifecycle import ChildState
from bullbear.locks import hold_root
from bullbear.models import ModelRequest
from bullbear.parking import wake
from bullbear.transactions import retried, transaction
from dialogue.case import load_case
from dialogue.held import held_request
from dialogue.kinds import DialogueKind
from dialogue.models import Decision
from dialogue.rules import DecisionKind


class NothingHeld(Exception):
    """No half-round of this Root waits for a decision: it was decided, it ended, or it never had to."""


@retried
def decide(root_id: UUID, kind: DecisionKind, *, decided_by: User) -> ModelRequest:
    """Decide what follows the unknown outcome that holds a Root's dialogue.

    Returns:
        The request that was decided about.

    Raises:
        UnknownRoot: there is none of this id.
        NothingHeld: no decision is waited for; nothing was written.
    """
    with transaction(), hold_root(root_id) as held:
        case = load_case(held)
        request = held_request(case)
        if request is None:
            raise NothingHeld("no half-round of this research waits for a decision")
        decision = held.add(
            Decision(
                root=held.root,
                request=request,
                kind=kind,
                decided_by=decided_by,
                decided_at=held.now,
            )
        )
        receipts.append(
            held,
            DialogueKind.DECISION_RECORDED,
            act=str(decision.pk),
            child=request.child,
            subjects={
                "decision": str(decision.pk),
                "request": str(request.pk),
                "kind": str(kind),
                "decided_by": decided_by.pk,
            },
        )
        for child in case.children:
            if child.state == ChildState.PARKED:
                wake(held, child, "decision")
    return request
