"""A broker that is frozen, with its sockets open, is felt by nobody who asks the API.

`python -m tests.outages.frozen_broker` measures the same for a whole minute.
"""

from __future__ import annotations

import pytest

from tests import oracle
from tests.outages.brokers.frozen_load import Figures, Freezing, percentile
from tests.outages.brokers.stack import Stack, ended

BEFORE_SECONDS, FROZEN_SECONDS, AFTER_SECONDS, EVERY_SECONDS = 4.0, 8.0, 1.0, 0.8
SLOWER_AT_MOST = 5.0  # a ratio of one run, on a busy machine
NOT_SLOW_SECONDS = 0.5  # no ratio's business: who waits for the broker waits for seconds
GIVES_UP_AFTER_SECONDS = 30.0


@pytest.fixture(scope="module")
def figures(whole_stack: Stack) -> Figures:
    """One run under load."""
    return Freezing(whole_stack).measure(
        before=BEFORE_SECONDS, frozen=FROZEN_SECONDS, after=AFTER_SECONDS, every=EVERY_SECONDS
    )


def as_before(taken: list[float]) -> float:
    """Return what is no slower than before."""
    return max(NOT_SLOW_SECONDS, SLOWER_AT_MOST * percentile(0.95, taken))


class TestAFrozenBroker:
    def test_slows_no_request_down(self, figures: Figures) -> None:
        """Scenario D04. Opening a Root and reading a page take what they took before."""
        before, frozen = figures.felt["before"], figures.felt["frozen"]
        assert len(frozen.opens) >= FROZEN_SECONDS / EVERY_SECONDS / 2
        assert percentile(0.95, frozen.opens) < as_before(before.opens)
        assert percentile(0.95, frozen.pages) < as_before(before.pages)

    def test_is_waited_for_by_no_commit(self, figures: Figures) -> None:
        """Scenario D04. Roots are committed at the same pace, and so are the answers of calls in flight."""
        before, frozen = figures.felt["before"], figures.felt["frozen"]
        rates = [len(one.opens) / one.seconds for one in (before, frozen)]
        assert rates[1] > 0.5 * rates[0]
        assert frozen.recording < figures.publishing.seconds / 2

    def test_holds_a_publisher_for_a_bounded_time(self, figures: Figures) -> None:
        """Scenario D04. The control: whoever waited for the broker would wait as long as this one."""
        publishing = figures.publishing
        assert publishing.error == "OperationalError"
        assert publishing.seconds < GIVES_UP_AFTER_SECONDS
        assert max(figures.felt["frozen"].opens) < publishing.seconds / 2

    def test_stops_no_root_for_good(self, stack: Stack, figures: Figures) -> None:
        """Scenario D04. After SIGCONT all of them end: the sweeper offers what is owed."""
        assert ended(figures.roots)
        hits = stack.double.hits()
        for root in figures.roots:
            oracle.check(root, hits)
            assert root.result == "complete"
