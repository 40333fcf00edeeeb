"""Real workers under SIGKILL: three times in one execution's steps, once together with everything else."""

from __future__ import annotations

import pytest

from tests.crash.actors import Freed
from tests.crash.kills import CAN_REASK, IN_A_CALL, POISON, WAITING
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts

LOST = ("outcome_unknown", "worker_lost")
VALID = ("answered", "valid")
TIMES = {"second": 2, "third": 3}
A_SWEEP_SECONDS = 30.0  # one a second, on cores that have much else to do


def root(kills: Facts, name: str) -> Snapshot:
    """Read what is on record of a Root of the scenario."""
    found = kills.roots[name]
    assert isinstance(found, Snapshot)
    return found


class TestEverythingKilledAndTheBrokerEmptied:
    @pytest.mark.parametrize("name", [*IN_A_CALL, *WAITING, *POISON])
    def test_every_root_reaches_its_end_from_the_database_alone(
        self, kills: Facts, name: str
    ) -> None:
        """Scenario A18."""
        assert kills.complaints.get(name, "") == ""
        assert root(kills, name).state == "finished"
        assert root(kills, name).reports == 1

    @pytest.mark.parametrize(
        ("name", "reason", "result"),
        [
            ("planning", "", "complete"),
            ("opening", "settled", "complete"),
            ("joining", "settled", "complete"),
            ("challenging", "outcome_unknown", "partial"),
            ("responding", "outcome_unknown", "partial"),
            ("concluding", "settled", "complete"),
            ("new", "settled", "complete"),
            ("newer", "settled", "complete"),
        ],
    )
    def test_it_ends_by_the_policy_of_the_call_that_was_lost(
        self, kills: Facts, name: str, reason: str, result: str
    ) -> None:
        """Scenario A18. At most one call of each Root was in flight in the held-back turn."""
        end = root(kills, name)
        assert (end.end_reason, end.result) == (reason, result)
        lost = [call for call in end.calls if call.state == "outcome_unknown"]
        assert all(call.outcome == "worker_lost" for call in lost)
        assert (len(lost) > 0) == (name in IN_A_CALL)
        assert all(count == 1 for count in end.hits.values())

    def test_no_lease_is_ended_before_its_workers_time(self, kills: Facts) -> None:
        """Scenario A18. Everything that was under way is freed, by a sweeper that started anew."""
        freed = kills.notes["first"]
        assert isinstance(freed, Freed)
        assert freed.executions == len(IN_A_CALL) + len(POISON)
        assert freed.first_after_seconds >= 0


class TestKilledThreeTimes:
    @pytest.mark.parametrize("which", ["second", "third"])
    def test_a_dead_workers_time_and_a_sweep_later_all_is_freed(
        self, kills: Facts, which: str
    ) -> None:
        """Scenario A17. Never before the worker's 15 s are over."""
        freed = kills.notes[which]
        assert isinstance(freed, Freed)
        assert freed.executions == sum(len(calls) >= TIMES[which] for calls in POISON.values())
        assert freed.first_after_seconds >= 0
        assert freed.last_after_seconds < A_SWEEP_SECONDS

    @pytest.mark.skipif(not CAN_REASK, reason="without `reask` no child is asked a third time")
    def test_a_childs_third_rescue_fails_it_and_its_peer_learns_it(self, kills: Facts) -> None:
        """Scenario A17."""
        end = root(kills, "bull")
        bull = end.child("bull")
        assert (bull.state, bull.end_reason, bull.rescues) == ("failed", "rescued_three_times", 3)
        assert end.receipts["child_rescued"] == 3
        assert end.outcomes("bull", "opening") == [LOST, VALID]
        assert end.outcomes("bull", "response") == [LOST, LOST]
        assert end.child("bear").state == "finished"
        assert (end.end_reason, end.result) == ("participant_ended", "partial")
        assert end.outcomes("main", "synthesis") == [VALID]

    def test_a_child_that_cannot_be_asked_fails_and_its_peer_learns_it(self, kills: Facts) -> None:
        """Scenario A17. An opening is asked for twice."""
        end = root(kills, "bear")
        bear = end.child("bear")
        assert (bear.state, bear.end_reason, bear.rescues) == ("failed", "outcome_unknown", 2)
        assert end.outcomes("bear", "opening") == [LOST, LOST]
        assert end.child("bull").state == "finished"
        assert (end.pairs, end.end_reason, end.result) == ([], "participant_ended", "partial")
        assert end.outcomes("main", "synthesis") == [VALID]
        assert "no_opening" in end.gap_codes()

    def test_mains_third_rescue_still_leaves_a_report(self, kills: Facts) -> None:
        """Scenario A17. A Root always ends with a report: the host's, where Main cannot be asked."""
        end = root(kills, "main")
        assert end.child("main").rescues == 3
        assert end.receipts["child_rescued"] == 3
        assert end.outcomes("main", "plan") == [LOST]
        assert end.outcomes("main", "synthesis") == [LOST, LOST]
        assert (end.state, end.result, end.reports) == ("finished", "partial", 1)
        assert "no_synthesis" in end.gap_codes()
