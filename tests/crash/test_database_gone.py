"""The database is gone for 30 s while calls are in flight."""

from __future__ import annotations

import pytest

from tests.crash.outage import GONE_SECONDS, IN_FLIGHT
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts


class TestTheDatabaseIsGone:
    @pytest.mark.parametrize("name", [*IN_FLIGHT, "opened afterwards"])
    def test_every_answer_is_recorded_when_it_is_back(self, outage: Facts, name: str) -> None:
        """Scenario A20. No call is unknown, none is repeated, and the Root ends as if nothing had been."""
        assert outage.seconds["gone"] >= GONE_SECONDS
        assert outage.complaints.get(name, "") == ""
        end = outage.roots[name]
        assert isinstance(end, Snapshot)
        assert {call.state for call in end.calls} == {"answered"}
        assert all(end.reached(call) == 1 for call in end.calls)
        assert (end.state, end.result, end.gap_codes()) == ("finished", "complete", [])

    @pytest.mark.parametrize("name", IN_FLIGHT)
    def test_no_live_lease_is_ended(self, outage: Facts, name: str) -> None:
        """Scenario A20."""
        end = outage.roots[name]
        assert isinstance(end, Snapshot)
        assert end.receipts["child_rescued"] == 0
        assert {one.rescues for one in end.children.values()} == {0}
