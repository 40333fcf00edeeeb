"""B02 and B03: somebody is about to wait while the time runs out, or while the Root is cancelled.

Bull has nothing to do and is about to wait.  At that moment the sweeper finds the deadline passed, or an
operator cancels.  Bull must not wait for an end that has already come.
"""

from __future__ import annotations

from functools import partial

import pytest

from bullbear.lifecycle import Role
from bullbear.models import Receipt
from bullbear.sweep import pass_deadline, stop_peers
from dialogue.cancel import cancel
from dialogue.models import Pair
from tests.races.explorer import Outcomes
from tests.races.naive import move, race, run, state_of, transaction, value
from tests.races.stage import Stage
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene
from tests.usecases.test_deadline import peers_stop_in, peers_time_is_over

ROLES = (Role.MAIN, Role.BULL, Role.BEAR)


def last(scene: Scene, role: Role, kind: str) -> int:
    """Say where in the chain the last receipt of a kind about an execution stands."""
    found = Receipt.objects.filter(root=scene.root, kind=kind, child=scene.child(role))
    return found.latest("seq").seq


def bull_is_about_to_wait(frozen_pair: Scene) -> Stage:
    """Bear's call is under way; Bull was woken and will find nothing to do."""
    stage = Stage(frozen_pair)
    stage.answered(Role.BEAR)
    stage.look_again(Role.BULL)
    return stage


@pytest.mark.usefixtures("database")
class TestOurs:
    """Waiting and ending are transactions under one lock."""

    def test_nobody_waits_who_has_not_seen_the_deadline(self, frozen_pair: Scene) -> None:
        """Bull waits only if he has looked since; else he is READY to look. Scenario B02."""
        stage = bull_is_about_to_wait(frozen_pair)

        def holds(_: Outcomes) -> None:
            [fact] = frozen_pair.facts("deadline_passed")
            if frozen_pair.child(Role.BULL).state == "parked":
                assert last(frozen_pair, Role.BULL, "child_parked") > fact["seq"]
            else:
                assert frozen_pair.child(Role.BULL).state == "ready"

        explored = stage.race(
            holds,
            {
                "bull": stage.begins(Role.BULL),
                "sweeper": partial(pass_deadline, frozen_pair.root.pk),
            },
        )
        assert explored.held() == 7

    def test_an_opening_and_the_sweeper_name_the_deadline_once(self, opened: OpenScene) -> None:
        """Bear's opening comes when the time of peers is over: Main and Bull learn it. Scenario B02."""
        scene = opened(options=peers_stop_in(4))
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        stage = Stage(scene)
        opening = stage.answered(Role.BEAR)
        peers_time_is_over(scene)

        def holds(_: Outcomes) -> None:
            [fact] = scene.facts("root_finalizing")
            assert fact["subjects"] == {"cause": "deadline"}
            assert not Pair.objects.exists()
            assert "parked" not in {scene.child(role).state for role in ROLES}

        explored = stage.race(
            holds, {"bear": stage.records(opening), "sweeper": partial(stop_peers, scene.root.pk)}
        )
        assert explored.held() == 4

    def test_nobody_waits_in_a_cancelled_root(self, frozen_pair: Scene) -> None:
        """Bull is stopped, Main is to compile, and Bear's call is awaited. Scenario B03."""
        stage = bull_is_about_to_wait(frozen_pair)

        def holds(outcomes: Outcomes) -> None:
            assert outcomes["operator"].result is True
            assert frozen_pair.child(Role.BULL).state == "stopped"
            assert frozen_pair.child(Role.BEAR).state == "running"
            assert frozen_pair.pair.end_reason == "cancelled"

        explored = stage.race(
            holds,
            {"bull": stage.begins(Role.BULL), "operator": partial(cancel, frozen_pair.root.pk)},
        )
        assert explored.held() == 7


def wait_if_open() -> None:
    """Bull: the Root is open; then wait."""
    with transaction():
        if value("SELECT state FROM naive.root") == "open":
            move("bull", "parked")


def expire() -> None:
    """The sweeper: the time is over; wake all who wait."""
    with transaction():
        run("UPDATE naive.root SET state = 'expired'")
        run("UPDATE naive.execution SET state = 'ready' WHERE state = 'parked'")


def stop_all() -> None:
    """The operator: cancelled; stop all who wait."""
    with transaction():
        run("UPDATE naive.root SET state = 'cancelled'")
        run("UPDATE naive.execution SET state = 'stopped' WHERE state = 'parked'")


@pytest.mark.usefixtures("naive")
class TestNaive:
    """The same without a common lock."""

    def test_waits_for_a_deadline_that_has_passed(self) -> None:
        """Scenario B02, control."""
        explored = race(
            lambda: state_of("bull") != "parked",
            {"bull": wait_if_open, "sweeper": expire},
            bull="running",
        )
        assert explored.figures == (20, 15)

    def test_waits_in_a_cancelled_root(self) -> None:
        """Scenario B03, control."""
        explored = race(
            lambda: state_of("bull") != "parked",
            {"bull": wait_if_open, "operator": stop_all},
            bull="running",
        )
        assert explored.figures == (20, 15)
