"""Connections: none while a model thinks, a bounded number however many do, a clear word when none is left.

Source: design.md D7; scenarios.md D10, D11.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connections
from django.test import Client

from bullbear.lifecycle import Role
from bullbear.models import Child, ModelRequest, Receipt, Root
from config.embedded.processes import wait_until
from config.outages import RETRY_AFTER_SECONDS
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.exhausted import AFTERWARDS, HELD
from tests.outages.many_calls import CALLS, POOL
from tests.scripted import BULL_CLAIM, BULL_OPENING, an_opening, says
from tests.usecases.conftest import OpenScene, asking, double, double_process, opened
from tests.usecases.pooled import pooled
from tests.usecases.scene import rows_of

pytest_plugins = ["tests.outages.scenarios"]
pytestmark = pytest.mark.usefixtures("played")  # from the first test on
__all__ = ["asking", "double", "double_process", "opened"]  # fixtures
POOL_WAIT_SECONDS = 0.3


@contextmanager
def pool_of_one() -> Iterator[None]:
    """Let this process have a pool of one connection, for which nobody waits long."""
    with pooled(1):
        connections["default"].settings_dict["OPTIONS"]["pool"]["timeout"] = POOL_WAIT_SECONDS
        yield


@contextmanager
def none_left() -> Iterator[None]:
    """Take the pool's only connection, and give it back."""
    connections["default"].close()
    pool: Any = connections["default"].pool  # type: ignore[attr-defined]
    pool.open()
    taken = pool.getconn(timeout=10)
    try:
        yield
    finally:
        pool.putconn(taken)


class TestFiveHundredCalls:
    """One worker, five hundred calls open at once."""

    def test_are_all_open_at_once(self, many_calls: Facts) -> None:
        """Scenario D11. Each is sealed and has arrived, and none has an outcome."""
        assert many_calls.notes["open calls then"] == CALLS
        assert (many_calls.notes["hits"], many_calls.notes["acts"]) == (CALLS, CALLS)

    def test_need_no_more_connections_than_the_pool_has(self, many_calls: Facts) -> None:
        """Scenario D11. Counted at the server from the first begin to the last record."""
        most, looks = many_calls.notes["most sessions"], many_calls.notes["looks"]
        assert isinstance(most, int)
        assert isinstance(looks, int)
        assert looks > 100
        assert 0 < most <= POOL

    def test_hold_none(self, many_calls: Facts) -> None:
        """Scenario D11. Every session is idle; all are ended, and no call notices."""
        assert set(cast("list[str]", many_calls.notes["sessions during the calls"])) == {"idle"}
        ended = many_calls.notes["sessions ended during the calls"]
        assert isinstance(ended, int)
        assert ended > 0
        assert many_calls.notes["outcomes"] == [("answered", "valid")]
        assert many_calls.notes["requests"] == CALLS

    def test_are_seen_through_by_a_worker_that_is_told_to_stop(self, many_calls: Facts) -> None:
        """Scenario D12. It ends by itself once all of them are on record."""
        assert many_calls.notes["exit status"] == 0
        assert many_calls.complaints == {}


class TestAServerWithoutConnections:
    """`max_connections` is reached."""

    def test_says_so_to_who_opens_a_root(self, killed: Facts) -> None:
        """Scenario D10. A clear error, and nothing was written."""
        refusal = killed.notes["refusal"]
        assert isinstance(refusal, str)
        assert "too many clients" in refusal or "remaining connection slots" in refusal
        assert killed.notes["roots then"] == killed.notes["roots before"]

    def test_loses_no_answer(self, killed: Facts) -> None:
        """Scenario D10. Its record found no connection, waited for one, and stands."""
        waited = killed.notes["records that waited"]
        assert isinstance(waited, int)
        assert waited > 0
        assert killed.complaints.get(HELD, "") == ""
        end = killed.roots[HELD]
        assert isinstance(end, Snapshot)
        assert (end.state, end.result, end.gap_codes()) == ("finished", "complete", [])
        assert {call.state for call in end.calls} == {"answered"}
        assert all(end.reached(call) == 1 for call in end.calls)

    def test_serves_again_once_there_are_some(self, killed: Facts) -> None:
        """Scenario D10. Nobody had to be started again."""
        assert killed.complaints.get(AFTERWARDS, "") == ""
        end = killed.roots[AFTERWARDS]
        assert isinstance(end, Snapshot)
        assert (end.state, end.result) == ("finished", "complete")


@pytest.mark.usefixtures("database")
class TestAnEmptyPool:
    """Every connection of this process is taken."""

    def test_refuses_a_step_and_leaves_it_owed(self, opened: OpenScene) -> None:
        """Scenario D10. A clear error, nothing written; the same step succeeds later."""
        scene = opened()
        main = scene.child(Role.MAIN)
        before = rows_of(Child, ModelRequest, Receipt)
        with pool_of_one():
            with (
                none_left(),
                pytest.raises(OperationalError, match="couldn't get a connection"),
            ):
                scene.driver.step(main)
            assert rows_of(Child, ModelRequest, Receipt) == before
            assert scene.double.hits() == []
            assert [child.pk for child in scene.driver.owed(scene.root)] == [main.pk]
            root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")

    def test_keeps_an_answer_waiting_and_not_lost(
        self, opened: OpenScene, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Scenario D10. The call is made once; its record comes when a connection is free."""
        scene = opened(says(BULL_OPENING, an_opening(BULL_CLAIM), gate="held"))
        scene.step(Role.MAIN)
        with pool_of_one():
            with scene.in_call(Role.BULL, "held"), none_left():
                scene.double.release("held")
                assert wait_until(lambda: "record_waits" in caplog.text, seconds=30)
            root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")
        assert scene.outcomes(Role.BULL, "opening") == [(1, 1, "answered", "valid")]

    def test_is_a_503_to_who_asks_the_web_process(self, analyst: User) -> None:
        """Scenario D10. With a time to come back, and the page once there is a connection."""
        analyst.is_staff = analyst.is_superuser = True
        analyst.save()
        client = Client()
        client.force_login(analyst)
        page = "/admin/bullbear/root/"
        with pool_of_one():
            with none_left():
                refused = client.get(page)
            assert (refused.status_code, refused["Retry-After"]) == (503, str(RETRY_AFTER_SECONDS))
            assert client.get(page).status_code == 200
        assert Root.objects.count() == 0
