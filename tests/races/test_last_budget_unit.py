"""B09: the last budget unit is wanted by both.

Both openings came back invalid, each side may ask once more, and the budget has one call left beside Main's
reserve.  One side gets it, and the other ends for want of budget: nothing is overdrawn.
"""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from dialogue.steps import Step
from tests.factories import limited
from tests.races.explorer import Outcomes
from tests.races.naive import race, run, said, say, transaction, value
from tests.races.stage import Stage
from tests.scripted import BEAR_OPENING, BULL_OPENING, SYNTHESIS, a_synthesis, says
from tests.usecases.conftest import OpenScene

CALLS = 8  # a plan, two openings, one more, and four of the reserve
UNRESOLVED = says(SYNTHESIS, a_synthesis(C1="unresolved"))


@pytest.mark.usefixtures("database")
class TestOurs:
    """The budget is reserved under the Root lock, before the seal."""

    def test_one_side_gets_it(self, opened: OpenScene) -> None:
        """The other fails for its budget; Main's reserve is untouched, and the Root ends. Scenario B09."""
        scene = opened(
            says(BULL_OPENING, "?"), says(BEAR_OPENING, "?"), options=limited(model_calls=CALLS)
        )
        scene.step(Role.MAIN)
        stage = Stage(scene)
        bulls, bears = stage.answered(Role.BULL), stage.answered(Role.BEAR)

        def holds(outcomes: Outcomes) -> None:
            got = [name for name, came in outcomes.items() if isinstance(came.result, Step)]
            assert len(got) == 1
            other = Role.BEAR if got == ["bull"] else Role.BULL
            assert (scene.child(other).state, scene.child(other).end_reason) == (
                "failed",
                "budget",
            )
            root = scene.root
            root.refresh_from_db()
            assert (root.model_calls_spent, root.model_calls_reserved) == (3, 1)
            assert root.model_calls_hand_back == 4
            ended = stage.end(outcomes, UNRESOLVED)
            assert (ended.result, ended.model_calls_spent) == ("partial", 5)

        explored = stage.race(holds, {"bull": stage.records(bulls), "bear": stage.records(bears)})
        assert explored.held() == 4


def call(side: str) -> None:
    """A child: one is left; then take it and call."""
    with transaction():
        spent = value("SELECT spent FROM naive.root")
        if spent < 1:
            run("UPDATE naive.root SET spent = %s", spent + 1)
            say("request", side)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read what is spent, then write one more."""

    def test_both_take_it(self) -> None:
        """Scenario B09, control: two calls, and the counter says one."""
        explored = race(
            lambda: said("request") == value("SELECT spent FROM naive.root") == 1,
            {"bull": lambda: call("bull"), "bear": lambda: call("bear")},
        )
        assert explored.figures == (24, 22)
