"""Crashes before the seal commits, and after a wake was claimed."""

from __future__ import annotations

import pytest

from tests.crash.crashes import (
    BULL_OPENING,
    CHALLENGE,
    PLAN,
    RESPONSE,
    SYNTHESIS,
    UNSEALED,
    Crash,
    during,
    within,
)
from tests.crash.story import Story

UNCLAIMED = [
    *within("begin", PLAN, "after the lock", "before the commit"),
    *within("begin", BULL_OPENING, "before the writes", "before the commit"),
    *within("begin", CHALLENGE, "after the seal", "before the commit", bear_first=True),
    *within("begin", RESPONSE, *UNSEALED, "after the half-round is spent"),
    *within("begin", SYNTHESIS, "after the Root is finalising", "before the commit"),
]
CLAIMED = [
    *within("begin", PLAN, "after the commit"),
    *within("begin", BULL_OPENING, "after the commit"),
    *within("begin", CHALLENGE, "after the commit", bear_first=True),
    *within("begin", RESPONSE, "after the commit"),
    *within("begin", SYNTHESIS, "after the commit"),
]
OPENING_A_ROOT = during(
    "open",
    "before the transaction",
    "after the Root row",
    "before the writes",
    "before the commit",
    "after the commit",
    "before the hint is offered",
)


@pytest.mark.parametrize("crash", UNCLAIMED, ids=str)
class TestBeforeTheSealCommits:
    """Scenario A05."""

    def test_nothing_happened(self, crash: Crash, story: Story) -> None:
        """Scenario A05."""
        assert story.status == -9
        at_once = story.at_once
        role = crash.turn[0]
        assert at_once.calls_of(role, crash.purpose) == []
        assert crash.purpose not in [kind for _, kind, _, _ in at_once.halves]
        assert (at_once.child(role).state, at_once.child(role).worker) == ("ready", "")
        assert role in at_once.owed
        assert at_once.reserved == (0, 0, 0)
        assert at_once.state == "open"

    def test_the_successor_seals_once(self, crash: Crash, story: Story) -> None:
        """Scenario A05."""
        at_end = story.at_end
        (call,) = at_end.calls_of(crash.turn[0], crash.purpose)
        assert (call.state, call.outcome) == ("answered", "valid")
        assert at_end.reached(call) == 1
        assert at_end.child(crash.turn[0]).rescues == 0
        assert (at_end.end_reason, at_end.result, at_end.gaps) == ("settled", "complete", [])
        assert story.complaint == ""


@pytest.mark.parametrize("crash", CLAIMED, ids=str)
class TestAfterAWakeWasClaimed:
    """Scenario A10."""

    def test_the_claim_is_on_record(self, crash: Crash, story: Story) -> None:
        """Scenario A10."""
        assert story.status == -9
        at_once = story.at_once
        role = crash.turn[0]
        assert at_once.outcomes(role, crash.purpose) == [("sealed", "")]
        assert at_once.child(role).state == "running"
        assert role not in at_once.owed

    def test_another_process_goes_on_under_the_same_identity(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A10."""
        at_once, at_end = story.at_once, story.at_end
        before, after = at_once.child(crash.turn[0]), at_end.child(crash.turn[0])
        assert after.id == before.id
        assert (after.state, after.rescues) == ("finished", 1)
        first, *others = at_end.calls_of(crash.turn[0], crash.purpose)
        assert (first.outcome, at_end.reached(first)) == ("worker_lost", 0)
        asked_again = crash.purpose in {"opening", "synthesis"}
        assert [one.outcome for one in others] == (["valid"] if asked_again else [])
        assert story.complaint == ""


@pytest.mark.parametrize("crash", OPENING_A_ROOT, ids=str)
class TestOpeningARoot:
    """Scenarios A05 and A11, where the process dies that a user has asked."""

    def test_a_root_is_there_whole_or_not_at_all(self, crash: Crash, story: Story) -> None:
        """Scenario A05."""
        assert story.status == -9
        assert crash.kill is not None
        if crash.kill.point not in {"after the commit", "before the hint is offered"}:
            assert story.root_id is None
            return
        assert story.at_once.owed == ["main"]
        assert story.at_once.child("main").state == "ready"
        assert (story.at_end.end_reason, story.at_end.result) == ("settled", "complete")
        assert story.complaint == ""
