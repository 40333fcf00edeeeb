"""Seal a model request: from this commit on its outcome may be unknown.

Source: design.md D4, D7 (begin), D17.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from bullbear import receipts
from bullbear.bodies import Body
from bullbear.budget import Amounts
from bullbear.content import held_contents, keep
from bullbear.identity import Act
from bullbear.ids import new_id
from bullbear.lifecycle import CHILD_TRANSITIONS, ChildState, moved
from bullbear.locks import Held
from bullbear.models import Child, ModelRequest, RequestPart, Worker
from bullbear.options import HARD_END_SLACK_SECONDS
from bullbear.receipts import RuntimeKind
from bullbear.wire.call import HEADER_NAMES, Endpoint


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a request sets aside.

    Units: tokens, tool calls; one model call goes without saying.
    """

    tokens: int
    tool_calls: int
    hand_back: bool

    @property
    def amounts(self) -> Amounts:
        """The reservation as budget amounts."""
        return Amounts(model_calls=1, tokens=self.tokens, tool_calls=self.tool_calls)


def lease(
    held: Held, child: Child, worker: Worker, *, token: UUID, timeout_seconds: float
) -> None:
    """Give `worker` the lease of `child`, by this token, until the hard end. See Note [Leases]."""
    state = ChildState(child.state)
    if state is not ChildState.RUNNING:
        state = moved(CHILD_TRANSITIONS, state, ChildState.RUNNING)
    held.change(
        child,
        state=state,
        worker=worker,
        lease_token=token,
        hard_end_at=held.now + timedelta(seconds=timeout_seconds + HARD_END_SLACK_SECONDS),
    )


def seal(
    held: Held,
    child: Child,
    *,
    act: Act,
    purpose: str,
    body: Body,
    endpoint: Endpoint,
    model: str,
    reservation: Reservation,
) -> ModelRequest:
    """Store the exact bytes of a request with what stands where in them, and reserve its budget.

    Raises:
        ValueError: the budget has no room; ask `Account.can_reserve` first.
    """
    root = held.root
    root.account = root.account.reserve(reservation.amounts, hand_back=reservation.hand_back)
    request = held.add(
        ModelRequest(
            root=root,
            child=child,
            act=str(act),
            purpose=purpose,
            turn=act.turn,
            attempt=act.attempt,
            n=act.n,
            body=keep(held, body.raw),
            body_sha256=body.sha256,
            scheme=endpoint.scheme,
            host=endpoint.host,
            port=endpoint.port,
            path=endpoint.path,
            header_names=list(HEADER_NAMES),
            lineage=sorted(body.lineage),
            requested_model=model,
            reserved_tokens=reservation.tokens,
            reserved_tool_calls=reservation.tool_calls,
            sealed_at=held.now,
        )
    )
    _place_parts(held, request, body)
    _append_sealed(held, request, parts=len(body.spans))
    return request


def seal_again(
    held: Held, child: Child, *, act: Act, endpoint: Endpoint, unknown: ModelRequest
) -> tuple[ModelRequest, bytes]:
    """Seal the bytes of a request of unknown outcome once more: a new act, a new debit, linked.

    Returns:
        The new request and its bytes.

    Raises:
        ValueError: the budget has no room; ask `Account.can_reserve` first.
    """
    reserved = reservation_of(unknown)
    held.root.account = held.root.account.reserve(reserved.amounts)
    request = held.add(
        ModelRequest(
            root=held.root,
            child=child,
            act=str(act),
            purpose=unknown.purpose,
            turn=act.turn,
            attempt=act.attempt,
            n=act.n,
            body_id=unknown.body_id,
            body_sha256=unknown.body_sha256,
            scheme=endpoint.scheme,
            host=endpoint.host,
            port=endpoint.port,
            path=endpoint.path,
            header_names=list(HEADER_NAMES),
            lineage=list(unknown.lineage),
            requested_model=unknown.requested_model,
            reserved_tokens=unknown.reserved_tokens,
            reserved_tool_calls=unknown.reserved_tool_calls,
            sealed_at=held.now,
            repeats=unknown,
        )
    )
    parts = RequestPart.objects.filter(request=unknown).order_by("ordinal")
    for part in parts:
        part.pk, part.request = new_id(), request
        held.add(part)
    _append_sealed(held, request, parts=len(parts))
    return request, held_contents(held, [unknown.body_id])[unknown.body_id]


def reservation_of(request: ModelRequest) -> Reservation:
    """Return what a request set aside."""
    return Reservation(request.reserved_tokens, request.reserved_tool_calls, hand_back=False)


def _append_sealed(held: Held, request: ModelRequest, *, parts: int) -> None:
    child = request.child
    receipts.append(
        held,
        RuntimeKind.REQUEST_SEALED,
        act=request.act,
        child=child,
        subjects={
            "request": str(request.pk),
            "purpose": request.purpose,
            "model": request.requested_model,
            "parts": parts,
            "authorization": child.authorization_digest,
            "repeats": str(request.repeats_id or ""),
        },
        digests={"body": request.body_sha256},
    )


def _place_parts(held: Held, request: ModelRequest, body: Body) -> None:
    for ordinal, span in enumerate(body.spans):
        held.add(
            RequestPart(
                request=request,
                ordinal=ordinal,
                kind=span.piece.kind,
                record=span.piece.record,
                byte_start=span.start,
                byte_end=span.end,
                sha256=span.sha256,
                lineage=sorted(span.piece.lineage),
            )
        )
