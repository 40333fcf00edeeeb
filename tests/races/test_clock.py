"""B14: waiting for the lock crosses the deadline.

A worker begins a step in time and has to wait for the Root lock; meanwhile the time of peers runs out.  What
the step goes by is the clock after the wait: nothing is sealed any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection, connections

from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Receipt
from bullbear.queries import database_now
from bullbear.transactions import transaction
from dialogue.cancel import cancel
from tests.races.explorer import Outcomes
from tests.races.naive import nothing_behind, race, run, say, value
from tests.races.sessions import Act
from tests.races.stage import Stage
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene
from tests.usecases.test_deadline import peers_stop_in, until

# Not from pg_stat_activity: within a transaction that stays as it was first read.
_WAIT_FOR_ME = """
SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
"""


def somebody_waits_for_me() -> bool:
    """Whether another session waits for a lock of this one."""
    with connection.cursor() as cursor:
        cursor.execute(_WAIT_FOR_ME)
        return bool(cursor.fetchone()[0])


def kept_waiting(root_id: UUID, act: Act, until_then: Callable[[], bool]) -> bool:
    """Run an act that has to wait for the Root lock until something holds; say whether it began before."""

    def in_its_thread() -> None:
        try:
            act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=in_its_thread)
    with transaction(), hold_root(root_id):
        thread.start()
        until(somebody_waits_for_me)
        in_time = not until_then()
        until(until_then)
    thread.join(30)
    assert not thread.is_alive()
    return in_time


@pytest.mark.usefixtures("database")
class TestOurs:
    """`now` is `clock_timestamp()` of the statement that has got the lock."""

    def test_nothing_is_sealed_after_the_wait(self, opened: OpenScene) -> None:
        """The step that began in time names the deadline itself, and asks nobody. Scenario B14."""
        scene = opened(options=peers_stop_in(3))
        scene.step(Role.MAIN)
        stage = Stage(scene)
        root = scene.root

        def time_is_over() -> bool:
            return database_now() >= root.peers_stop_at

        assert kept_waiting(root.pk, stage.begins(Role.BULL), time_is_over)
        assert scene.requests(Role.BULL) == []
        assert scene.child(Role.BULL).state == "finished"
        [fact] = scene.facts("root_finalizing")
        assert fact["subjects"] == {"cause": "deadline"}
        assert stage.end({}).result == "partial"
        scene.check()

    def test_a_chain_is_never_back_dated(self, challenged: Scene) -> None:
        """Whoever waited for the lock writes the later time. Scenario B14."""
        stage = Stage(challenged)
        response = stage.answered(Role.BULL)

        def holds(_: Outcomes) -> None:
            found = Receipt.objects.filter(root=challenged.root).order_by("seq")
            times = list(found.values_list("recorded_at", flat=True))
            assert times == sorted(times)

        explored = stage.race(
            holds,
            {"bull": stage.records(response), "operator": lambda: cancel(challenged.root.pk)},
        )
        assert explored.held() == 4
        assert any(one.waited for one in explored.ran)


def keep_past_the_deadline() -> None:
    """Somebody: hold the Root while its time runs out."""
    with transaction():
        run("SELECT FROM naive.root FOR NO KEY UPDATE")
        run("UPDATE naive.root SET deadline_at = clock_timestamp()")
        say("deadline", "holder")


def seal_in_time(clock: str) -> None:
    """A worker: lock the Root, compare its deadline with a clock, and seal."""
    with transaction():
        run("SELECT FROM naive.root FOR NO KEY UPDATE")
        if value(f"SELECT {clock} < deadline_at FROM naive.root"):  # noqa: S608  one of two clocks
            say("seal", clock)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Compare with the transaction's `now()`."""

    @pytest.mark.parametrize(
        ("clock", "figures"), [("now()", (8, 1)), ("clock_timestamp()", (8, 0))]
    )
    def test_seals_after_the_deadline(self, clock: str, figures: tuple[int, int]) -> None:
        """Scenario B14, control: the stale clock says that there is time, the other does not."""
        explored = race(
            lambda: nothing_behind("deadline", "seal"),
            {"holder": keep_past_the_deadline, "worker": lambda: seal_in_time(clock)},
        )
        assert explored.figures == figures
