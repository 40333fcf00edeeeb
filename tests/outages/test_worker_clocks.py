"""Wall clocks of workers and sweepers that are an hour off change nothing.

Source: design.md D7; scenarios.md E01.
"""

from __future__ import annotations

from typing import cast

import pytest

from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.clocks import CASES, HOUR, HUNG, LATE, PLAIN, REJECTED, outcome

pytest_plugins = ["tests.outages.scenarios"]
ENDS = {
    PLAIN: ("finished", "completed", "complete", "settled"),
    REJECTED: ("finished", "completed", "complete", "settled"),
    HUNG: ("finished", "completed", "partial", "outcome_unknown"),
    LATE: ("finished", "deadline", "partial", "deadline"),
}


def ended(clocks: Facts, case: str, clock: str) -> Snapshot:
    name = f"{case}, {clock}"
    assert clocks.complaints.get(name, "") == ""
    end = clocks.roots[name]
    assert isinstance(end, Snapshot)
    return end


class TestAnHour:
    @pytest.mark.parametrize("case", CASES)
    def test_changes_no_outcome(self, clocks: Facts, case: str) -> None:
        """Scenario E01. Retries, time-outs and deadlines are the database's and the steady clock's."""
        right, wrong = (outcome(ended(clocks, case, clock)) for clock in ("right", "wrong"))
        assert right.end == ENDS[case]
        assert wrong == right

    @pytest.mark.parametrize("case", CASES)
    def test_ends_no_lease(self, clocks: Facts, case: str) -> None:
        """Scenario E01. A worker an hour behind is not dead, and one an hour ahead has not overstayed."""
        end = ended(clocks, case, "wrong")
        assert {one.rescues for one in end.children.values()} == {0}
        assert all(end.reached(call) <= 1 for call in end.calls)

    def test_stands_nowhere_on_record(self, clocks: Facts) -> None:
        """Scenario E01. Every fact carries the database's time."""
        assert clocks.notes["on record outside"] == []

    def test_really_was_off(self, clocks: Facts) -> None:
        """A control: what the processes themselves took for the time."""
        said = cast("dict[str, float]", clocks.notes["clocks"])
        off = {name: round(seconds / HOUR) for name, seconds in said.items()}
        assert off == {"wrong-1": 1, "wrong-2": -1, "wrong-sweeper": 1}
