"""Who acts in a scenario: somebody who asks, workers, sweepers, a web process; and who watches the database.

Imported once Django is set up.
"""

from __future__ import annotations

import http.client
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, connections
from django.test import Client

from audit.oracle import stray_arrivals
from audit.viewer import READER
from bullbear import hints
from bullbear.lifecycle import ENDED_ROOT
from bullbear.models import Receipt, Root, Worker
from config.celery import publish
from config.embedded.ports import LOOPBACK, free_port
from config.embedded.processes import wait_until
from tests.crash.actors import Actors, all_ended
from tests.crash.processes import POOL, Running, start
from tests.crash.stage import Facts
from tests.outages.database import PATIENCE_SECONDS, Play

AWAY = (OperationalError, InterfaceError)
OPENER_PAUSE_SECONDS = 0.2
PAGE = "/admin/bullbear/root/"


def tag(name: str) -> str:
    """Name a Root by what stands in its question, and so in each of its requests."""
    return f"(Root {name}.)"


def until(holds: Callable[[], bool], what: str, *, every: float = 0.1) -> None:
    """Wait until something holds, and fail by its name where it does not."""
    assert wait_until(holds, seconds=PATIENCE_SECONDS, every=every), what


class Crew(Actors):
    """The processes of one scenario; whoever asks here offers hints as every process does."""

    def __init__(self, play: Play) -> None:
        super().__init__(play.folder, play.double)
        hints.set_publisher(publish)
        self.play = play

    def start(self, name: str, module: str, *arguments: str, **environment: str) -> Running:
        """Start one of our modules under a name of its own."""
        told = POOL | {"BULLBEAR_PROCESS_NAME": name} | environment
        return start(module, *arguments, log=self.log_of(name), **told)

    def log_of(self, name: str) -> Path:
        """Say where a process writes."""
        return self.play.folder / f"{name}.log"

    def a_worker(self, name: str, **environment: str) -> Running:
        """Start a Celery worker."""
        return self.start(name, "tests.crash.worker_entry", **environment)

    def a_sweeper(self, name: str = "sweeper") -> Running:
        """Start a sweeper."""
        return self.start(name, "config.cli.main", "sweeper")

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many workers have come since the beginning."""
        until(lambda: Worker.objects.count() >= count, f"{count} workers do not come")

    def have_ended(self, roots: Iterable[Root]) -> bool:
        """Whether these Roots have ended, as far as the database says so."""
        try:
            return all_ended(list(roots))
        except AWAY:
            connections.close_all()
            return False

    def wait_for_end(self, roots: Iterable[Root]) -> None:
        """Wait until these Roots have ended."""
        until(lambda: self.have_ended(roots), "not every Root ends")

    def wait_for_arrivals(self, calls: dict[str, str]) -> None:
        """Wait until a call of each Root has arrived: its name, and what stands in the request."""
        double = self.play.double

        def arrived() -> bool:
            bodies = [double.body(hit) for hit in double.hits()]
            return all(
                any(tag(name).encode() in body and when.encode() in body for body in bodies)
                for name, when in calls.items()
            )

        until(arrived, f"the calls of {', '.join(calls)} do not arrive", every=0.2)

    def judge_all(self, facts: Facts, roots: dict[str, Root]) -> None:
        """Write down what is on record of all Roots, and whether anything arrived unsealed."""
        for name, root in roots.items():
            self.judge(facts, name, root)
        facts.notes["strays"] = [str(one) for one in stray_arrivals(self.play.double.hits())]
        facts.notes["unfinished"] = Root.objects.exclude(state__in=ENDED_ROOT).count()


@dataclass
class Seen:
    """Receipts that somebody has seen committed: they were acknowledged."""

    found: dict[tuple[str, int], str] = field(default_factory=dict)

    def look(self) -> None:
        """Read the chains of all Roots, if the database is there."""
        try:
            self.found |= self._standing()
        except AWAY:
            connections[READER].close()

    def lost(self) -> list[tuple[str, int]]:
        """Name those that stand no more, or with another digest."""
        standing = self._standing()
        return [place for place, digest in self.found.items() if standing.get(place) != digest]

    @staticmethod
    def _standing() -> dict[tuple[str, int], str]:
        rows = Receipt.objects.using(READER).values_list("root_id", "seq", "digest")
        return {(str(root), seq): bytes(digest).hex() for root, seq, digest in rows}


@dataclass
class Opener:
    """A thread that opens Roots, one after another, through every outage.

    Args:
        acknowledged: those whose opening came back without an error.
        failed: how often one did not.
    """

    crew: Crew
    count: int
    acknowledged: list[Root] = field(default_factory=list)
    failed: int = 0

    def __post_init__(self) -> None:
        threading.Thread(target=self._run, name="opener", daemon=True).start()

    def has_opened(self, count: int) -> bool:
        """Whether so many Roots are open."""
        return len(self.acknowledged) >= count

    def _run(self) -> None:
        pause = threading.Event()
        while len(self.acknowledged) < self.count:
            try:
                self.acknowledged.append(self.crew.open(tag(f"load {len(self.acknowledged)}")))
            except AWAY:
                self.failed += 1
                connections.close_all()
            pause.wait(OPENER_PAUSE_SECONDS)
        connections.close_all()


@dataclass(frozen=True)
class Answer:
    """What the web process answered."""

    status: int
    retry_after: str
    seconds: float


class Web:
    """A web process, asked for a page that somebody who is logged in may see."""

    def __init__(self, crew: Crew) -> None:
        admin = User.objects.create_superuser("admin")
        client = Client()
        client.force_login(admin)
        self._cookie = f"sessionid={client.cookies['sessionid'].value}"
        self._port = free_port()
        self.process = crew.start(
            "web",
            "gunicorn",
            *("--config", "python:config.gunicorn_conf", "config.wsgi"),
            BULLBEAR_WEB_PORT=str(self._port),
            BULLBEAR_SECRET_KEY=os.environ["BULLBEAR_SECRET_KEY"],
        )
        until(lambda: self.status() == 200, "the web process does not answer")

    def ask(self) -> Answer:
        """Ask for the page."""
        began = time.monotonic()
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=60)
        try:
            connection.request("GET", PAGE, headers={"Cookie": self._cookie})
            response = connection.getresponse()
            response.read()
            retry_after = response.headers.get("Retry-After", "")
            return Answer(response.status, retry_after, time.monotonic() - began)
        finally:
            connection.close()

    def status(self) -> int:
        """Return the status of an answer, or 0 where nobody listens yet."""
        try:
            return self.ask().status
        except OSError:
            return 0
