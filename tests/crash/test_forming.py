"""Crashes during an opening, between offer and park, in the joining transaction, and around a park."""

from __future__ import annotations

import pytest

from tests.crash.arming import Kill
from tests.crash.crashes import (
    BEAR_OPENING,
    BULL_OPENING,
    CHALLENGE,
    PLAN,
    Crash,
    within,
)
from tests.crash.story import Story

OPENING = [
    *within("dispatch", BULL_OPENING, "before the dispatch", "after the write", "mid response"),
    *within("record", BULL_OPENING, "after the opening is accepted", "claims registered"),
    *within("record", BULL_OPENING, "before the commit", "after the commit"),
    *within("record", BEAR_OPENING, "after the opening is accepted", bear_first=True),
    *within("record", BEAR_OPENING, "after the commit", bear_first=True),
]
OFFERING = [
    *within("record", BULL_OPENING, "after the offer", "before the park", "after the park"),
    *within("record", BULL_OPENING, "before the commit", "after the commit"),
    *within("record", BEAR_OPENING, "after the offer", "after the commit", bear_first=True),
]
JOINING = [
    *within("record", BEAR_OPENING, "before the join", "after the join", "after the seal"),
    *within("record", BEAR_OPENING, "before the commit", "after the commit"),
    *within("record", BULL_OPENING, "after the join", "after the commit", bear_first=True),
]
PARKING = [
    crash
    for turn in (PLAN, CHALLENGE)
    for crash in within("record", turn, "before the park", "after the park", "after the commit")
]
HINTS = [
    Crash(Kill(point, hit=hit), hints_too=True)
    for hit in (1, 3)
    for point in ("hint offered, not published", "hint published")
]
WOKEN_BY = {1: "bull", 3: "bull"}  # the plan's first hint, and the accepted challenge's
COMMITTED = "after the commit"


def committed(crash: Crash) -> bool:
    """Say whether the process died after the commit."""
    assert crash.kill is not None
    return crash.kill.point == COMMITTED


@pytest.mark.parametrize("crash", OPENING, ids=str)
class TestDuringAnOpening:
    """Scenario A06."""

    def test_there_is_one_opening_or_none_and_no_exchange(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A06."""
        assert story.status == -9
        at_once = story.at_once
        assert at_once.openings == ([crash.turn[0]] if committed(crash) else [])
        assert at_once.claims == at_once.openings
        assert (at_once.pairs, at_once.halves, at_once.messages) == ([], [], [])

    def test_both_open_once(self, story: Story) -> None:
        """Scenario A06."""
        at_end = story.at_end
        assert sorted(at_end.openings) == ["bear", "bull"]
        assert at_end.receipts["opening_accepted"] == 2
        assert (at_end.end_reason, at_end.result) == ("settled", "complete")
        assert story.complaint == ""


@pytest.mark.parametrize("crash", OFFERING, ids=str)
class TestBetweenOfferAndPark:
    """Scenario A07."""

    def test_the_offer_stands_with_its_park_or_not_at_all(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A07."""
        at_once = story.at_once
        role = crash.turn[0]
        assert at_once.offers == ([role] if committed(crash) else [])
        assert at_once.child(role).state == ("parked" if committed(crash) else "running")

    def test_the_other_can_join(self, story: Story) -> None:
        """Scenario A07."""
        at_end = story.at_end
        assert len(at_end.offers) == 1
        assert at_end.pairs == [("bull", "bear", "settled")]
        assert story.complaint == ""


@pytest.mark.parametrize("crash", JOINING, ids=str)
class TestInTheJoiningTransaction:
    """Scenario A08."""

    def test_there_is_no_pair_or_a_frozen_one_with_both(self, crash: Crash, story: Story) -> None:
        """Scenario A08."""
        at_once = story.at_once
        assert at_once.pairs == ([("bull", "bear", "")] if committed(crash) else [])
        assert at_once.receipts["pair_frozen"] == len(at_once.pairs)
        assert sorted(at_once.openings) == (
            ["bear", "bull"]
            if committed(crash)
            else [one for one in ("bear", "bull") if one != crash.turn[0]]
        )

    def test_one_pair_is_frozen(self, crash: Crash, story: Story) -> None:
        """Scenario A08. Bear's first challenge is sealed with a join of its own: then it is lost with it."""
        at_end = story.at_end
        sealed_too = committed(crash) and crash.turn == BEAR_OPENING
        reason = "outcome_unknown" if sealed_too else "settled"
        assert at_end.pairs == [("bull", "bear", reason)]
        assert at_end.receipts["pair_frozen"] == 1
        assert story.complaint == ""


@pytest.mark.parametrize("crash", PARKING, ids=str)
class TestAroundParking:
    """Scenario A09."""

    def test_it_runs_until_its_lease_ends_or_is_parked(self, crash: Crash, story: Story) -> None:
        """Scenario A09."""
        child = story.at_once.child(crash.turn[0])
        if not committed(crash):
            assert (child.state, child.worker != "") == ("running", True)
        else:
            assert (child.state, child.worker) == ("parked", "")

    def test_no_wake_is_lost(self, story: Story) -> None:
        """Scenario A09."""
        at_end = story.at_end
        assert at_end.state == "finished"
        assert {one.state for one in at_end.children.values()} == {"finished"}
        assert story.complaint == ""


@pytest.mark.parametrize("crash", HINTS, ids=str)
class TestAroundTheHint:
    """Scenario A11."""

    def test_the_step_is_owed_whether_or_not_the_hint_came_out(
        self, crash: Crash, story: Story
    ) -> None:
        """Scenario A11."""
        assert story.status == -9
        assert crash.kill is not None
        woken = WOKEN_BY[crash.kill.hit]
        assert woken in story.at_once.owed
        assert story.at_once.child(woken).state == "ready"

    def test_it_has_one_effect(self, story: Story) -> None:
        """Scenario A11."""
        at_end = story.at_end
        for role, purpose in (("bull", "opening"), ("bull", "response"), ("bear", "opening")):
            (call,) = at_end.calls_of(role, purpose)
            assert at_end.reached(call) == 1
        assert at_end.receipts["request_sealed"] == len(at_end.calls) == 6
        assert (at_end.end_reason, at_end.result, at_end.gaps) == ("settled", "complete", [])
        assert story.complaint == ""
