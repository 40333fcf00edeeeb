"""When a worker counts as silent."""

from __future__ import annotations

from config.watchdog import SILENT_SECONDS, STARTING_SECONDS, Watch


class TestWatch:
    """`Watch`."""

    def test_says_nothing_while_the_broker_takes_nothing(self) -> None:
        """A dead broker is no silent worker."""
        assert not Watch().silent(now=1e6)

    def test_waits_half_a_minute_for_a_canary_to_be_heard(self) -> None:
        """Counted from the oldest one that the broker took."""
        watch = Watch()
        watch.look(touched=1.0)
        watch.taken(100.0)
        watch.taken(110.0)
        assert not watch.silent(100.0 + SILENT_SECONDS - 0.1)
        assert watch.silent(100.0 + SILENT_SECONDS)

    def test_gives_a_worker_time_to_start(self) -> None:
        """Until it has heard its first one."""
        watch = Watch()
        watch.taken(100.0)
        assert not watch.silent(100.0 + STARTING_SECONDS - 0.1)
        assert watch.silent(100.0 + STARTING_SECONDS)

    def test_counts_anew_once_one_was_heard(self) -> None:
        """The file was touched after it was last seen."""
        watch = Watch()
        watch.taken(100.0)
        watch.look(touched=5.0)
        assert not watch.silent(1e6)
        watch.taken(200.0)
        watch.look(touched=5.0)
        assert watch.silent(200.0 + SILENT_SECONDS)
