"""Crashes around synthesis and report, and half way through a cancellation or an operator's decision."""

from __future__ import annotations

import pytest

from tests.crash.arming import Kill
from tests.crash.crashes import SYNTHESIS, Crash, during, within
from tests.crash.story import Story
from tests.crash.test_sweeping import AROUND, BEAR_HAS_CHALLENGED, BULL_WAS_ASKED, committed

FINISHING = [
    *within("record", SYNTHESIS, "before record", "after the lock", "after the synthesis"),
    *within("record", SYNTHESIS, "before the report", "after the report"),
    *within("record", SYNTHESIS, "after the Root's end", "before the commit", "after the commit"),
]
# Main's second begin, where the cancelled Root needs no synthesis: the host compiles at once.
COMPILING = [
    Crash(Kill(point, step="begin", role="main", nth=1), first=BEAR_HAS_CHALLENGED, call="compile")
    for point in ("before the report", "after the report", "before the commit", "after the commit")
]
CANCELLING = during(
    "cancel",
    *AROUND,
    "after the Root is finalising",
    "after a child is stopped",
    "after the wake",
    "before the hint is offered",
    first=BEAR_HAS_CHALLENGED,
)
CANCELLING_IN_A_CALL = during(
    "cancel", "before the commit", "after the commit", first=BULL_WAS_ASKED
)
DECIDING = during(
    "decide",
    *AROUND,
    "after a receipt",
    "after the wake",
    "before the hint is offered",
    first=BULL_WAS_ASKED,
    limits={"unknown_policy": "hold"},
)
RELEASING = during("release", *AROUND)


@pytest.mark.parametrize("crash", FINISHING, ids=str)
class TestSynthesisAndReport:
    """Scenario A13."""

    def test_there_is_a_whole_end_or_none(self, crash: Crash, story: Story) -> None:
        """Scenario A13."""
        assert story.status == -9
        at_once = story.at_once
        assert (at_once.reports, at_once.state, at_once.receipts["synthesis_recorded"]) == (
            (1, "finished", 1) if committed(crash) else (0, "finalizing", 0)
        )

    def test_it_is_asked_again_from_the_reserve_and_there_is_one_report(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A13."""
        at_end = story.at_end
        lost = [] if committed(crash) else [("outcome_unknown", "worker_lost")]
        assert at_end.outcomes("main", "synthesis") == [*lost, ("answered", "valid")]
        assert at_end.receipts["report_compiled"] == at_end.reports == 1
        assert (at_end.state, at_end.end_reason, at_end.result) == (
            "finished",
            "settled",
            "complete",
        )
        assert at_end.gap_codes() == ["outcome_unknown"] * len(lost)
        assert story.complaint == ""


@pytest.mark.parametrize("crash", COMPILING, ids=str)
class TestTheHostsReport:
    """Scenario A13."""

    def test_is_compiled_once(self, crash: Crash, story: Story) -> None:
        """Scenario A13."""
        assert story.status == -9
        assert story.at_once.reports == int(committed(crash))
        at_end = story.at_end
        assert at_end.receipts["report_compiled"] == at_end.reports == 1
        assert (at_end.state, at_end.result) == ("cancelled", "partial")
        assert at_end.calls_of("main", "synthesis") == []
        assert story.complaint == ""


@pytest.mark.parametrize("crash", CANCELLING, ids=str)
class TestCancellingHalfWay:
    """Scenario A14."""

    def test_it_was_requested_or_not(self, crash: Crash, story: Story) -> None:
        """Scenario A14. No execution is stopped under an open Root."""
        assert story.status == -9
        at_once = story.at_once
        done = committed(crash)
        assert (at_once.state, at_once.cause) == (
            ("finalizing", "cancelled") if done else ("open", "")
        )
        assert {role: one.state for role, one in at_once.children.items()} == (
            {"main": "ready", "bull": "stopped", "bear": "stopped"}
            if done
            else {"main": "parked", "bull": "ready", "bear": "parked"}
        )

    def test_the_root_ends_as_the_record_says(self, crash: Crash, story: Story) -> None:
        """Scenario A14."""
        at_end = story.at_end
        assert (at_end.state, at_end.end_reason, at_end.result) == (
            ("cancelled", "cancelled", "partial")
            if committed(crash)
            else ("finished", "settled", "complete")
        )
        assert at_end.reports == 1
        assert story.complaint == ""


@pytest.mark.parametrize("crash", CANCELLING_IN_A_CALL, ids=str)
class TestCancellingDuringACall:
    """Scenario A14."""

    def test_who_is_in_a_call_keeps_the_lease(self, crash: Crash, story: Story) -> None:
        """Scenario A14."""
        assert story.status == -9
        assert story.at_once.child("bull").state == "running"
        assert story.at_once.child("bear").state == ("stopped" if committed(crash) else "parked")

    def test_the_root_ends_as_the_record_says(self, crash: Crash, story: Story) -> None:
        """Scenario A14."""
        at_end = story.at_end
        done = committed(crash)
        assert at_end.outcomes("bull", "response") == [("outcome_unknown", "worker_lost")]
        assert (at_end.state, at_end.end_reason, at_end.result) == (
            ("cancelled", "cancelled", "partial")
            if done
            else ("finished", "outcome_unknown", "partial")
        )
        assert at_end.child("bull").state == ("stopped" if done else "finished")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", DECIDING, ids=str)
class TestDecidingAboutAHeldCall:
    """Scenario A14, for an operator's decision."""

    def test_it_was_decided_or_not(self, crash: Crash, story: Story) -> None:
        """Scenario A14."""
        assert story.status == -9
        at_once = story.at_once
        done = committed(crash)
        assert at_once.outcomes("bull", "response") == [("outcome_unknown", "worker_lost")]
        assert at_once.receipts["decision_recorded"] == int(done)
        assert at_once.child("bull").state == ("ready" if done else "parked")

    def test_decided_again_it_stands_once(self, crash: Crash, story: Story) -> None:
        """Scenario A14. The second operator is told that nothing is held, or decides."""
        assert story.again == (3 if committed(crash) else 0)
        at_end = story.at_end
        assert at_end.receipts["decision_recorded"] == 1
        assert at_end.outcomes("bull", "response") == [
            ("outcome_unknown", "worker_lost"),
            ("answered", "valid"),
        ]
        assert at_end.halves[-1] == (1, "response", "accepted", 2)
        assert (at_end.end_reason, at_end.result) == ("settled", "complete")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", RELEASING, ids=str)
class TestReleasing:
    """Scenario A14, for a release to human readers."""

    def test_it_was_released_or_not(self, crash: Crash, story: Story) -> None:
        """Scenario A14. The Root itself goes on as if nothing had been."""
        assert story.status == -9
        done = int(committed(crash))
        assert story.at_once.receipts["release_recorded"] == done
        assert story.at_end.receipts["release_recorded"] == done
        assert (story.at_end.end_reason, story.at_end.result) == ("settled", "complete")
        assert story.complaint == ""
