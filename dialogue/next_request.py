"""Seal the next request of a turn, or say that it cannot be.

Note [Own lease]: where the connection breaks after COMMIT was sent, the caller sees an error and the rows
may stand.  The token of the lease is drawn before the transaction begins and stays the same when it is
repeated: who finds his own token on the execution has sealed already, and goes on with that request.

Source: design.md D7 (begin), D10, D17.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from uuid import UUID

from bullbear.bodies import Body
from bullbear.content import held_contents
from bullbear.identity import Act
from bullbear.lifecycle import Cause, ChildState, RequestState, RootState
from bullbear.models import Child, ModelRequest, Worker
from bullbear.parking import end
from bullbear.root_end import begin_finalizing
from bullbear.sealing import Reservation, lease, reservation_of, seal, seal_again
from bullbear.wire.call import Endpoint
from dialogue.case import DialogueCase
from dialogue.ending import end_pair
from dialogue.gaps import record_gap
from dialogue.half_rounds import spend
from dialogue.kinds import GapCode
from dialogue.rules import EndReason, Slot
from dialogue.synthesis import give_up_synthesis
from dialogue.turns import TURNS
from research.compose import compose
from research.limits import TOOL_CALLS_PER_ANSWER, tokens_for
from research.plans import record_plan
from research.prompts import PromptChanged
from research.rules import HAND_BACK, Ask, Purpose, Repeat


@dataclass(frozen=True, slots=True)
class Runner:
    """Who takes a step: the worker that holds the lease, and where its calls go.

    Args:
        worker: holds the lease.
        endpoint: where its calls go.
        token: of the lease that this transaction gives, should it seal a request.  Drawn before the
            transaction begins: see Note [Own lease].
        seals: False while its process drains: what came is recorded, and the next call is left to others.
    """

    worker: Worker
    endpoint: Endpoint
    token: UUID
    seals: bool = True


@dataclass(frozen=True, slots=True)
class Sealed:
    """A request that will be committed with this transaction, or was by an earlier try of it."""

    request: ModelRequest
    raw: bytes
    endpoint: Endpoint
    timeout_seconds: float


def seal_next(
    case: DialogueCase, child: Child, slot: Slot, ask: Ask, *, runner: Runner
) -> Sealed | None:
    """Seal this request of the slot, under a fresh lease.

    Returns:
        None where it cannot be: no budget, a context that is full, a configuration that changed.  The record
        then says so, and the execution looks again at what is due.
    """
    ask = _affordable(case, ask)
    try:
        body = _body(case, child, slot, ask)
    except PromptChanged as error:
        record_gap(case, GapCode.CONFIGURATION_CHANGED, error.name, child=child)
        _cannot(case, child, slot, EndReason.PARTICIPANT_ENDED, "configuration_changed")
        return None
    if len(body.raw) > case.configuration["context_bytes"]:
        _cannot(case, child, slot, EndReason.CONTEXT_FULL, "context_full")
        return None
    reservation = _reservation(case, slot, ask, body)
    if not case.root.account.can_reserve(reservation.amounts, hand_back=reservation.hand_back):
        _cannot(case, child, slot, EndReason.BUDGET, "budget")
        return None
    return _seal(case, child, slot, ask, body=body, reservation=reservation, runner=runner)


def _tool_calls_left(case: DialogueCase) -> int:
    account = case.root.account
    return (account.limit - account.spent - account.reserved).tool_calls


def _affordable(case: DialogueCase, ask: Ask) -> Ask:
    """Offer tools only while a call of one can be reserved."""
    return replace(ask, offer_tools=ask.offer_tools and _tool_calls_left(case) > 0)


def repeat_last(
    case: DialogueCase, child: Child, slot: Slot, repeat: Repeat, *, runner: Runner
) -> Sealed | None:
    """Seal the last request of a half-round again, whose outcome is unknown: same bytes, new act, new debit.

    Returns:
        None where the budget has no room; the record then says so.
    """
    unknown = case.turn(child, slot.turn)[-1]
    if not case.root.account.can_reserve(reservation_of(unknown).amounts):
        _cannot(case, child, slot, EndReason.BUDGET, "budget")
        return None
    timeout_seconds = _lease(case, child, runner)
    act = Act(child.pk, slot.turn, repeat.attempt, 1)
    request, raw = seal_again(case.held, child, act=act, endpoint=runner.endpoint, unknown=unknown)
    case.requests.append(request)
    spend(case, child, slot, request)
    return Sealed(request, raw, runner.endpoint, timeout_seconds)


def _lease(case: DialogueCase, child: Child, runner: Runner) -> float:
    timeout_seconds: float = case.configuration["provider_timeout_ms"] / 1000
    lease(case.held, child, runner.worker, token=runner.token, timeout_seconds=timeout_seconds)
    return timeout_seconds


def _body(case: DialogueCase, child: Child, slot: Slot, ask: Ask) -> Body:
    turn = TURNS[slot.purpose]
    nonce = secrets.token_hex(8)
    return compose(
        case,
        child,
        purpose=slot.purpose,
        turn=slot.turn,
        ask=ask,
        blocks=turn.blocks(case, child, slot, ask, nonce),
        nonce=nonce,
        answer=turn.answer,
    )


def _reservation(case: DialogueCase, slot: Slot, ask: Ask, body: Body) -> Reservation:
    tools = min(TOOL_CALLS_PER_ANSWER, _tool_calls_left(case))
    return Reservation(
        tokens=tokens_for(slot.purpose, len(body.raw)),
        tool_calls=tools if ask.offer_tools else 0,
        hand_back=slot.purpose in HAND_BACK,
    )


def _seal(
    case: DialogueCase,
    child: Child,
    slot: Slot,
    ask: Ask,
    *,
    body: Body,
    reservation: Reservation,
    runner: Runner,
) -> Sealed:
    if slot.purpose is Purpose.SYNTHESIS and case.root.state == RootState.OPEN:
        begin_finalizing(case.held, Cause.COMPLETED)
    timeout_seconds = _lease(case, child, runner)
    request = seal(
        case.held,
        child,
        act=Act(child.pk, slot.turn, ask.attempt, ask.n),
        purpose=str(slot.purpose),
        body=body,
        endpoint=runner.endpoint,
        model=case.configuration["models"][child.role],
        reservation=reservation,
    )
    case.requests.append(request)
    if slot.round:
        spend(case, child, slot, request)
    return Sealed(request, body.raw, runner.endpoint, timeout_seconds)


def sealed_before(case: DialogueCase, child: Child, runner: Runner) -> Sealed:
    """Find the request that an earlier try of this very transaction sealed. See Note [Own lease]."""
    request = next(
        one
        for one in case.requests
        if one.child_id == child.pk and one.state == RequestState.SEALED
    )
    raw = held_contents(case.held, [request.body_id])[request.body_id]
    timeout_seconds = case.configuration["provider_timeout_ms"] / 1000
    return Sealed(request, raw, runner.endpoint, timeout_seconds)


def _cannot(case: DialogueCase, child: Child, slot: Slot, reason: EndReason, word: str) -> None:
    """Record what follows where a request cannot be sealed: the turn's own way to fail, without a call."""
    match slot.purpose:
        case Purpose.PLAN:
            record_plan(case, request=None, answer=None)
        case Purpose.SYNTHESIS:
            give_up_synthesis(case, child, None)
        case Purpose.CHALLENGE | Purpose.RESPONSE:
            end_pair(case, reason)
        case _:
            end(case.held, child, ChildState.FAILED, word)
