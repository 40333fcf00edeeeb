"""Who acts in a scenario of its own process: somebody who asks, workers, a sweeper, and a judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from bullbear import hints
from bullbear.lifecycle import ENDED_ROOT, ChildState
from bullbear.models import Child, OutboxEntry, Receipt, Root, Worker
from bullbear.queries import database_now
from bullbear.receipts import RuntimeKind
from research.rules import Wish
from tests import driving, oracle
from tests.crash.processes import Running, start_sweeper, start_worker
from tests.crash.snapshot import take
from tests.crash.stage import Facts
from tests.factories import QUESTION, a_desk, a_root, a_user, limited
from tests.provider_double import ProviderDouble


class Actors:
    """The processes of one scenario, all on the database and the broker of its environment."""

    def __init__(self, folder: Path, double: ProviderDouble) -> None:
        hints.set_publisher(lambda *_: None)  # the sweeper finds what is owed
        self._folder = folder
        self._double = double
        self._desk = a_desk()
        self._requester = a_user(desks=[self._desk])

    def open(self, tag: str, **limits: Any) -> Root:
        """Open a Root whose requests can be told by `tag`."""
        return a_root(
            text=f"{QUESTION} {tag}",
            requester=self._requester,
            desk=self._desk,
            options=limited(**limits),
        )

    def open_on_samples(self, tag: str) -> Root:
        """Open a Root that requires a dialogue about the sample portfolio."""
        return a_root(
            text=f"{driving.QUESTION} {tag}",
            files=driving.sample_files(),
            wish=Wish.REQUIRE,
            requester=self._requester,
            desk=self._desk,
        )

    def worker(self) -> Running:
        """Start a worker."""
        return start_worker(self._folder / "worker.log")

    def sweeper(self) -> Running:
        """Start a sweeper."""
        return start_sweeper(self._folder / "sweeper.log")

    def judge(self, facts: Facts, name: str, root: Root) -> None:
        """Write down what is on record of a Root, and what the oracle says."""
        hits = self._double.hits()
        facts.roots[name] = take(root.pk, hits)
        try:
            oracle.check(root, hits)
        except AssertionError as error:
            facts.complaints[name] = str(error) or "the oracle complains"


@dataclass(frozen=True)
class Freed:
    """How the executions of a dead worker were freed: how long after its time the first and the last."""

    executions: int
    first_after_seconds: float
    last_after_seconds: float


@dataclass(frozen=True)
class Death:
    """A worker has been killed."""

    worker: UUID
    at: datetime

    @classmethod
    def now(cls) -> Death:
        """Remember the worker that started last, dead now."""
        return cls(Worker.objects.latest("started_at").pk, database_now())

    def seen(self, until: datetime) -> Freed:
        """Read how its executions were freed, before another worker died."""
        freed = Receipt.objects.filter(
            kind=RuntimeKind.CHILD_RESCUED, recorded_at__gt=self.at, recorded_at__lt=until
        )
        over = Worker.objects.get(pk=self.worker).alive_until
        times = sorted(
            (one - over).total_seconds() for one in freed.values_list("recorded_at", flat=True)
        )
        return Freed(len(times), times[0], times[-1])


def running_alone() -> int:
    """Count the executions under way, or none while others still have a step to take."""
    if OutboxEntry.objects.exists():
        return 0
    return Child.objects.filter(state=ChildState.RUNNING).count()


def all_ended(roots: Iterable[Root]) -> bool:
    """Whether all these Roots have ended."""
    ids = [root.pk for root in roots]
    return Root.objects.filter(pk__in=ids, state__in=ENDED_ROOT).count() == len(ids)
