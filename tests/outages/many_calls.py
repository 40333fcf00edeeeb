"""Scenario: one worker has five hundred calls open, loses every session meanwhile, and drains.

Its sessions are counted from outside, as the server sees them, from the first call to the last record.
"""

from __future__ import annotations

import signal
import threading
from dataclasses import dataclass, field, replace
from typing import Self

import psycopg
from django.db import connections

from bullbear.lifecycle import RequestState
from bullbear.models import ModelRequest, Root
from tests import oracle
from tests.crash.stage import Clock, Facts
from tests.outages.crew import Crew, tag, until
from tests.outages.database import Play
from tests.scripted import PLAN, a_plan, says
from tests.usecases.on_record import address

CALLS = 500
POOL = 16
WORKER = "worker of many"
OPENERS = 2
EVERY = 20  # Root is asked about by the oracle
PATIENT = {"provider_timeout_seconds": 600}  # the calls wait for each other, not for a time-out

_STATES = "SELECT coalesce(state, '') FROM pg_stat_activity WHERE application_name = %s"
_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"


@dataclass
class Watch:
    """A thread that counts a worker's sessions again and again.

    Args:
        most: the most sessions at one moment.
        looks: how often they were counted.
    """

    most: int = 0
    looks: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run, name="watch")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        with address("app").connect() as connection:
            while not self._over.wait(0.02):
                self.most = max(self.most, len(states(connection)))
                self.looks += 1


def states(connection: psycopg.Connection) -> list[str]:
    """Say what each session of the worker does."""
    return sorted(row[0] for row in connection.execute(_STATES, [WORKER]))


def scenario(play: Play) -> Facts:
    """Open many Roots, hold all their first calls back, look; then let the worker drain."""
    answer = says(PLAN, a_plan("single"), gate="all")
    play.double.script(replace(answer, times=CALLS))
    crew, facts = Crew(play), Facts()
    settings = {
        "BULLBEAR_WORKER_CONCURRENCY": str(CALLS + 20),
        "BULLBEAR_PERMITS_PER_PROCESS": str(CALLS),
        "BULLBEAR_DATABASE_POOL_SIZE": str(POOL),
    }
    with crew.a_worker(WORKER, **settings) as worker, Watch() as watch:
        crew.wait_for_workers(1)
        clock = Clock()
        roots = _open_many(crew)
        until(lambda: len(play.double.hits()) >= CALLS, "not every call arrives", every=0.5)
        facts.seconds["until all calls are open"] = clock.seconds
        with address("app").connect() as connection:
            _look(facts, connection)
        worker.send(signal.SIGTERM)
        play.double.release("all")
        clock = Clock()
        facts.notes["exit status"] = worker.wait(120)
        facts.seconds["until all are on record"] = clock.seconds
        facts.notes["most sessions"], facts.notes["looks"] = watch.most, watch.looks
    _judge(facts, play, roots)
    return facts


def _open_many(crew: Crew) -> list[Root]:
    roots: list[Root] = []

    def run() -> None:
        roots.extend(crew.open(tag("many"), **PATIENT) for _ in range(CALLS // OPENERS))
        connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(OPENERS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return roots


def _look(facts: Facts, connection: psycopg.Connection) -> None:
    """See what the sessions do while all calls are open, and end them all."""
    seen: list[str] = []

    def at_rest() -> bool:  # the worker renews its row now and then
        seen[:] = states(connection)
        return set(seen) == {"idle"}

    until(at_rest, "some session is busy", every=0.05)
    facts.notes["sessions during the calls"] = seen
    sealed = ModelRequest.objects.filter(state=RequestState.SEALED)
    facts.notes["open calls then"] = sealed.count()
    ended = connection.execute(_END, [WORKER]).fetchall()
    facts.notes["sessions ended during the calls"] = len(ended)


def _judge(facts: Facts, play: Play, roots: list[Root]) -> None:
    hits = play.double.hits()
    facts.notes["hits"] = len(hits)
    facts.notes["acts"] = len({hit.idempotency_key for hit in hits})
    found = ModelRequest.objects.values_list("state", "outcome_class")
    facts.notes["outcomes"] = sorted(set(found))
    facts.notes["requests"] = len(found)
    for root in roots[::EVERY]:
        try:
            oracle.check(root, hits)
        except AssertionError as error:
            facts.complaints[str(root.pk)] = str(error)
