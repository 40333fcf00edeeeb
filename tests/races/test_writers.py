"""B15: eight writers on one receipt chain.

Eight processes append facts to one Root at once.  Its chain must be dense and linked.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from uuid import UUID

import pytest
from django.db import connections

from bullbear.locks import hold_root
from bullbear.models import Child, Receipt
from bullbear.parking import wake
from bullbear.receipts import link
from bullbear.transactions import transaction
from tests.races.naive import race, run, value
from tests.races.naive import transaction as naive_transaction
from tests.usecases.conftest import OpenScene

WRITERS, FACTS = 8, 15


@pytest.mark.usefixtures("database")
class TestOurs:
    """Head and next place are read and written under the Root lock."""

    def test_a_chain_is_dense_and_linked(self, opened: OpenScene) -> None:
        """120 facts by eight writers: no hole, no fork, no fact lost. Scenario B15."""
        scene = opened()
        together = threading.Barrier(WRITERS)
        before = Receipt.objects.count()

        def write(root_id: UUID) -> None:
            try:
                together.wait(30)
                for _ in range(FACTS):
                    with transaction(), hold_root(root_id) as held:
                        wake(held, Child.objects.get(root=held.root), "timer")
            finally:
                connections.close_all()

        with ThreadPoolExecutor(WRITERS) as threads:
            for one in [threads.submit(write, scene.root.pk) for _ in range(WRITERS)]:
                one.result()
        receipts = list(Receipt.objects.filter(root=scene.root).order_by("seq"))
        assert [one.seq for one in receipts] == list(range(1, before + WRITERS * FACTS + 1))
        for earlier, later in pairwise(receipts):
            assert bytes(later.previous) == bytes(earlier.digest)
            assert bytes(later.digest) == link(bytes(earlier.digest), bytes(later.body))
        scene.root.refresh_from_db()
        assert bytes(scene.root.receipts_head) == bytes(receipts[-1].digest)
        assert scene.end().result == "complete"


def append() -> None:
    """A writer: read the last place, and write the next."""
    with naive_transaction():
        last = value("SELECT coalesce(max(seq), 0) FROM naive.chain")
        run("INSERT INTO naive.chain (seq, previous) VALUES (%s, %s)", last + 1, last)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read the head, then write behind it."""

    def test_a_chain_forks(self) -> None:
        """Scenario B15, control: two writers suffice for two facts in one place."""
        explored = race(
            lambda: value("SELECT array_agg(seq ORDER BY seq) FROM naive.chain") == [1, 2],
            {"one": append, "other": append},
        )
        assert explored.figures == (20, 18)
