"""What is due, read without a lock: whoever acts on it locks the Root and looks again.

Source: design.md D7 (Note [Sweeper]).
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Exists, Func, OuterRef, Q, TextField
from django.db.models.fields import DateTimeField
from django.db.models.functions import Cast

from bullbear.lifecycle import ChildState, RootState
from bullbear.models import Child, Receipt, Root, Timer
from bullbear.receipts import RuntimeKind

BATCH = 200
UNDER_WAY = (RootState.OPEN, RootState.FINALIZING)


class DatabaseNow(Func):
    """The database's clock at this statement, not at the start of its transaction."""

    function = "clock_timestamp"
    output_field = DateTimeField()


def overdue_leases(*, dead_workers: bool) -> list[tuple[UUID, UUID]]:
    """Name (root, execution) of leases past their hard end, or of workers that did not renew."""
    overdue = Q(hard_end_at__lte=DatabaseNow())
    if dead_workers:
        overdue |= Q(worker__alive_until__lte=DatabaseNow())
    running = Child.objects.filter(overdue, state=ChildState.RUNNING)
    return list(running.values_list("root_id", "pk")[:BATCH])


def due_timers() -> list[tuple[UUID, UUID]]:
    """Name (root, timer) of timers whose time has come and that have not fired, in Roots under way."""
    fired = Receipt.objects.filter(
        root=OuterRef("child__root"),
        kind=RuntimeKind.TIMER_FIRED,
        act=Cast(OuterRef("pk"), TextField()),
    )
    due = Timer.objects.filter(
        ~Exists(fired), fires_at__lte=DatabaseNow(), child__root__state__in=UNDER_WAY
    )
    return list(due.values_list("child__root_id", "pk")[:BATCH])


def roots_past_peer_time() -> list[UUID]:
    """Name open Roots whose research and exchange must stop now."""
    late = Root.objects.filter(state=RootState.OPEN, peers_stop_at__lte=DatabaseNow())
    return list(late.values_list("pk", flat=True)[:BATCH])


def roots_past_deadline() -> list[UUID]:
    """Name Roots under way whose deadline has passed and is not on record yet."""
    recorded = Receipt.objects.filter(
        root=OuterRef("pk"),
        kind=RuntimeKind.DEADLINE_PASSED,
        act=Cast(OuterRef("pk"), TextField()),
    )
    late = Root.objects.filter(
        ~Exists(recorded), state__in=UNDER_WAY, deadline_at__lte=DatabaseNow()
    )
    return list(late.values_list("pk", flat=True)[:BATCH])


def root_of(child_id: UUID) -> UUID | None:
    """Return the Root of an execution, read unlocked: it never changes."""
    return Child.objects.filter(pk=child_id).values_list("root_id", flat=True).first()


def database_now() -> datetime:
    """Return the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
