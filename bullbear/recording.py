"""Record what is known of a sealed request's outcome, and settle its budget.

Source: design.md D5, D7 (record), D17.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from bullbear import receipts
from bullbear.budget import Amounts
from bullbear.content import keep
from bullbear.lifecycle import REQUEST_TRANSITIONS, RequestState, moved
from bullbear.locks import Held
from bullbear.models import Child, ModelRequest, Receipt, Timer
from bullbear.receipts import RuntimeKind
from bullbear.wire.call import Exchange

_KIND = {
    RequestState.ANSWERED: RuntimeKind.REQUEST_ANSWERED,
    RequestState.REJECTED: RuntimeKind.REQUEST_REJECTED,
    RequestState.OUTCOME_UNKNOWN: RuntimeKind.REQUEST_OUTCOME_UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a completion object says of itself; absent figures stay absent."""

    served_model: str = ""
    finish_reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def tokens(self) -> int | None:
        """All tokens used, where both figures were given."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens


def record_exchange(
    held: Held,
    request: ModelRequest,
    exchange: Exchange,
    *,
    outcome_class: str,
    reply: Reply,
    tool_calls: int = 0,
) -> None:
    """Give a sealed request its final state, with whatever bytes came.

    Args:
        held: the locked Root.
        request: SEALED, of a live lease.
        exchange: what the dispatch brought.
        outcome_class: why it is in that state; of an answer, what the answer is worth.
        reply: what the completion object says of itself.
        tool_calls: how many tools ran for it.
    """
    reserved = Amounts(1, request.reserved_tokens, request.reserved_tool_calls)
    held.root.account = held.root.account.settle(
        reserved, _used(request, exchange.state, reply, tool_calls)
    )
    response = keep(held, exchange.body) if exchange.body else None
    held.change(
        request,
        state=moved(REQUEST_TRANSITIONS, RequestState(request.state), exchange.state),
        outcome_class=outcome_class,
        status_code=exchange.status,
        response=response,
        response_sha256=hashlib.sha256(exchange.body).hexdigest() if exchange.body else "",
        served_model=reply.served_model[:100],
        provider_request_id=exchange.headers.get("x-request-id", "")[:100],
        finish_reason=reply.finish_reason[:32],
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        call_ms=int(exchange.ended_ms),
    )
    append_outcome(held, request)


def record_unknown(held: Held, request: ModelRequest, outcome_class: str) -> None:
    """Say that nobody knows what became of a sealed request: it stays debited."""
    reserved = Amounts(1, request.reserved_tokens, request.reserved_tool_calls)
    held.root.account = held.root.account.settle(reserved, reserved)
    state = moved(REQUEST_TRANSITIONS, RequestState(request.state), RequestState.OUTCOME_UNKNOWN)
    held.change(request, state=state, outcome_class=outcome_class)
    append_outcome(held, request)


def append_outcome(held: Held, request: ModelRequest) -> None:
    """Append the receipt of a request's final state."""
    receipts.append(
        held,
        _KIND[RequestState(request.state)],
        act=request.act,
        child=request.child,
        subjects={
            "request": str(request.pk),
            "class": request.outcome_class,
            "served_model": request.served_model,
        },
        digests={"response": request.response_sha256} if request.response_sha256 else {},
    )


def record_late(held: Held, request: ModelRequest, exchange: Exchange, reply: Reply) -> None:
    """Keep an answer that came after its request was given up: billed, never used.

    Nothing is written where it is on record already: the commit stood, and its acknowledgement was lost.
    """
    if not exchange.body or _is_on_record(held, request):
        return
    more = max(0, (reply.tokens or 0) - request.reserved_tokens)
    held.root.account = held.root.account.settle(Amounts(), Amounts(tokens=more))
    kept = keep(held, exchange.body)
    receipts.append(
        held,
        RuntimeKind.LATE_ANSWER,
        act=request.act,
        child=request.child,
        subjects={"request": str(request.pk), "content": str(kept.pk)},
        digests={"response": hashlib.sha256(exchange.body).hexdigest()},
    )


def _is_on_record(held: Held, request: ModelRequest) -> bool:
    """Whether what came was recorded before, by its own lease or as a late answer."""
    late = Receipt.objects.filter(root=held.root, kind=RuntimeKind.LATE_ANSWER, act=request.act)
    return request.response_id is not None or late.exists()


def set_timer(held: Held, child: Child, *, seconds: float, cause: str) -> Timer:
    """Let `child` look again after a while: the sweeper fires it."""
    timer = held.add(
        Timer(child=child, fires_at=held.now + timedelta(seconds=seconds), cause=cause)
    )
    receipts.append(
        held,
        RuntimeKind.TIMER_SET,
        act=str(timer.pk),
        child=child,
        subjects={"cause": cause, "fires_at": receipts.instant(timer.fires_at)},
    )
    return timer


def _used(request: ModelRequest, state: RequestState, reply: Reply, tool_calls: int) -> Amounts:
    if state is RequestState.REJECTED:
        return Amounts()
    if state is RequestState.OUTCOME_UNKNOWN:
        return Amounts(1, request.reserved_tokens, request.reserved_tool_calls)
    tokens = request.reserved_tokens if reply.tokens is None else reply.tokens
    return Amounts(1, tokens, tool_calls)
