"""What a process without a broker does for a test: one use case, or one Root as far as it goes.

Everything is looked up by id: nothing of the process that ordered it is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group, User

from bullbear import hints, sweep, worker
from bullbear.models import Child, OutboxEntry
from bullbear.options import options
from config.celery import publish
from dialogue import steps
from dialogue.cancel import cancel
from dialogue.decide import decide
from dialogue.rules import DecisionKind
from research import open_root as opening
from research.asking import Question
from research.domains.registry import domain
from research.providers import provider
from research.release import release
from tests.factories import FUND_FILE, PORTFOLIO_FILE

PUBLISHING_SECONDS = 5.0


def drive(root: str, first: str = "", hints_too: str = "") -> None:
    """Advance a Root's executions in the order in which their steps are owed, until none is.

    Args:
        root: its id.
        first: a role that goes first where several are owed a step.
        hints_too: offer hints to the broker, as a worker does.
    """
    _publish(hints_too)
    running = worker.start(f"doomed {root}")
    while owed := _owed(UUID(root)):
        child = next((one for one in owed if one.role == first), owed[0])
        steps.advance(child.pk, provider=provider(), worker=running.row)
        hints.flush(PUBLISHING_SECONDS)


def _owed(root_id: UUID) -> list[Child]:
    entries = OutboxEntry.objects.order_by("created_at", "pk")
    ids = [UUID(entry.keys["execution_id"]) for entry in entries]
    children = {child.pk: child for child in Child.objects.filter(root=root_id, pk__in=ids)}
    return [children[one] for one in ids if one in children]


def _publish(hints_too: str) -> None:
    hints.set_publisher(publish if hints_too else lambda *_: None)


def open_one(requester: str, desk: str, text: str, external_id: str) -> None:
    """Open a Root."""
    _publish("")
    opening.open_root(
        Question(text, [PORTFOLIO_FILE, FUND_FILE], external_id=external_id),
        domain=domain("investment"),
        desk=Group.objects.get(pk=desk),
        requester=User.objects.get(pk=requester),
        options=options(),
    )


def cancel_one(root: str) -> None:
    """Cancel a Root."""
    _publish("")
    cancel(UUID(root))


def decide_one(root: str, by: str) -> None:
    """Decide that a held request is asked again."""
    _publish("")
    decide(UUID(root), DecisionKind.REASK, decided_by=User.objects.get(pk=by))


def release_one(root: str, by: str) -> None:
    """Release a Root's portfolio to its readers."""
    _publish("")
    release(UUID(root), "S1", reason="Asked for.", by=User.objects.get(pk=by))


def rescue(root: str, child: str) -> None:
    """Free an execution whose worker is dead, as a sweeper does that has seen it long enough."""
    _publish("")
    sweep.rescue(UUID(root), UUID(child), dead_workers=True)


def fire_timer(root: str, timer: str) -> None:
    """Fire a timer."""
    _publish("")
    sweep.fire_timer(UUID(root), UUID(timer))


def stop_peers(root: str) -> None:
    """Stop a Root's research and exchange."""
    _publish("")
    sweep.stop_peers(UUID(root))


def pass_deadline(root: str) -> None:
    """Record that a Root's deadline has passed."""
    _publish("")
    sweep.pass_deadline(UUID(root))


def offer_outbox() -> None:
    """Offer what is owed, with a broker."""
    _publish("yes")
    sweep.offer_outbox()
    hints.flush(PUBLISHING_SECONDS)


ORDERS: Mapping[str, Callable[..., Any]] = {
    "drive": drive,
    "open": open_one,
    "cancel": cancel_one,
    "decide": decide_one,
    "release": release_one,
    "rescue": rescue,
    "fire_timer": fire_timer,
    "stop_peers": stop_peers,
    "pass_deadline": pass_deadline,
    "offer_outbox": offer_outbox,
}
