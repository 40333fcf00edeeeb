"""A sweeper that dies at each point of a sweep; the next one finishes it."""

from __future__ import annotations

import pytest

from tests.crash.arming import Kill
from tests.crash.crashes import Crash, during
from tests.crash.story import Story
from tests.scripted import PLAN, fails

AROUND = (
    "before the transaction",
    "after the lock",
    "before the writes",
    "before the commit",
    "after the commit",
)
BULL_WAS_ASKED = Kill("after the write", step="dispatch", role="bull", nth=2, hit=2)
BEAR_HAS_CHALLENGED = Kill("after the commit", step="record", role="bear", nth=2)
COMMITTED = {"after the commit", "before the hint is offered"}

RESCUING = during(
    "rescue",
    *AROUND,
    "after the request is given up",
    "before the hint is offered",
    first=BULL_WAS_ASKED,
)
FIRING = during(
    "fire_timer",
    *AROUND,
    "after a receipt",
    "before the hint is offered",
    script=(fails(PLAN, status=429),),
)
STOPPING_PEERS = during(
    "stop_peers",
    *AROUND,
    "after the Root is finalising",
    "after the wake",
    first=BEAR_HAS_CHALLENGED,
    limits={"deadline_seconds": 600, "finalize_seconds": 580},
)
PASSING_THE_DEADLINE = during(
    "pass_deadline",
    *AROUND,
    "after the wake",
    first=BEAR_HAS_CHALLENGED,
    limits={"deadline_seconds": 20, "finalize_seconds": 1},
)
OFFERING = [
    *during("offer_outbox", "before the hint is offered"),
    Crash(Kill("hint offered, not published"), call="offer_outbox"),
    Crash(Kill("hint published"), call="offer_outbox"),
]


def committed(crash: Crash) -> bool:
    """Say whether the sweeper died after its commit."""
    assert crash.kill is not None
    return crash.kill.point in COMMITTED


@pytest.mark.parametrize("crash", RESCUING, ids=str)
class TestRescuing:
    """Scenario A12."""

    def test_frees_the_execution_or_changes_nothing(self, crash: Crash, story: Story) -> None:
        """Scenario A12."""
        assert story.status == -9
        at_once = story.at_once
        done = committed(crash)
        bull = at_once.child("bull")
        assert (bull.state, bull.rescues) == (("ready", 1) if done else ("running", 0))
        assert sorted(at_once.owed) == (["bear", "bull", "main"] if done else [])
        lost = ("outcome_unknown", "worker_lost")
        assert at_once.outcomes("bull", "response") == [lost if done else ("sealed", "")]
        assert at_once.receipts["child_rescued"] == int(done)

    def test_is_finished_by_the_next_sweep(self, story: Story) -> None:
        """Scenario A12. No receipt is doubled."""
        at_end = story.at_end
        assert at_end.child("bull").rescues == 1
        assert at_end.receipts["child_rescued"] == 1
        assert at_end.receipts["request_outcome_unknown"] == 1
        assert at_end.end_reason == "outcome_unknown"
        assert story.complaint == ""


@pytest.mark.parametrize("crash", FIRING, ids=str)
class TestFiringATimer:
    """Scenario A12."""

    def test_fires_it_or_changes_nothing(self, crash: Crash, story: Story) -> None:
        """Scenario A12."""
        assert story.status == -9
        done = committed(crash)
        assert story.at_once.receipts["timer_fired"] == int(done)
        assert story.at_once.child("main").state == ("ready" if done else "parked")

    def test_is_finished_by_the_next_sweep(self, story: Story) -> None:
        """Scenario A12. It fires once."""
        at_end = story.at_end
        assert at_end.receipts["timer_fired"] == at_end.receipts["timer_set"] == 1
        assert at_end.outcomes("main", "plan") == [
            ("rejected", "rate_limited"),
            ("answered", "valid"),
        ]
        assert (at_end.end_reason, at_end.result) == ("settled", "complete")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", STOPPING_PEERS, ids=str)
class TestStoppingPeers:
    """Scenario A12."""

    def test_stops_them_or_changes_nothing(self, crash: Crash, story: Story) -> None:
        """Scenario A12."""
        assert story.status == -9
        at_once = story.at_once
        done = committed(crash)
        assert (at_once.state, at_once.cause) == (
            ("finalizing", "deadline") if done else ("open", "")
        )
        assert at_once.receipts["root_finalizing"] == int(done)

    def test_is_finished_by_the_next_sweep(self, story: Story) -> None:
        """Scenarios A12 and E02. The findings are kept: Main still disposes of the claims."""
        at_end = story.at_end
        assert (at_end.state, at_end.cause, at_end.end_reason) == (
            "finished",
            "deadline",
            "deadline",
        )
        assert at_end.receipts["root_finalizing"] == 1
        assert at_end.outcomes("main", "synthesis") == [("answered", "valid")]
        assert at_end.result == "partial"
        assert story.complaint == ""


@pytest.mark.parametrize("crash", PASSING_THE_DEADLINE, ids=str)
class TestPassingTheDeadline:
    """Scenario A12."""

    def test_records_it_or_changes_nothing(self, crash: Crash, story: Story) -> None:
        """Scenario A12."""
        assert story.status == -9
        assert story.at_once.receipts["deadline_passed"] == int(committed(crash))

    def test_is_finished_by_the_next_sweep(self, story: Story) -> None:
        """Scenarios A12 and E02. One receipt, and a report without a call."""
        at_end = story.at_end
        assert at_end.receipts["deadline_passed"] == 1
        assert (at_end.state, at_end.cause, at_end.result) == ("expired", "deadline", "partial")
        assert at_end.calls_of("main", "synthesis") == []
        assert (at_end.reports, at_end.end_reason) == (1, "deadline")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", OFFERING, ids=str)
class TestOfferingWhatIsOwed:
    """Scenarios A11 and A12."""

    def test_the_work_stays_owed(self, story: Story) -> None:
        """Scenario A12."""
        assert story.status == -9
        assert story.at_once.owed == ["main"]
        assert story.at_once.child("main").state == "ready"

    def test_the_next_sweep_offers_it_again(self, story: Story) -> None:
        """Scenarios A11 and A12. A hint at least once, its effect once."""
        at_end = story.at_end
        assert at_end.outcomes("main", "plan") == [("answered", "valid")]
        assert (at_end.end_reason, at_end.result, at_end.gaps) == ("settled", "complete", [])
        assert story.complaint == ""
