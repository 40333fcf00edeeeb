"""The one task: advance an execution.

Source: design.md D7: it takes an execution id and nothing else, and may be run any number of times.
"""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from bullbear import worker
from bullbear.outbox import ADVANCE
from dialogue.steps import advance as advance_execution
from research.providers import provider


@shared_task(name=ADVANCE)
def advance(*, execution_id: str, **_future: object) -> None:
    """Advance one execution, if a permit is free."""
    running = worker.current()
    if running.permits.take(execution_id):
        try:
            with running:
                advance_execution(
                    UUID(execution_id),
                    provider=provider(),
                    worker=running.row,
                    draining=lambda: running.draining,
                )
        finally:
            running.permits.give_back()
