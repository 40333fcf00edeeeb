"""Sixteen dialogues, eight threads, four connections: all end well, and the server sees no more than four.

Source: design.md D3 (runtime), D7; dependencies.md, Celery and Django connections.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connections

from bullbear.lifecycle import ENDED_ROOT
from bullbear.models import OutboxEntry, Root
from dialogue.steps import advance
from tests import oracle
from tests.driving import Driver, Rehearsal
from tests.provider_double import Behaviour, ProviderDouble
from tests.usecases.pooled import Server, pooled, the_server

DIALOGUES, THREADS, CONNECTIONS = 16, 8, 4


def work(driver: Driver, place: int) -> None:
    """Advance whatever is owed until every Root has ended; neighbours may well take the same execution."""
    pause = threading.Event()
    try:
        while Root.objects.exclude(state__in=ENDED_ROOT).exists():
            owed = list(OutboxEntry.objects.order_by("pk").values_list("keys", flat=True))
            if owed:
                one = UUID(owed[place % len(owed)]["execution_id"])
                advance(one, provider=driver.provider, worker=driver.worker)
            else:
                connections.close_all()
                pause.wait(0.01)
    finally:
        connections.close_all()


def watch(server: Server, workers: Sequence[Future[None]]) -> int:
    """Count the application's connections again and again while they work; return the most."""
    most, pause = 0, threading.Event()
    while not all(one.done() for one in workers):
        most = max(most, len(server.sessions()))
        pause.wait(0.002)
    return most


@pytest.mark.usefixtures("database")
def test_many_dialogues_end_at_once(
    asking: Driver, double: ProviderDouble, rehearsal: Rehearsal
) -> None:
    """All are complete, each passes the oracle, each call arrived once."""
    double.otherwise(Behaviour(forward=rehearsal.base_url))
    with pooled(CONNECTIONS), the_server() as server:
        roots = [asking.open() for _ in range(DIALOGUES)]
        connections.close_all()
        with ThreadPoolExecutor(THREADS) as threads:
            workers = [threads.submit(work, asking, place) for place in range(THREADS)]
            most = watch(server, workers)
        for one in workers:
            one.result()
        hits = double.hits()
        for root in roots:
            oracle.check(root, hits)
            assert (root.state, root.result) == ("finished", "complete")
        print(  # noqa: T201  the figures, for whoever runs this with -s
            f"\n{DIALOGUES} dialogues, {THREADS} threads: {len(hits)} calls, "
            f"at most {most} connections of {CONNECTIONS}"
        )
    assert 0 < most <= CONNECTIONS
