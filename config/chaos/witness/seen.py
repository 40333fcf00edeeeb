"""What was seen of the database while it was hurt: receipts that were committed, and recoveries."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from django.db import connections

from audit.viewer import READER
from bullbear.lifecycle import ChildState
from bullbear.models import Child, Receipt
from config.chaos.events import Event, Note
from config.chaos.figures import Recovery
from config.chaos.private import DATABASE, SWEEPERS, WORKERS

_NEW_RECEIPTS = """
SELECT receipt.root_id, receipt.seq, receipt.digest
FROM bullbear_root root
LEFT JOIN unnest(%s::uuid[], %s::int[]) AS known(root_id, seq) ON known.root_id = root.id
JOIN bullbear_receipt receipt
  ON receipt.root_id = root.id AND receipt.chain = 'research' AND receipt.seq > coalesce(known.seq, 0)
"""


@dataclass(slots=True)
class Kill:
    """A worker that was killed.

    Args:
        at: seconds since the epoch.
        executions: how many it ran, once that could be read.
        over_at: when none of them was under way any more.
    """

    at: float
    worker: str
    pid: int
    executions: int | None = None
    over_at: float | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """From when until when somebody was away; seconds since the epoch."""

    who: str
    begin: float
    end: float


@dataclass(slots=True)
class Sight:
    """Everything that one look after another has shown.

    Args:
        receipts: (Root, seq) → digest, of receipts seen committed.
        outages: of the database, as it did not answer here.
        sweepers: when one of them did not run.
    """

    receipts: dict[tuple[UUID, int], bytes] = field(default_factory=dict)
    kills: list[Kill] = field(default_factory=list)
    outages: list[Away] = field(default_factory=list)
    sweepers: list[Away] = field(default_factory=list)
    _heads: dict[UUID, int] = field(default_factory=dict)
    _away_since: float | None = None

    def note(self, event: Event) -> None:
        """Take in what was done to a worker or a sweeper."""
        if event.target in SWEEPERS:
            self.sweepers.append(Away(event.target, event.at, event.at + event.away))
        if event.target in WORKERS and event.note is Note.KILLED:
            self.kills.append(Kill(event.at, event.target, event.pid))

    def look(self) -> None:
        """Read which receipts are new, and what killed workers still hold.

        Raises:
            OperationalError: the database does not answer.
        """
        with connections[READER].cursor() as cursor:
            cursor.execute(_NEW_RECEIPTS, [list(self._heads), list(self._heads.values())])
            for root_id, seq, digest in cursor.fetchall():
                self.receipts[root_id, seq] = bytes(digest)
                self._heads[root_id] = max(seq, self._heads.get(root_id, 0))
        for kill in self.kills:
            if kill.over_at is None:
                self._follow(kill)
        if self._away_since is not None:
            self.outages.append(Away(DATABASE, self._away_since, time.time()))
            self._away_since = None

    def lost_sight(self) -> None:
        """Take in that the database did not answer."""
        connections.close_all()
        self._away_since = self._away_since or time.time()

    def _follow(self, kill: Kill) -> None:
        held = Child.objects.using(READER).filter(
            state=ChildState.RUNNING,
            worker__name__startswith=f"{kill.worker}@",
            worker__name__endswith=f":{kill.pid}",
        )
        running = held.count()
        kill.executions = running if kill.executions is None else kill.executions
        if running == 0:
            kill.over_at = time.time()

    def lost_receipts(self) -> int:
        """Count receipts that were seen and do not stand as they were seen."""
        rows = Receipt.objects.using(READER).filter(chain="research")
        stand = {
            (root_id, seq): bytes(digest)
            for root_id, seq, digest in rows.values_list("root_id", "seq", "digest")
        }
        return sum(stand.get(key) != digest for key, digest in self.receipts.items())

    def recoveries(self, began: float) -> Iterator[Recovery]:
        """Yield, for each kill of a worker that ran something, how long it took.

        Args:
            began: the run, in seconds since the epoch.
        """
        for kill in self.kills:
            if not kill.executions:
                continue
            over_at = kill.over_at or time.time()
            returns = [end for end in self._returns() if kill.at < end <= over_at]
            yield Recovery(
                worker=kill.worker,
                second=kill.at - began,
                executions=kill.executions,
                seconds=over_at - max([kill.at, *returns]),
                seconds_with_outages=over_at - kill.at,
            )

    def _returns(self) -> Iterator[float]:
        """Yield when the database came back, or a sweeper where there was none: only then can any recover."""
        yield from (one.end for one in self.outages)
        for one in self.sweepers:
            others = {two.who for two in self.sweepers if two.begin < one.end <= two.end}
            if others == set(SWEEPERS):
                yield one.end
