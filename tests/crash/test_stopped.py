"""A worker that stops past its lease, a successor that acts meanwhile, and the worker that goes on.

A stop between the transport's look at the clock and the system call cannot be seen by anybody, and none is
tried here: the late answer would show it.
"""

from __future__ import annotations

import pytest

from tests.crash.arming import Kill
from tests.crash.crashes import CHALLENGE, RESPONSE, Crash, Turn
from tests.crash.story import Story

SESSION_GUARD_SECONDS = 5.0  # `idle_in_transaction_session_timeout`
SLACK_SECONDS = 3.0  # then a peer's own `lock_timeout` would end its wait
ENDED_WELL = 0
SHORT = {"provider_timeout_seconds": 5}  # the hard end comes 15 s later


def stopping(point: str, step: str, turn: Turn, hit: int = 1, **limits: int) -> Crash:
    """Stop at a point of one step."""
    kill = Kill(point, step=step, role=turn[0], nth=turn[1], hit=hit, sign="SIGSTOP")
    return Crash(kill, limits=limits)


RECORDING = [
    stopping("after the lock", "record", CHALLENGE),
    stopping("before the commit", "record", RESPONSE),
]
BEGINNING = [
    stopping("after the lock", "begin", RESPONSE),
    stopping("before the commit", "begin", RESPONSE),
]
BEFORE_THE_WRITE = [
    stopping("before the dispatch", "dispatch", RESPONSE, **SHORT),
    stopping("before the write", "dispatch", RESPONSE, **SHORT),
    stopping("before the dispatch", "dispatch", CHALLENGE, **SHORT),
]
IN_THE_CALL = [
    stopping("after the write", "dispatch", CHALLENGE, hit=2),
    stopping("after the write", "dispatch", RESPONSE, hit=2),
    stopping("mid response", "dispatch", RESPONSE),
    stopping("before record", "record", RESPONSE),
]
PAST_THE_DEADLINE = [
    stopping(
        "after the write", "dispatch", RESPONSE, hit=2, deadline_seconds=20, finalize_seconds=2
    )
]


@pytest.mark.parametrize("crash", [*RECORDING, *BEGINNING], ids=str)
class TestStoppedInATransaction:
    """Scenario A19."""

    def test_peers_wait_no_longer_than_the_session_guards(self, story: Story) -> None:
        """Scenario A19."""
        assert 0.2 < story.lock_wait < SESSION_GUARD_SECONDS + SLACK_SECONDS


@pytest.mark.parametrize("crash", RECORDING, ids=str)
class TestStoppedWhileRecording:
    """Scenario A19."""

    def test_its_writes_touch_nothing_and_its_answer_is_a_late_one(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A19. A receipt, not a result."""
        at_end = story.at_end
        role, purpose = crash.turn[0], crash.purpose
        assert story.status == ENDED_WELL
        (call,) = at_end.calls_of(role, purpose)
        assert (call.state, call.outcome) == ("outcome_unknown", "worker_lost")
        assert at_end.reached(call) == 1
        assert at_end.receipts["late_answer"] == 1
        earlier = ["challenge"] if crash.turn == RESPONSE else []
        assert [kind for kind, _, _ in at_end.messages] == earlier
        assert at_end.end_reason == "outcome_unknown"
        assert story.complaint == ""


@pytest.mark.parametrize("crash", BEGINNING, ids=str)
class TestStoppedWhileSealing:
    """Scenario A19."""

    def test_the_successor_seals_and_the_stale_seal_is_lost_with_its_session(
        self, story: Story
    ) -> None:
        """Scenario A19."""
        at_end = story.at_end
        assert story.status == ENDED_WELL  # it began again in a new session, and found it taken
        (call,) = at_end.calls_of("bull", "response")
        assert (call.state, at_end.reached(call)) == ("answered", 1)
        assert at_end.child("bull").rescues == 0
        assert (at_end.end_reason, at_end.result, at_end.gaps) == ("settled", "complete", [])
        assert story.complaint == ""


@pytest.mark.parametrize("crash", BEFORE_THE_WRITE, ids=str)
class TestStoppedBetweenSealAndWrite:
    """Scenario A19."""

    def test_nothing_is_written_after_the_hard_end(self, crash: Crash, story: Story) -> None:
        """Scenario A19."""
        at_end = story.at_end
        assert story.status == ENDED_WELL
        (call,) = at_end.calls_of(crash.turn[0], crash.purpose)
        assert call.state == "outcome_unknown"
        assert call.outcome in {"worker_lost", "lease_passed"}
        assert at_end.reached(call) == 0
        assert at_end.receipts["late_answer"] == 0
        assert at_end.end_reason == "outcome_unknown"
        assert story.complaint == ""


@pytest.mark.parametrize("crash", IN_THE_CALL, ids=str)
class TestStoppedDuringTheCall:
    """Scenario A19."""

    def test_the_late_answer_is_a_receipt_and_not_a_result(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A19."""
        at_once, at_end = story.at_once, story.at_end
        assert story.status == ENDED_WELL
        (call,) = at_end.calls_of(crash.turn[0], crash.purpose)
        assert (call.state, call.outcome) == ("outcome_unknown", "worker_lost")
        assert at_end.reached(call) == 1
        assert at_end.receipts["late_answer"] == 1
        assert at_end.messages == at_once.messages
        assert (at_end.end_reason, at_end.result) == ("outcome_unknown", "partial")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", PAST_THE_DEADLINE, ids=str)
class TestStoppedPastTheDeadline:
    """Scenario E03."""

    def test_the_late_answer_is_stored_and_billed_and_not_used(self, story: Story) -> None:
        """Scenario E03."""
        at_once, at_end = story.at_once, story.at_end
        assert story.status == ENDED_WELL
        (call,) = at_end.calls_of("bull", "response")
        assert (call.state, at_end.reached(call)) == ("outcome_unknown", 1)
        assert at_end.receipts["late_answer"] == 1
        assert at_end.debited == at_once.debited  # the call, and no synthesis after the deadline
        assert at_end.messages == at_once.messages
        assert (at_end.state, at_end.cause, at_end.end_reason) == (
            "expired",
            "deadline",
            "deadline",
        )
        assert at_end.calls_of("main", "synthesis") == []
        assert story.complaint == ""
