"""A worker process begins no more executions at once than it has permits.

Source: design.md D7 (Note [Hint]), D17.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping

import pytest

from bullbear import hints
from bullbear.outbox import ADVANCE
from bullbear.worker import Permits

SECONDS = 10.0


@pytest.fixture
def offered() -> Iterator[queue.Queue[tuple[str, Mapping[str, str]]]]:
    """What this process's hints publish."""
    taken: queue.Queue[tuple[str, Mapping[str, str]]] = queue.Queue()
    hints.set_publisher(lambda task, keys: taken.put((task, keys)))
    yield taken
    hints.set_publisher(lambda _task, _keys: None)


class TestPermits:
    def test_are_taken_until_none_is_free(self) -> None:
        """And one that was given back can be taken again."""
        permits = Permits(free=2)
        assert [permits.take(one) for one in ("a", "b", "c")] == [True, True, False]
        permits.give_back()
        assert [permits.take(one) for one in ("d", "e")] == [True, False]

    def test_offer_the_hint_of_whoever_waits_longest_again(
        self, offered: queue.Queue[tuple[str, Mapping[str, str]]]
    ) -> None:
        """Once for each permit that is given back, however often he asked."""
        permits = Permits(free=1)
        permits.take("a")
        for waiting in ("b", "c", "b"):
            assert not permits.take(waiting)
        permits.give_back()
        assert offered.get(timeout=SECONDS) == (ADVANCE, {"execution_id": "b"})
        permits.take("b")
        permits.give_back()
        assert offered.get(timeout=SECONDS) == (ADVANCE, {"execution_id": "c"})
        permits.give_back()
        assert offered.empty()

    def test_are_gone_once_the_worker_drains(self) -> None:
        """Also where one is given back: nothing is begun any more, and nobody is offered again."""
        permits = Permits(free=1)
        permits.none_free()
        permits.give_back()
        assert not permits.take("a")
