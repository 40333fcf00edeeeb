"""Crashes around the transaction that accepts a message."""

from __future__ import annotations

import pytest

from tests.crash.crashes import CHALLENGE, RESPONSE, UNCOMMITTED, Crash, within
from tests.crash.story import Story

BEFORE = [
    crash
    for turn in (CHALLENGE, RESPONSE)
    for crash in within("record", turn, *UNCOMMITTED, "after the message")
]
AFTER = [
    crash
    for turn in (CHALLENGE, RESPONSE)
    for crash in within("record", turn, "after the commit", "before the hint is offered")
]


def earlier(crash: Crash) -> list[str]:
    """Name the messages that stood before the turn in which the process died."""
    return ["challenge"] if crash.turn == RESPONSE else []


@pytest.mark.parametrize("crash", BEFORE, ids=str)
class TestBeforeTheAcceptingCommit:
    """Scenario A01."""

    def test_the_proposal_stands_nowhere_or_only_in_the_answer(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A01. No message, no receipt, no wake, and no send is invented afterwards."""
        assert story.status == -9
        at_once, at_end = story.at_once, story.at_end
        recipient = "bull" if crash.turn == CHALLENGE else "bear"
        for now in (at_once, at_end):
            assert [kind for kind, _, _ in now.messages] == earlier(crash)
            assert now.receipts["message_accepted"] == len(earlier(crash))
        assert at_once.owed == []
        assert at_once.child(recipient).state == "parked"
        (call,) = at_once.calls_of(crash.turn[0], crash.purpose)
        assert (call.state, at_once.reached(call)) == ("sealed", 1)

    def test_it_ends_by_its_policy(self, crash: Crash, story: Story) -> None:
        """Scenario A01."""
        at_end = story.at_end
        (call,) = at_end.calls_of(crash.turn[0], crash.purpose)
        assert (call.state, call.outcome) == ("outcome_unknown", "worker_lost")
        assert at_end.reached(call) == 1
        assert ("outcome_unknown", call.id) in at_end.gaps
        assert at_end.halves[-1] == (1, crash.purpose, "unknown", 1)
        assert (at_end.state, at_end.end_reason, at_end.result) == (
            "finished",
            "outcome_unknown",
            "partial",
        )
        assert at_end.debited == story.at_once.debited + 1  # the synthesis
        assert story.complaint == ""


@pytest.mark.parametrize("crash", AFTER, ids=str)
class TestAfterTheAcceptingCommit:
    """Scenario A02."""

    def test_one_message_one_receipt_one_owed_step(self, crash: Crash, story: Story) -> None:
        """Scenario A02."""
        assert story.status == -9
        at_once = story.at_once
        kinds = [*earlier(crash), crash.purpose]
        assert [kind for kind, _, _ in at_once.messages] == kinds
        assert at_once.receipts["message_accepted"] == len(kinds)
        woken = "bull" if crash.turn == CHALLENGE else "main"
        assert at_once.owed == [woken]
        assert at_once.child(woken).state == "ready"

    def test_the_sweep_wakes_the_peer_and_no_second_message_follows(self, story: Story) -> None:
        """Scenario A02."""
        at_once, at_end = story.at_once, story.at_end
        assert at_end.messages[: len(at_once.messages)] == at_once.messages
        assert [kind for kind, _, _ in at_end.messages] == ["challenge", "response"]
        assert at_end.receipts["message_accepted"] == 2
        assert at_end.receipts["request_outcome_unknown"] == 0
        assert (at_end.end_reason, at_end.result) == ("settled", "complete")
        assert at_end.gaps == []
        assert story.complaint == ""
