"""Create an execution with its issued authorization.

Source: design.md D2, D14, D15.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from bullbear import receipts
from bullbear.ids import new_id
from bullbear.lifecycle import ChildState, Role
from bullbear.locks import Held
from bullbear.models import Child
from bullbear.receipts import RuntimeKind
from research.authority import authorization_digest, issue


def create_child(
    held: Held,
    role: Role,
    *,
    sources: Iterable[str],
    tools: Iterable[str],
    researches: bool = False,
    state: ChildState = ChildState.PARKED,
) -> Child:
    """Add an execution to the held Root; it waits until something wakes it, unless made READY."""
    child_id = new_id()
    authorization = issue(
        root_id=held.root.pk,
        role=role,
        sources=[UUID(one) for one in sources],
        tools=tools,
        researches=researches,
    )
    child = held.add(
        Child(
            id=child_id,
            root=held.root,
            role=role,
            authorization=authorization,
            authorization_digest=authorization_digest(authorization),
            created_at=held.now,
            state=state,
        )
    )
    receipts.append(
        held,
        RuntimeKind.CHILD_CREATED,
        act=str(child_id),
        child=child,
        subjects={"role": str(role)},
        digests={"authorization": child.authorization_digest},
    )
    return child
