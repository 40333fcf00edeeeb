"""B04: two hints claim one execution.

The hint about Bull's turn arrives twice, and two workers take it up at once.  One request may be sealed,
one half-round spent, one call debited; the other worker leaves.
"""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from dialogue.steps import Step
from tests.races.explorer import Outcomes
from tests.races.naive import move, race, said, say, state_of, transaction
from tests.races.stage import Stage
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestOurs:
    """Begin takes an execution only where it finds it READY under the Root lock."""

    def test_one_worker_claims_it(self, challenged: Scene) -> None:
        """The other finds it RUNNING and writes nothing. Scenario B04."""
        stage = Stage(challenged)

        def holds(outcomes: Outcomes) -> None:
            steps = [came.result for came in outcomes.values() if isinstance(came.result, Step)]
            assert len(steps) == 1
            [request] = challenged.requests(Role.BULL, "response")
            assert (request.pk, request.state) == (steps[0].request_id, "sealed")
            assert challenged.halves()[1:] == [(1, "response", "spent", 1)]
            challenged.root.refresh_from_db()
            assert challenged.root.model_calls_reserved == 1

        explored = stage.race(
            holds, {"one": stage.begins(Role.BULL), "other": stage.begins(Role.BULL)}
        )
        assert explored.held() == 14


def claim(worker: str) -> None:
    """A worker: Bull is ready; then take him and call."""
    with transaction():
        if state_of("bull") == "ready":
            move("bull", "running")
            say("request", worker)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read the state, then write it."""

    def test_both_claim_it(self) -> None:
        """Scenario B04, control: two requests of one turn."""
        explored = race(
            lambda: said("request") == 1,
            {"one": lambda: claim("one"), "other": lambda: claim("other")},
            bull="ready",
        )
        assert explored.figures == (24, 22)
