"""What a sweeper has seen of the database decides whom it may call dead.

Source: design.md D7 (Note [Sweeper]); scenario A20.
"""

from __future__ import annotations

import time

import pytest

from bullbear.sweep import BLIND_SECONDS, SEEN_SECONDS, Sight, sweep
from bullbear.wire.clock import steady_seconds
from bullbear.worker import ALIVE_SECONDS, RENEW_SECONDS


def long_sight() -> Sight:
    """Return the sight of a sweeper that has seen the database for long, and a moment ago."""
    return Sight(since=time.monotonic() - SEEN_SECONDS - 1, rested_at=steady_seconds() - 1)


class TestSight:
    def test_is_unbroken_after_fifteen_seconds(self) -> None:
        """And not before."""
        assert long_sight().unbroken
        sight = long_sight()
        sight.lost()
        assert not sight.unbroken
        assert not Sight().unbroken

    def test_goes_on_over_a_short_rest(self) -> None:
        """As between two sweeps."""
        sight = long_sight()
        sight.look_again()
        assert sight.unbroken

    def test_breaks_where_the_sweeper_itself_was_stopped(self) -> None:
        """Scenario A20: stopped while the database was away, it calls no live worker dead."""
        sight = long_sight()
        sight.rested_at = steady_seconds() - BLIND_SECONDS
        sight.look_again()
        assert not sight.unbroken

    def test_is_blind_no_longer_than_a_renewed_worker_lives(self) -> None:
        """Otherwise an outage that nobody saw could end a live lease."""
        assert BLIND_SECONDS <= ALIVE_SECONDS - RENEW_SECONDS


@pytest.mark.usefixtures("database")
class TestSweep:
    def test_notes_when_it_last_saw_the_database(self) -> None:
        """At the end of each sweep."""
        sight = Sight()
        sweep(sight)
        assert sight.rested_at is not None
        assert steady_seconds() - sight.rested_at < 5
