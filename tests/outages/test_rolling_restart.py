"""All workers are replaced under load, by SIGTERM, one after another.

Source: design.md D7, Note [Leases]; scenarios.md D12.
"""

from __future__ import annotations

import pytest

from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.rolling import HELD, HINTED, LOAD

pytest_plugins = ["tests.outages.scenarios"]


def ended(rolling: Facts, name: str) -> Snapshot:
    assert rolling.complaints.get(name, "") == ""
    end = rolling.roots[name]
    assert isinstance(end, Snapshot)
    return end


class TestAWorkerThatIsToldToStop:
    def test_sees_its_open_call_through(self, rolling: Facts) -> None:
        """Scenario D12. It waits for the answer, records it, and ends by itself."""
        assert rolling.notes["waits for its call"]
        assert rolling.notes["exit statuses"] == [0, 0]
        opening = ended(rolling, HELD).calls_of("bull", "opening")
        assert [(one.attempt, one.state, one.outcome) for one in opening] == [
            (1, "answered", "valid")
        ]

    def test_begins_nothing_more(self, rolling: Facts) -> None:
        """Scenario D12. While others take up the load, it runs the one call that it had."""
        running = rolling.notes["runs meanwhile"]
        assert isinstance(running, list)
        assert [role for _, role in running] == ["bull"]

    def test_was_stopped_under_load(self, rolling: Facts) -> None:
        """A control: executions were running when the second one was told to stop."""
        under_way = rolling.notes["under way at the second"]
        assert isinstance(under_way, int)
        assert under_way > 0


class TestEveryRoot:
    @pytest.mark.parametrize("name", [HINTED, HELD, *LOAD])
    def test_loses_no_step_and_makes_no_call_twice(self, rolling: Facts, name: str) -> None:
        """Scenario D12. Complete, nothing unknown, nobody rescued, each call arrived once."""
        end = ended(rolling, name)
        assert (end.state, end.result, end.gap_codes()) == ("finished", "complete", [])
        assert {call.state for call in end.calls} == {"answered"}
        assert all(end.reached(call) == 1 for call in end.calls)
        assert len(end.calls) == 6
        assert {one.rescues for one in end.children.values()} == {0}

    def test_is_accounted_for(self, rolling: Facts) -> None:
        """Scenario D12. Nothing arrived that was not sealed, and nothing stayed behind."""
        assert (rolling.notes["strays"], rolling.notes["unfinished"]) == ([], 0)
