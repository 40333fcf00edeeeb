"""The Root lock, and what is written under it.

Note [One Root, one lock]: every writing transaction of a Root first locks the Root row, `FOR NO KEY
UPDATE`.  Chain head, budget, turn order, pair and executions of that Root are written under it and nowhere
else, so there is no lock order to get wrong.  `child.root_id` never changes and is read unlocked.

Note [Held rows]: new and changed rows of the transaction are gathered on `Held` and written together when
the block ends: one UPDATE for each changed row, then one INSERT for each table (a request gets its outcome
before the next one is live).  Foreign keys are deferred; if anything fails, nothing was written.

Source: design.md D7.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model

from bullbear.models import Child, OutboxEntry, Root
from bullbear.mutable import MUTABLE_COLUMNS
from bullbear.transactions import needs_transaction

M = TypeVar("M", bound=Model)

# The outer select runs after the lock is held: its clock is not stale after a wait.
_LOCK = """
WITH locked AS MATERIALIZED (SELECT * FROM bullbear_root WHERE id = %s FOR NO KEY UPDATE)
SELECT locked.*, clock_timestamp() AS locked_at FROM locked
"""
_ROOT_COLUMNS = tuple(MUTABLE_COLUMNS["bullbear_root"])


class StaleLease(Exception):
    """A step names a lease that somebody else has ended: what it would write must not be written."""


class Held:
    """A locked Root, the database's clock, and the rows this transaction will write."""

    def __init__(self, root: Root, now: datetime) -> None:
        """Hold `root`; `now` is what the clock said after the lock was granted."""
        self.root = root
        self.now = now
        self.kept: dict[UUID, bytes] = {}  # contents written or loaded here, by id
        self._new: dict[type[Model], list[Any]] = {}
        self._changed: dict[Any, tuple[Model, set[str], dict[str, Any]]] = {}

    def add(self, row: M) -> M:
        """Write `row` with this transaction."""
        self._new.setdefault(type(row), []).append(row)
        return row

    def change(self, row: M, **fields: Any) -> M:
        """Set columns of a row and write them with this transaction.

        An execution is only changed while the lease is the one that was read: see Note [Leases].
        """
        if row not in self._new.get(type(row), ()):
            guard = {"lease_token": row.lease_token} if isinstance(row, Child) else {}
            _, names, _ = self._changed.setdefault(row.pk, (row, set(), guard))
            names.update(fields)
        for name, value in fields.items():
            setattr(row, name, value)
        return row

    def write(self) -> None:
        """Write all gathered rows.

        Raises:
            StaleLease: an execution's lease is not the one that was read.
            IntegrityError: a rule of the database, named as a sentence, does not hold.
        """
        if not (self._new or self._changed):
            return  # nobody's turn: a repeated hint writes nothing
        for row, names, guard in self._changed.values():
            values = {name: getattr(row, name) for name in sorted(names)}
            matching = type(row)._default_manager.filter(pk=row.pk, **guard)  # noqa: SLF001
            if matching.update(**values) != 1:
                raise StaleLease(str(row))
        for model, rows in self._new.items():
            # An entry that stands already says the same: work is owed.
            owed = model is OutboxEntry
            model._default_manager.bulk_create(rows, ignore_conflicts=owed)  # noqa: SLF001
        self.root.save(update_fields=_ROOT_COLUMNS)


class UnknownRoot(LookupError):
    """There is no Root of this id."""


@contextmanager
def hold_root(root_id: UUID) -> Iterator[Held]:
    """Lock a Root in the open transaction, and write what was gathered when the block ends well.

    Raises:
        UnknownRoot: there is none of this id.
    """
    held = _lock(root_id)
    yield held
    held.write()


@needs_transaction
def _lock(root_id: UUID) -> Held:
    for root in Root.objects.raw(_LOCK, [root_id]):
        now: datetime = vars(root)["locked_at"]
        return Held(root, now)
    raise UnknownRoot(str(root_id))


@contextmanager
def hold_new_root(root: Root) -> Iterator[Held]:
    """Insert a Root, whose row lock that is, and write what was gathered with it."""
    _insert(root)
    held = Held(root, root.created_at)
    yield held
    held.write()


@needs_transaction
def _insert(root: Root) -> None:
    root.save(force_insert=True)
