"""The sweeper: it needs only the database, and any number may run.

Note [Sweeper]: it offers outbox rows that still stand; makes an execution READY whose worker is dead or whose
hard end is passed, its SEALED request becoming OUTCOME_UNKNOWN; fires timers and deadlines.  It changes only
runtime rows and then wakes every PARKED execution of that Root: pair, half-round and report follow in their
begin.

Source: design.md D7, D17.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import structlog
from django.db import Error, connection

from bullbear import hints, receipts
from bullbear.lifecycle import ENDED_ROOT, Cause, ChildState, RequestState, Role, RootState
from bullbear.locks import Held, hold_root
from bullbear.models import Child, ModelRequest, Receipt, Timer, Worker
from bullbear.outbox import ADVANCE
from bullbear.outcomes import OutcomeClass
from bullbear.parking import end, ready, wake
from bullbear.queries import (
    due_timers,
    overdue_leases,
    roots_past_deadline,
    roots_past_peer_time,
)
from bullbear.receipts import RuntimeKind
from bullbear.recording import record_unknown
from bullbear.root_end import begin_finalizing
from bullbear.transactions import retried, transaction
from bullbear.wire.clock import steady_seconds

PERIOD_SECONDS = 1.0
SEEN_SECONDS = (
    15.0  # a worker counts as dead only after this long an unbroken view of the database
)
BLIND_SECONDS = 10.0  # a live worker has at least that long left: see Note [Leases]
MAX_RESCUES = 3
log = structlog.get_logger()

_OFFER = """
UPDATE bullbear_outboxentry
SET attempts = attempts + 1,
    offer_at = clock_timestamp() + least(60, 5 * power(2, least(attempts, 8))) * interval '1 second'
