"""Advance an execution by one step, as often as anybody likes.

    begin     one transaction: lock, decide, seal              (or park, finish, stop)
    dispatch  no transaction, no connection: the sealed bytes, once
    tools     no transaction: on immutable rows
    record    one transaction: lock, check the lease, store what came, decide what follows

N successive calls of one execution cost N + 1 commits.  A transaction never spans the network.

Source: design.md D7.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

import structlog
from django.db import Error, connection

from bullbear import outbox
from bullbear.lifecycle import (
    CHILD_TRANSITIONS,
    ENDED_ROOT,
    ChildState,
    RequestState,
    Role,
    moved,
)
from bullbear.locks import hold_root
from bullbear.models import Child, ModelRequest, Worker
from bullbear.parking import park, ready
from bullbear.queries import root_of
from bullbear.recording import Reply, record_exchange, record_late
from bullbear.transactions import is_away, outside_transaction, retried, transaction
from bullbear.wire.call import Exchange, SealedCall
from bullbear.wire.clock import steady_seconds
from bullbear.wire.provider import Provider
from dialogue.case import DialogueCase, load_case, view_of
from dialogue.deliver import record_delivery
from dialogue.finish import finish_root
from dialogue.held import progress_of
from dialogue.judge import apply_answer, judge, set_retry
from dialogue.next_request import Runner, Sealed, repeat_last, seal_next, sealed_before
from dialogue.projections import shown_in
from dialogue.rules import Compile, duty
from dialogue.settle import end_mutual_wait, settle, wake_next
from dialogue.turns import TURNS
from research.citations import cited_handles
from research.completions import Completion, read
from research.domains.registry import domain
from research.record_tools import record_tools
from research.rules import AnswerClass, Hold, Over, Purpose, Repeat, Wait
from research.snapshot import source_views
from research.tool_loop import RanTool, named_sources, run_tools

T = TypeVar("T")
PAUSE_SECONDS = 0.5  # between two tries of a transaction, while the database is gone
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Step:
    """A sealed request under way, and the lease it runs under."""

    root_id: UUID
    child_id: UUID
    request_id: UUID
    token: UUID
    call: SealedCall
    domain: str
    authorization: dict[str, Any]
    tool_calls: int
    shared: frozenset[str] | None  # what the tools of an opening read; more only by name


@outside_transaction
def advance(
    execution_id: UUID,
    *,
    provider: Provider,
    worker: Worker,
    draining: Callable[[], bool] = lambda: False,
) -> None:
    """Take an execution as far as it can go now.

    It may be called any number of times, by anyone, at any time: one that is not READY is left alone.
    While the process drains, no further request is sealed: the execution is READY for another one.
    """
    runner = Runner(worker, provider.endpoint, uuid4())
    step = _begin_or_again(execution_id, runner=runner)
    while step is not None:
        exchange = provider.dispatch(step.call)
        ran = _until_hard_end(step, partial(_run_tools, step, exchange))
        runner = replace(runner, token=uuid4(), seals=not draining())
        step = _until_hard_end(step, partial(record, step, exchange, ran, runner=runner))


@retried
def begin(execution_id: UUID, *, runner: Runner) -> Step | None:
    """Seal the execution's next request, or let it park, finish or stop."""
    clock = steady_seconds()
    root_id = root_of(execution_id)
    if root_id is None:
        log.warning("unknown_execution", execution=str(execution_id))
        return None
    with transaction(), hold_root(root_id) as held:
        case = load_case(held)
        child = case.child(execution_id)
        if child.lease_token == runner.token:
            return _step(case, child, sealed_before(case, child, runner), clock)
        outbox.settle(child)
        if child.state != ChildState.READY or held.root.state in ENDED_ROOT:
            return None
        held.change(child, state=moved(CHILD_TRANSITIONS, ChildState.READY, ChildState.RUNNING))
        sealed = _proceed(case, child, runner)
        return _step(case, child, sealed, clock) if sealed else None


@retried
def record(
    step: Step, exchange: Exchange, ran: Sequence[RanTool], *, runner: Runner
) -> Step | None:
    """Store what came of a dispatched request, apply the answer, and decide what follows."""
    clock = steady_seconds()
    with transaction(), hold_root(step.root_id) as held:
        case = load_case(held)
        child = case.child(step.child_id)
        request = next(one for one in case.requests if one.pk == step.request_id)
        if child.lease_token == runner.token:
            return _step(case, child, sealed_before(case, child, runner), clock)
        if child.lease_token != step.token:
            _record_late(case, request, exchange)
            return None
        _record_live(case, child, request, exchange, ran)
        sealed = _proceed(case, child, runner)
        return _step(case, child, sealed, clock) if sealed else None


