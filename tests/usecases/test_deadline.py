"""Time: peers stop before the deadline, and the Root ends with what there is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from bullbear.lifecycle import Role
from bullbear.queries import roots_past_deadline, roots_past_peer_time
from bullbear.sweep import Sight, pass_deadline, stop_peers, sweep
from research.models import Opening
from tests.factories import limited
from tests.scripted import (
    BEAR_OPENING,
    BULL_CLAIM,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_plan,
    a_synthesis,
    an_opening,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

UNRESOLVED = says(SYNTHESIS, a_synthesis(C1="unresolved"))
PEERS_STOP_AT_ONCE = {"deadline_seconds": 100.001, "finalize_seconds": 100}
ALL_TIME_IS_OVER = {"deadline_seconds": 1.001, "finalize_seconds": 1}


def peers_stop_in(seconds: float) -> Any:
    return limited(deadline_seconds=100 + seconds, finalize_seconds=100)


def until(holds: Callable[[], bool]) -> None:
    """Wait for the database's clock."""
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def peers_time_is_over(scene: Scene) -> None:
    until(lambda: scene.root.pk in roots_past_peer_time())


@pytest.mark.usefixtures("database")
class TestStopPeers:
    """The time of research and exchange is over."""

    def test_finalises_and_wakes_the_parked(self, opened: OpenScene) -> None:
        """An open exchange ends with its findings kept. Scenarios E02, B02."""
        scene = opened(
            fails(BEAR_OPENING, status=429, headers={"Retry-After": "1"}),
            UNRESOLVED,
            options=peers_stop_in(4),
        )
        for role in (Role.MAIN, Role.BULL, Role.BEAR):
            scene.step(role)
        assert {scene.child(role).state for role in (Role.MAIN, Role.BULL, Role.BEAR)} == {
            "parked"
        }
        peers_time_is_over(scene)
        stop_peers(scene.root.pk)
        scene.root.refresh_from_db()
        assert (scene.root.state, scene.root.cause) == ("finalizing", "deadline")
        assert len(scene.driver.owed(scene.root)) == 3
        root = scene.end()
        assert (root.state, root.result, root.end_reason) == ("finished", "partial", "deadline")
        assert [child.state for child in root.children.order_by("pk")] == ["finished"] * 3
        assert Opening.objects.get(root=root).child == scene.child(Role.BULL)
        bear = scene.child(Role.BEAR)
        assert scene.gaps() == [("no_dialogue", "deadline"), ("no_opening", str(bear.pk))]

    def test_happens_once(self, opened: OpenScene) -> None:
        """Several sweepers find it due: one receipt. Scenario C07."""
        scene = opened(options=limited(**PEERS_STOP_AT_ONCE))
        peers_time_is_over(scene)
        stop_peers(scene.root.pk)
        stop_peers(scene.root.pk)
        assert roots_past_peer_time() == []
        assert len(scene.facts("root_finalizing")) == 1

    def test_leaves_a_root_that_has_time(self, opened: OpenScene) -> None:
        """A call that is not due changes nothing."""
        scene = opened()
        stop_peers(scene.root.pk)
        scene.root.refresh_from_db()
        assert (scene.root.state, scene.facts("root_finalizing")) == ("open", [])

    def test_is_not_needed_for_the_end_to_be_named(self, opened: OpenScene) -> None:
        """A step that finds the time over says so itself, also before any sweep. Scenario B14."""
        scene = opened(options=limited(**PEERS_STOP_AT_ONCE))
        peers_time_is_over(scene)
        root = scene.end()
        assert (root.state, root.cause, root.result) == ("finished", "deadline", "partial")
        assert scene.double.hits() == []
        assert scene.report()["how_it_ran"]["end"]["reason"] == "deadline"

    def test_makes_a_lost_opening_partial_in_every_pattern(self, opened: OpenScene) -> None:
        """Two openings were planned and one stands: that is not complete."""
        scene = opened(says(PLAN, a_plan("parallel")), UNRESOLVED, options=peers_stop_in(4))
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        peers_time_is_over(scene)
        root = scene.end()
        assert (root.cause, root.result) == ("deadline", "partial")
        assert scene.gap_codes() == ["no_opening"]


@pytest.mark.usefixtures("database")
class TestDeadlineDuringACall:
    """The time of peers ends while a call is under way."""

    def test_stores_the_answer_and_uses_it_not(self, opened: OpenScene) -> None:
        """The answer is billed and kept; Main's synthesis waits for the record. Scenario E03."""
        scene = opened(
            says(BULL_OPENING, an_opening(BULL_CLAIM), gate="held"), options=peers_stop_in(4)
        )
        scene.step(Role.MAIN)
        with scene.in_call(Role.BULL, "held"):
            peers_time_is_over(scene)
            sweep(Sight())
            scene.step(Role.MAIN)
            assert scene.child(Role.MAIN).state == "parked"
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "late")]
        assert not Opening.objects.exists()
        root = scene.end()
        assert (root.state, root.cause, root.result) == ("finished", "deadline", "partial")
        assert root.model_calls_spent == 2


@pytest.mark.usefixtures("database")
class TestPassDeadline:
    """The Root's own deadline."""

    def test_expires_a_root_without_a_synthesis(self, opened: OpenScene) -> None:
        """EXPIRED only because nothing was answered in time; there is a report. D17."""
        scene = opened(options=limited(**ALL_TIME_IS_OVER))
        until(lambda: scene.root.pk in roots_past_deadline())
        sweep(Sight())
        assert len(scene.facts("deadline_passed")) == 1
        root = scene.end()
        assert (root.state, root.cause, root.result) == ("expired", "deadline", "partial")
        assert scene.double.hits() == []
        assert scene.gap_codes() == ["no_plan", "no_synthesis"]

    def test_is_recorded_once(self, opened: OpenScene) -> None:
        """Several sweepers find it due: one receipt. Scenario C07."""
        scene = opened(options=limited(**ALL_TIME_IS_OVER))
        until(lambda: scene.root.pk in roots_past_deadline())
        pass_deadline(scene.root.pk)
        pass_deadline(scene.root.pk)
        assert roots_past_deadline() == []
        assert len(scene.facts("deadline_passed")) == 1

    def test_leaves_an_ended_root(self, opened: OpenScene) -> None:
        """Nothing is appended to a chain that is closed."""
        scene = opened()
        root = scene.end()
        seq = root.receipts_seq
        pass_deadline(root.pk)
        root.refresh_from_db()
        assert root.receipts_seq == seq
