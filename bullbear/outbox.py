"""Owe work: one row for each execution that must look again.

Source: design.md D4, D7 (Note [Hint]).
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from bullbear import hints
from bullbear.locks import Held
from bullbear.models import Child, OutboxEntry
from bullbear.transactions import after_commit, needs_transaction

ADVANCE = "bullbear.advance"
FIRST_OFFER_AFTER = timedelta(seconds=5)


@needs_transaction
def enqueue(held: Held, child: Child, cause: str) -> None:
    """Owe a step of `child`, and offer the hint once this transaction has committed."""
    keys = {"execution_id": str(child.pk)}
    held.add(
        OutboxEntry(
            task=ADVANCE,
            keys=keys,
            dedupe_key=f"advance:{child.pk}",
            cause=cause,
            created_at=held.now,
            offer_at=held.now + FIRST_OFFER_AFTER,
        )
    )
    after_commit(partial(hints.offer, ADVANCE, keys))


@needs_transaction
def settle(child: Child) -> None:
    """Delete what was owed to `child`: its step has begun."""
    OutboxEntry.objects.filter(dedupe_key=f"advance:{child.pk}").delete()