WHERE id IN (
    SELECT id FROM bullbear_outboxentry WHERE offer_at <= clock_timestamp()
    ORDER BY offer_at LIMIT 500 FOR UPDATE SKIP LOCKED
)
RETURNING keys ->> 'execution_id'
"""


@dataclass
class Sight:
    """Since when this sweeper has seen the database without a break, by its own steady clock.

    A sweeper that was itself stopped has not seen it meanwhile: the database may have been away, and
    live workers unable to renew themselves.
    """

    since: float = field(default_factory=time.monotonic)
    rested_at: float | None = None  # by `steady_seconds`

    def lost(self) -> None:
        """Begin to count anew."""
        self.since = time.monotonic()

    def look_again(self) -> None:
        """Begin to count anew after a rest so long that a live worker may seem dead."""
        if self.rested_at is not None and steady_seconds() - self.rested_at >= BLIND_SECONDS:
            self.lost()

    def rest(self) -> None:
        """Take in that the database has just been seen."""
        self.rested_at = steady_seconds()

    @property
    def unbroken(self) -> bool:
        """Whether a worker that did not renew may be called dead."""
        return time.monotonic() - self.since >= SEEN_SECONDS


def run_forever(stop: threading.Event) -> None:
    """Sweep once a second until told to stop; a lost database is waited for."""
    sight = Sight()
    while not stop.is_set():
        try:
            sweep(sight)
        except Error as error:
            log.warning("sweep_failed", error=type(error).__name__)
            sight.lost()
        connection.close()
        stop.wait(PERIOD_SECONDS)
    hints.flush()


def sweep(sight: Sight) -> None:
    """Do once whatever is due; each Root in a transaction of its own."""
    sight.look_again()
    dead_workers = sight.unbroken
    for root_id, child_id in overdue_leases(dead_workers=dead_workers):
        _apart(partial(rescue, root_id, child_id, dead_workers=dead_workers))
    for root_id, timer_id in due_timers():
        _apart(partial(fire_timer, root_id, timer_id))
    for root_id in roots_past_peer_time():
        _apart(partial(stop_peers, root_id))
    for root_id in roots_past_deadline():
        _apart(partial(pass_deadline, root_id))
    offer_outbox()
    sight.rest()


def _apart(act: Callable[[], None]) -> None:
    """Do one act; what fails on one Root, as where somebody holds it, keeps no other Root waiting."""
    try:
        act()
    except Error as error:
        if not connection.is_usable():
            raise
        log.warning("root_not_swept", error=type(error).__name__)


def offer_outbox() -> int:
    """Offer the hints of all work that is still owed; several sweepers share the rows."""
    with connection.cursor() as cursor:
        cursor.execute(_OFFER)
        owed = [row[0] for row in cursor.fetchall()]
    for execution_id in owed:
        hints.offer(ADVANCE, {"execution_id": execution_id})
    return len(owed)


@retried
def rescue(root_id: UUID, child_id: UUID, *, dead_workers: bool) -> None:
    """Free an execution whose lease has ended, unless it came back meanwhile."""
    with transaction(), hold_root(root_id) as held:
        child = Child.objects.get(pk=child_id)
        why = _why_overdue(held, child, dead_workers=dead_workers)
        if why is None:
            return
        for request in ModelRequest.objects.filter(child=child, state=RequestState.SEALED):
            record_unknown(held, request, why)
        held.change(child, rescues=child.rescues + 1)
        receipts.append(
            held,
            RuntimeKind.CHILD_RESCUED,
            act=f"{child.pk}:{child.rescues}",
            child=child,
            subjects={"class": why, "rescues": child.rescues},
        )
        # Main never fails for it: its attempts are bounded, and a Root always ends with its report.
        if child.rescues >= MAX_RESCUES and child.role != Role.MAIN:
            end(held, child, ChildState.FAILED, "rescued_three_times")
        else:
            ready(held, child, "rescued")
        _wake_parked(held, "rescue", but=child)


def _why_overdue(held: Held, child: Child, *, dead_workers: bool) -> OutcomeClass | None:
    if child.state != ChildState.RUNNING or not (child.hard_end_at and child.worker_id):
        return None
    if child.hard_end_at <= held.now:
        return OutcomeClass.LEASE_PASSED
    worker = Worker.objects.get(pk=child.worker_id)
    if dead_workers and worker.alive_until <= held.now:
        return OutcomeClass.WORKER_LOST
    return None


@retried
def fire_timer(root_id: UUID, timer_id: UUID) -> None:
    """Fire a timer once: a receipt, and whoever is parked looks again."""
    with transaction(), hold_root(root_id) as held:
        if _is_over(held, RuntimeKind.TIMER_FIRED, str(timer_id)):
            return
        timer = Timer.objects.select_related("child").get(pk=timer_id)
        receipts.append(
            held,
            RuntimeKind.TIMER_FIRED,
            act=str(timer.pk),
            child=timer.child,
            subjects={"cause": timer.cause},
        )
        _wake_parked(held, "timer")


@retried
def stop_peers(root_id: UUID) -> None:
    """End research and exchange: what time is left belongs to synthesis and report."""
    with transaction(), hold_root(root_id) as held:
        if held.root.state == RootState.OPEN and held.root.peers_stop_at <= held.now:
            begin_finalizing(held, Cause.DEADLINE)
            _wake_parked(held, "deadline")


@retried
def pass_deadline(root_id: UUID) -> None:
    """Record that the Root's deadline has passed: Main compiles what there is."""
    with transaction(), hold_root(root_id) as held:
        act = str(root_id)
        if not _is_over(held, RuntimeKind.DEADLINE_PASSED, act):
            receipts.append(held, RuntimeKind.DEADLINE_PASSED, act=act)
            _wake_parked(held, "deadline")


def _is_over(held: Held, kind: RuntimeKind, act: str) -> bool:
    """Whether the Root has ended, or this was recorded, since it was found due."""
    return (
        held.root.state in ENDED_ROOT
        or Receipt.objects.filter(root=held.root, kind=kind, act=act).exists()
    )


def _wake_parked(held: Held, cause: str, *, but: Child | None = None) -> None:
    parked = Child.objects.filter(root=held.root, state=ChildState.PARKED)
    for child in parked.exclude(pk=but.pk) if but else parked:
        wake(held, child, cause)