def _record_live(
    case: DialogueCase,
    child: Child,
    request: ModelRequest,
    exchange: Exchange,
    ran: Sequence[RanTool],
) -> None:
    completion = _completion(exchange)
    if completion is None:
        held = case.held
        record_exchange(held, request, exchange, outcome_class=exchange.outcome, reply=Reply())
        if exchange.state is RequestState.REJECTED:
            set_retry(case, child, request, exchange)
        return
    verdict = judge(case, child, request, completion)
    tools = ran if verdict.worth is AnswerClass.TOOL_CALLS else ()
    record_exchange(
        case.held,
        request,
        exchange,
        outcome_class=verdict.worth,
        reply=completion.reply,
        tool_calls=min(len(tools), request.reserved_tool_calls),
    )
    record_delivery(case, child, request)
    record_tools(case, child, request, tools)
    apply_answer(case, child, request, verdict)


def _record_late(case: DialogueCase, request: ModelRequest, exchange: Exchange) -> None:
    """Keep an answer whose lease was ended meanwhile: the unknown outcome stays unknown."""
    if request.state == RequestState.OUTCOME_UNKNOWN:
        record_late(case.held, request, exchange, read(exchange.body).reply)


def _proceed(case: DialogueCase, child: Child, runner: Runner) -> Sealed | None:
    """Decide under the lock what follows for this execution, and wake whoever else is due."""
    seen = child.wakes
    sealed = _own_next(case, child, runner)
    wake_next(case, "record", but=child)
    if sealed is None and child.state == ChildState.RUNNING:
        park(case.held, child, seen=seen)
        if end_mutual_wait(case):
            settle(case)
            wake_next(case, "mutual_wait")
    return sealed


def _own_next(case: DialogueCase, child: Child, runner: Runner) -> Sealed | None:
    while True:
        settle(case, child)
        due = duty(view_of(case), Role(child.role))
        if isinstance(due, Compile):
            finish_root(case, child)
            return None
        if due is None:
            return None
        next_ = progress_of(case, child, due)
        if isinstance(next_, Wait | Hold):
            return None
        if not (runner.seals or isinstance(next_, Over)):
            ready(case.held, child, "draining")
            return None
        if isinstance(next_, Over):
            TURNS[due.purpose].fail(case, child, due, next_.how)
            continue
        if isinstance(next_, Repeat):
            sealed = repeat_last(case, child, due, next_, runner=runner)
        else:
            sealed = seal_next(case, child, due, next_, runner=runner)
        if sealed is not None:
            return sealed


def _step(case: DialogueCase, child: Child, sealed: Sealed, clock: float) -> Step:
    if child.lease_token is None or child.hard_end_at is None:
        raise AssertionError("a sealed request runs under a lease")
    left = (child.hard_end_at - case.now).total_seconds()
    return Step(
        root_id=case.root.pk,
        child_id=child.pk,
        request_id=sealed.request.pk,
        token=child.lease_token,
        call=SealedCall(
            request_id=str(sealed.request.pk),
            act=sealed.request.act,
            body=sealed.raw,
            sha256=bytes.fromhex(sealed.request.body_sha256),
            endpoint=sealed.endpoint,
            hard_end=clock + left,
            timeout_seconds=sealed.timeout_seconds,
        ),
        domain=case.root.domain,
        authorization=child.authorization,
        tool_calls=sealed.request.reserved_tool_calls,
        shared=case.showable(child) if sealed.request.purpose == Purpose.OPENING else None,
    )


def _completion(exchange: Exchange) -> Completion | None:
    return read(exchange.body) if exchange.state is RequestState.ANSWERED else None


def _run_tools(step: Step, exchange: Exchange) -> list[RanTool]:
    completion = _completion(exchange)
    if completion is None or completion.fault is not None or not completion.tools:
        return []
    views = source_views(
        Child(id=step.child_id, root_id=step.root_id, authorization=step.authorization),
        shared=step.shared,
        named=named_sources(completion.tools),
    )
    return run_tools(
        completion.tools,
        domain=domain(step.domain),
        authorization=step.authorization,
        sources=views,
        allowed=step.tool_calls,
        shown=shown_in(step.request_id, cited_handles(one.arguments for one in completion.tools)),
    )


def _begin_or_again(execution_id: UUID, *, runner: Runner) -> Step | None:
    """Begin, and once more where the connection broke: the commit may stand. See Note [Own lease]."""
    try:
        return begin(execution_id, runner=runner)
    except Error as error:
        connection.close()
        if not is_away(error):
            raise
        log.warning("begins_again", execution=str(execution_id), error=type(error).__name__)
        time.sleep(PAUSE_SECONDS)
        return begin(execution_id, runner=runner)


def _until_hard_end(step: Step, act: Callable[[], T]) -> T:
    """Do what an answer needs the database for, through an outage too: a paid answer is not dropped."""
    while True:
        try:
            return act()
        except Error as error:
            connection.close()
            if not is_away(error) or steady_seconds() + PAUSE_SECONDS >= step.call.hard_end:
                raise
            log.warning("record_waits", request=str(step.request_id), error=type(error).__name__)
            time.sleep(PAUSE_SECONDS)
