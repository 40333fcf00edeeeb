"""Hints never wait for their broker: a bounded queue, one thread, a circuit breaker."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from itertools import pairwise

from bullbear.hints import CAPACITY, FIRST_PAUSE_SECONDS, Hints
from config.embedded.processes import wait_until
from tests.outages.brokers.server import READY_SECONDS


class Away(Exception):
    """The broker does not take a hint."""


class Publisher:
    """Publishes, fails or waits as it is told, and notes each try."""

    def __init__(self) -> None:
        self.tried: list[tuple[float, str]] = []
        self.fails = False
        self.may_return = threading.Event()
        self.may_return.set()

    def __call__(self, task: str, keys: Mapping[str, str]) -> None:
        del keys
        self.tried.append((time.monotonic(), task))
        self.may_return.wait()
        if self.fails:
            raise Away

    @property
    def tasks(self) -> list[str]:
        return [task for _, task in self.tried]


def offer_until_tried(hints: Hints, publisher: Publisher, task: str) -> None:
    """Offer a hint again and again until it reaches the publisher."""

    def is_tried() -> bool:
        hints.offer(task, {})
        hints.flush(READY_SECONDS)
        return task in publisher.tasks

    assert wait_until(is_tried, seconds=READY_SECONDS, every=0.02)


class TestOffer:
    """`Hints.offer`."""

    def test_returns_though_the_broker_takes_nothing(self) -> None:
        """Scenario D04. What does not fit into the queue is dropped: the outbox has it."""
        publisher = Publisher()
        publisher.may_return.clear()
        hints = Hints(publisher)
        hints.offer("first", {})
        assert wait_until(lambda: publisher.tasks == ["first"], seconds=READY_SECONDS)
        for number in range(CAPACITY + 5):
            hints.offer(f"hint {number}", {})
        assert publisher.tasks == ["first"]
        publisher.may_return.set()
        hints.flush(READY_SECONDS)
        assert len(publisher.tasks) == 1 + CAPACITY
        assert publisher.tasks[-1] == f"hint {CAPACITY - 1}"


class TestTheBreaker:
    """`Hints`, while publishing fails."""

    def test_drops_hints_for_a_pause_that_grows_until_one_is_taken(self) -> None:
        """Scenario D04. Half a second, then twice as long; anew after a success."""
        publisher = Publisher()
        publisher.fails = True
        hints = Hints(publisher)
        hints.offer("fails", {})
        hints.offer("dropped", {})
        hints.flush(READY_SECONDS)
        assert publisher.tasks == ["fails"]
        offer_until_tried(hints, publisher, "fails again")
        publisher.fails = False
        offer_until_tried(hints, publisher, "taken")
        publisher.fails = True
        offer_until_tried(hints, publisher, "fails anew")
        offer_until_tried(hints, publisher, "and again")
        moments = [moment for moment, _ in publisher.tried]
        first, second, none, anew = [after - before for before, after in pairwise(moments)]
        assert first >= FIRST_PAUSE_SECONDS
        assert second >= 2 * FIRST_PAUSE_SECONDS
        assert none < FIRST_PAUSE_SECONDS
        assert FIRST_PAUSE_SECONDS <= anew < second
