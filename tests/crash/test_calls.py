"""Crashes between seal and record: what is known of a call, and what is not."""

from __future__ import annotations

import pytest

from tests.crash.crashes import (
    BEAR_OPENING,
    BULL_OPENING,
    CHALLENGE,
    IN_FLIGHT,
    PLAN,
    RESPONSE,
    SYNTHESIS,
    Crash,
    hits_at,
    within,
)
from tests.crash.story import Story
from tests.scripted import BULL_OPENING as BULLS_TASK
from tests.scripted import asks_for, fails, response_in

EXCHANGE = [
    crash for turn in (CHALLENGE, RESPONSE) for crash in within("dispatch", turn, *IN_FLIGHT)
]
OPENINGS = [
    *within("dispatch", BULL_OPENING, *IN_FLIGHT),
    *within("dispatch", BEAR_OPENING, "before the write", "after the write"),
]
RECORDED = [
    crash
    for turn in (PLAN, BULL_OPENING, BEAR_OPENING, SYNTHESIS)
    for crash in within("record", turn, "after the commit")
]
UNRECORDED = [
    crash
    for turn in (PLAN, BULL_OPENING, BEAR_OPENING, SYNTHESIS)
    for crash in within("record", turn, "before record", "before the commit")
]
HANGING = within(
    "dispatch",
    RESPONSE,
    "after the write",
    script=(fails(response_in(1), cut="before", then="hang", times=9),),
)
A_TOOL = (asks_for(BULLS_TASK, ("list_sources", {})),)
SECOND_REQUEST = [
    *within("", BULL_OPENING, "after the tools", script=A_TOOL),
    *within("record", BULL_OPENING, "before the commit", script=A_TOOL),
    *within("record", BULL_OPENING, "after the commit", script=A_TOOL),
]
LOST = ("outcome_unknown", "worker_lost")
VALID = ("answered", "valid")


@pytest.mark.parametrize("crash", [*EXCHANGE, *HANGING], ids=str)
class TestACallOfAHalfRound:
    """Scenario A03."""

    def test_stays_tied_to_its_spent_half_round(self, crash: Crash, story: Story) -> None:
        """Scenario A03."""
        assert story.status == -9
        at_once = story.at_once
        (call,) = at_once.calls_of(crash.turn[0], crash.purpose)
        assert call.state == "sealed"
        assert at_once.halves[-1] == (1, crash.purpose, "spent", 1)
        assert at_once.child(crash.turn[0]).state == "running"

    def test_is_unknown_and_arrived_at_most_once(self, crash: Crash, story: Story) -> None:
        """Scenario A03. The Root goes on by its policy, with a gap."""
        at_end = story.at_end
        assert crash.kill is not None
        (call,) = at_end.calls_of(crash.turn[0], crash.purpose)
        assert (call.state, call.outcome) == LOST
        assert at_end.reached(call) == hits_at(crash.kill.point)
        assert at_end.halves[-1] == (1, crash.purpose, "unknown", 1)
        assert ("outcome_unknown", call.id) in at_end.gaps
        assert (at_end.end_reason, at_end.result) == ("outcome_unknown", "partial")
        assert at_end.child(crash.turn[0]).rescues == 1
        assert story.complaint == ""

    def test_delivers_its_message_neither_surely_nor_surely_not(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A03. What stood in an unknown request may have been read."""
        delivery = [code for code in story.at_end.gap_codes() if "deliver" in code]
        assert delivery == (["delivery_unknown"] if crash.turn == RESPONSE else [])
        assert story.at_end.receipts["message_delivered"] == 0


@pytest.mark.parametrize("crash", OPENINGS, ids=str)
class TestACallOfAnOpening:
    """Scenario A03."""

    def test_is_asked_once_more_as_a_new_request(self, crash: Crash, story: Story) -> None:
        """Scenario A03."""
        assert story.status == -9
        assert crash.kill is not None
        first, second = story.at_end.calls_of(crash.turn[0], "opening")
        assert (first.state, first.outcome) == LOST
        assert story.at_end.reached(first) == hits_at(crash.kill.point)
        assert (second.state, second.outcome, second.attempt) == (*VALID, 2)
        assert story.at_end.reached(second) == 1
        assert story.at_end.gaps == [("outcome_unknown", first.id)]
        assert (story.at_end.end_reason, story.at_end.result) == ("settled", "complete")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", UNRECORDED, ids=str)
class TestAnAnswerThatWasNotRecorded:
    """Scenario A04."""

    def test_is_unknown_and_stays_debited(self, crash: Crash, story: Story) -> None:
        """Scenario A04."""
        assert story.status == -9
        at_once, at_end = story.at_once, story.at_end
        role, purpose = crash.turn[0], crash.purpose
        assert at_once.outcomes(role, purpose) == [("sealed", "")]
        first, *others = at_end.calls_of(role, purpose)
        assert (first.state, first.outcome) == LOST
        assert at_end.reached(first) == 1
        assert ("outcome_unknown", first.id) in at_end.gaps
        again = [] if purpose == "plan" else [VALID]
        assert [(one.state, one.outcome) for one in others] == again
        assert at_end.debited == at_once.debited + len(at_end.calls) - len(at_once.calls)
        assert story.complaint == ""

    def test_leaves_nothing_of_its_effect(self, crash: Crash, story: Story) -> None:
        """Scenario A04."""
        at_once = story.at_once
        match crash.turn:
            case ("main", 1):
                assert (at_once.plans, list(at_once.children)) == (0, ["main"])
                assert story.at_end.plans == 1
            case ("main", 2):
                assert at_once.reports == 0
            case (role, _):
                assert role not in at_once.openings


@pytest.mark.parametrize("crash", RECORDED, ids=str)
class TestAnAnswerThatWasRecorded:
    """Scenario A04."""

    def test_stands(self, crash: Crash, story: Story) -> None:
        """Scenario A04."""
        assert story.status == -9
        at_once, at_end = story.at_once, story.at_end
        role, purpose = crash.turn[0], crash.purpose
        for now in (at_once, at_end):
            assert now.outcomes(role, purpose) == [VALID]
            (call,) = now.calls_of(role, purpose)
            assert now.reached(call) == 1
        assert at_end.debited == at_once.debited + len(at_end.calls) - len(at_once.calls)
        assert at_end.spent[1] >= at_once.spent[1]
        assert story.complaint == ""


@pytest.mark.parametrize("crash", SECOND_REQUEST, ids=str)
class TestARequestThatItsPredecessorsRecordSealed:
    """Scenario A03, in the middle of a turn: the answer asked for a tool."""

    def test_belongs_to_the_commit_of_that_record(self, crash: Crash, story: Story) -> None:
        """Scenario A03."""
        assert story.status == -9
        assert crash.kill is not None
        at_once, at_end = story.at_once, story.at_end
        committed = crash.kill.point == "after the commit"
        tools = ("answered", "tool_calls")
        assert at_once.outcomes("bull", "opening") == (
            [tools, ("sealed", "")] if committed else [("sealed", "")]
        )
        assert at_once.receipts["tool_called"] == int(committed)
        lost, last = at_end.calls_of("bull", "opening")[-2:]
        assert (lost.state, lost.outcome, at_end.reached(lost)) == (*LOST, int(not committed))
        assert (last.state, last.outcome, last.attempt) == (*VALID, 2)
        assert at_end.result == "complete"
        assert story.complaint == ""
