"""PostgreSQL is killed under load, whole and by a backend: what was acknowledged stands, the rest goes on.

Source: design.md D4; scenarios.md D08.
"""

from __future__ import annotations

import pytest

from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.killed import ROOTS

pytest_plugins = ["tests.outages.scenarios"]
LOAD = [f"load {number}" for number in range(ROOTS)]


class TestAcknowledgedReceipts:
    def test_all_stand(self, killed: Facts) -> None:
        """Scenario D08. Whatever another session ever saw committed is there, digest for digest."""
        before, seen = killed.notes["receipts seen before"], killed.notes["receipts seen"]
        assert isinstance(before, int)
        assert isinstance(seen, int)
        assert 0 < before < seen
        assert killed.notes["receipts lost"] == []


class TestEveryRoot:
    def test_that_was_acknowledged_stands(self, killed: Facts) -> None:
        """Scenario D08. Also those opened between the kills; some openings were refused meanwhile."""
        failed = killed.notes["openings that failed"]
        assert isinstance(failed, int)
        assert failed > 0
        assert set(LOAD) <= set(killed.roots)

    @pytest.mark.parametrize("name", LOAD)
    def test_ends_complete(self, killed: Facts, name: str) -> None:
        """Scenario D08. The workers lived: each call was made once and each answer is on record."""
        assert killed.complaints.get(name, "") == ""
        end = killed.roots[name]
        assert isinstance(end, Snapshot)
        assert (end.state, end.result, end.gap_codes()) == ("finished", "complete", [])
        assert {call.state for call in end.calls} == {"answered"}
        assert all(end.reached(call) == 1 for call in end.calls)
        assert end.receipts["child_rescued"] == 0

    def test_is_accounted_for(self, killed: Facts) -> None:
        """Scenario D08. Nothing arrived that was not sealed, and nothing stayed behind."""
        assert (killed.notes["strays"], killed.notes["unfinished"]) == ([], 0)
