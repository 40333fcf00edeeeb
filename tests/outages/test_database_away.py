"""PostgreSQL is gone for half a minute: everybody waits, says so, and goes on by itself.

Source: design.md D7; scenarios.md D09.
"""

from __future__ import annotations

from typing import cast

import pytest

from config.outages import RETRY_AFTER_SECONDS
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.away import AFTERWARDS, BEFORE, GONE_SECONDS
from tests.outages.crew import Answer

pytest_plugins = ["tests.outages.scenarios"]
# Of one processor; what waits in a busy loop takes all of it.
MOST_OF_A_PROCESSOR = 0.25
MOST_LINES_A_SECOND = 20


class TestTheWebProcess:
    def test_answers_503_and_when_to_come_back(self, away: Facts) -> None:
        """Scenario D09. Every request while the database is gone; none before."""
        asked = cast("list[Answer]", away.notes["meanwhile"])
        assert away.seconds["gone"] >= GONE_SECONDS
        assert len(asked) > 1
        assert {(one.status, one.retry_after) for one in asked} == {
            (503, str(RETRY_AFTER_SECONDS))
        }
        before = away.notes["before"]
        assert isinstance(before, Answer)
        assert (before.status, before.retry_after) == (200, "")

    def test_goes_on_by_itself(self, away: Facts) -> None:
        """Scenario D09. The same process, the same session."""
        assert away.notes["still running"] == [True, True, True]
        assert away.seconds["until the web is back"] < GONE_SECONDS


class TestWhoeverWaits:
    @pytest.mark.parametrize("name", ["worker", "sweeper"])
    def test_is_in_no_busy_loop(self, away: Facts, name: str) -> None:
        """Scenario D09. With a call's answer in hand, a queued hint, and a row to renew."""
        efforts = cast("dict[str, tuple[float, int]]", away.notes["efforts"])
        cpu, _ = efforts[name]
        assert cpu < MOST_OF_A_PROCESSOR * away.seconds["gone"]

    @pytest.mark.parametrize("name", ["worker", "sweeper"])
    def test_does_not_flood_its_log(self, away: Facts, name: str) -> None:
        """Scenario D09. And is not silent either."""
        efforts = cast("dict[str, tuple[float, int]]", away.notes["efforts"])
        _, lines = efforts[name]
        assert 0 < lines < MOST_LINES_A_SECOND * away.seconds["gone"]


class TestEveryRoot:
    @pytest.mark.parametrize("name", [*BEFORE, AFTERWARDS])
    def test_ends_as_if_nothing_had_been(self, away: Facts, name: str) -> None:
        """Scenario D09. Nothing is unknown, nothing was asked twice, nobody was rescued."""
        assert away.complaints.get(name, "") == ""
        end = away.roots[name]
        assert isinstance(end, Snapshot)
        assert (end.state, end.result, end.gap_codes()) == ("finished", "complete", [])
        assert {call.state for call in end.calls} == {"answered"}
        assert all(end.reached(call) == 1 for call in end.calls)
        assert end.receipts["child_rescued"] == 0

    def test_is_accounted_for(self, away: Facts) -> None:
        """Scenario D09. Nothing arrived that was not sealed, and nothing stayed behind."""
        assert (away.notes["strays"], away.notes["unfinished"]) == ([], 0)
