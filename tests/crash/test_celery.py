"""Real Celery workers that kill themselves at a named point, on a broker of their own until then."""

from __future__ import annotations

import pytest

from tests.crash.arming import Kill
from tests.crash.crashes import BEAR_OPENING, CHALLENGE, RESPONSE, Crash, hits_at, within
from tests.crash.story import Story

ACCEPTING = [
    *within("record", CHALLENGE, "before the commit", celery=True),
    *within("record", CHALLENGE, "after the commit", celery=True),
]
CALLING = [
    *within("dispatch", RESPONSE, "before the write", celery=True),
    *within("dispatch", RESPONSE, "after the write", celery=True),
]
HINTING = [Crash(Kill("hint published", hit=3), celery=True)]
JOINING = within("record", BEAR_OPENING, "before the commit", celery=True)


@pytest.mark.parametrize("crash", ACCEPTING, ids=str)
class TestACeleryWorkerThatAcceptsAMessage:
    def test_accepts_it_with_everything_or_not_at_all(self, crash: Crash, story: Story) -> None:
        """Scenarios A01 and A02."""
        assert story.status == -9
        assert crash.kill is not None
        done = crash.kill.point == "after the commit"
        assert [kind for kind, _, _ in story.at_once.messages] == ["challenge"] * done
        assert story.at_once.owed == ["bull"] * done
        at_end = story.at_end
        assert (at_end.end_reason, at_end.result) == (
            ("settled", "complete") if done else ("outcome_unknown", "partial")
        )
        assert story.complaint == ""


@pytest.mark.parametrize("crash", CALLING, ids=str)
class TestACeleryWorkerInACall:
    def test_leaves_an_unknown_outcome(self, crash: Crash, story: Story) -> None:
        """Scenario A03."""
        assert story.status == -9
        assert crash.kill is not None
        at_end = story.at_end
        (call,) = at_end.calls_of("bull", "response")
        assert (call.state, call.outcome) == ("outcome_unknown", "worker_lost")
        assert at_end.reached(call) == hits_at(crash.kill.point)
        assert at_end.halves[-1] == (1, "response", "unknown", 1)
        assert story.complaint == ""


@pytest.mark.parametrize("crash", [*HINTING, *JOINING], ids=str)
class TestACeleryWorkerBetweenSteps:
    def test_is_followed_by_another_process(self, story: Story) -> None:
        """Scenarios A08 and A11. Nobody but the database knows of its work."""
        assert story.status == -9
        at_end = story.at_end
        assert at_end.state == "finished"
        assert at_end.pairs == [("bull", "bear", "settled")]
        assert at_end.result == "complete"
        assert story.complaint == ""
