"""Load on a stack whose broker is frozen for a while, and what it felt: before, meanwhile and afterwards.

Roots are opened and a page of the admin is read at a steady pace throughout.  A few more Roots have a call in
flight whose answer comes in a given phase: recording it needs no broker.  What does need one is the *next*
execution's hint: it waits for the broker, and all Roots must end once that goes on.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connections

from bullbear.lifecycle import RequestState, Role
from bullbear.models import ModelRequest, Root
from bullbear.outbox import ADVANCE
from config.embedded.processes import wait_until
from tests.factories import QUESTION
from tests.outages.brokers.browser import Browser
from tests.outages.brokers.host import Done
from tests.outages.brokers.scripts import ANSWERED, ANSWERED_IN_A_PHASE
from tests.outages.brokers.stack import PATIENCE_SECONDS, Stack, execution

PHASES = ("before", "frozen", "after")
PAGE = "admin/bullbear/root/"
PASSWORD = "a long password of nobody"
_ANSWERED_AFTER_SECONDS = 1.0


@dataclass
class Felt:
    """How long things took in one phase.

    Units: seconds.
    """

    opens: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    seconds: float = 0.0
    commits: int = 0  # of all sessions of the database, reading ones included
    recording: float = 0.0  # from the answers' release until all are on record

    @property
    def commits_per_second(self) -> float:
        """Transactions committed per second."""
        return self.commits / self.seconds


@dataclass
class Figures:
    """What was measured in one run.

    Args:
        publishing: a hint put into the frozen broker as if somebody waited for it, which nobody does.
        until_the_end: from SIGCONT until every Root had ended, in seconds.
    """

    felt: dict[str, Felt]
    publishing: Done
    roots: list[Root]
    until_the_end: float


def percentile(share: float, values: Sequence[float]) -> float:
    """Return a percentile, by the nearest rank."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


class Load:
    """Opens Roots and reads pages at a steady pace."""

    def __init__(self, stack: Stack, reader: Browser, *, every: float) -> None:
        self._stack = stack
        self._reader = reader
        self._every = every
        self._stop = threading.Event()
        self.phase = PHASES[0]
        self.felt = {phase: Felt() for phase in PHASES}
        self.opened: list[UUID] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Load the stack while the block runs."""
        with ThreadPoolExecutor(2) as threads:
            waited = [threads.submit(self._open), threads.submit(self._read)]
            try:
                yield
            finally:
                self._stop.set()
                for one in waited:
                    one.result()

    def _open(self) -> None:
        who = (self._stack.requester.pk, self._stack.desk.pk)
        while not self._stop.wait(self._every):
            phase = self.phase
            root, seconds = self._stack.host.open(*who, QUESTION)
            self.opened.append(root)
            self.felt[phase].opens.append(seconds)

    def _read(self) -> None:
        while not self._stop.wait(self._every / 4):
            phase = self.phase
            page, seconds = self._reader.get(PAGE)
            assert "Root" in page
            self.felt[phase].pages.append(seconds)


class Freezing:
    """A stack whose broker is frozen under load; it gets a web process."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        url = stack.web()
        User.objects.create_superuser("reader", password=PASSWORD)
        self._waits = stack.another_host("waits")
        self._reader = Browser(url, "reader", PASSWORD)

    def measure(self, *, before: float, frozen: float, after: float, every: float) -> Figures:
        """Freeze the broker for so many seconds, and at least until a publisher gave up."""
        stack = self.stack
        in_calls = {phase: self._in_calls(phase) for phase in ("before", "frozen")}
        load = Load(stack, self._reader, every=every)
        hinted = execution(in_calls["before"][0], Role.MAIN)
        with load.running():
            with self._phase(load, "before") as began:
                self._let_record("before", in_calls["before"], load)
                _wait_until(began + before)
            stack.broker.freeze()
            with self._phase(load, "frozen") as began, ThreadPoolExecutor(1) as aside:
                waiting = aside.submit(self._waits.publish, ADVANCE, execution_id=str(hinted))
                self._let_record("frozen", in_calls["frozen"], load)
                publishing = waiting.result()
                _wait_until(began + frozen)
            stack.broker.go_on()
            back = time.monotonic()
            with self._phase(load, "after") as began:
                _wait_until(began + after)
        opened = list(Root.objects.filter(pk__in=load.opened))
        roots = [*opened, *in_calls["before"], *in_calls["frozen"]]
        stack.wait_for_end(*roots)
        return Figures(load.felt, publishing, roots, time.monotonic() - back)

    def _in_calls(self, phase: str) -> list[Root]:
        roots = [self.stack.open(ANSWERED[phase]) for _ in range(ANSWERED_IN_A_PHASE)]
        self.stack.see(lambda: _count(roots, RequestState.SEALED) == ANSWERED_IN_A_PHASE)
        return roots

    @contextmanager
    def _phase(self, load: Load, phase: str) -> Iterator[float]:
        load.phase = phase
        began, commits = time.monotonic(), _commits()
        yield began
        load.felt[phase].seconds = time.monotonic() - began
        load.felt[phase].commits = _commits() - commits

    def _let_record(self, phase: str, roots: list[Root], load: Load) -> None:
        time.sleep(_ANSWERED_AFTER_SECONDS)  # into the phase
        began = time.monotonic()
        self.stack.double.release(phase)
        recorded = wait_until(
            lambda: _count(roots, RequestState.ANSWERED) >= ANSWERED_IN_A_PHASE,
            seconds=PATIENCE_SECONDS,
            every=0.02,
        )
        assert recorded, self.stack.log_of("worker")[-3000:]
        load.felt[phase].recording = time.monotonic() - began


def _wait_until(moment: float) -> None:
    """Let the load do its work until then; what it feels is what the phase is for."""
    time.sleep(max(0.0, moment - time.monotonic()))


def _count(roots: list[Root], state: RequestState) -> int:
    plans = ModelRequest.objects.filter(root__in=roots, purpose="plan", state=state)
    return plans.count()


def _commits() -> int:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )
        found = cursor.fetchone()
    assert found is not None
    return int(found[0])
