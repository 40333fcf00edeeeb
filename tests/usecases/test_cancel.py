"""Cancelling a Root, in each state it can be in: what stands is kept, and the report says so. J18."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from bullbear.lifecycle import Role
from bullbear.locks import UnknownRoot
from bullbear.models import Receipt
from dialogue.cancel import cancel
from dialogue.models import PeerMessage
from research.models import Opening
from tests.scripted import (
    BULL_CLAIM,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_challenge,
    a_plan,
    a_synthesis,
    an_opening,
    asks_for,
    challenge_in,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

PEERS = (Role.BULL, Role.BEAR)
BULL_THINKS = says(BULL_OPENING, an_opening(BULL_CLAIM), gate="held")
BULL_LOOKS = asks_for(BULL_OPENING, ("list_sources", {}), gate="held")


def cancelled(scene: Scene) -> None:
    """Assert how a cancelled Root ends."""
    root = scene.end()
    assert (root.state, root.cause, root.result) == ("cancelled", "cancelled", "partial")
    assert scene.report()["how_it_ran"]["end"]["reason"] == "cancelled"


def before_the_plan(_scene: Scene) -> None:
    """Nothing has begun."""


def planned(scene: Scene) -> None:
    scene.step(Role.MAIN)


def one_opening(scene: Scene) -> None:
    planned(scene)
    scene.step(Role.BULL)


def challenge_accepted(scene: Scene) -> None:
    one_opening(scene)
    scene.step(Role.BEAR)


def waiting_for_a_timer(scene: Scene) -> None:
    scene.double.forget()
    scene.script(fails(PLAN, status=429, headers={"Retry-After": "60"}))
    planned(scene)


STATES = [before_the_plan, planned, one_opening, challenge_accepted, waiting_for_a_timer]


@pytest.mark.usefixtures("database")
class TestCancel:
    """A Root that nobody's call keeps busy."""

    @pytest.mark.parametrize("reach", STATES)
    def test_stops_the_peers_and_lets_main_compile(
        self, opened: OpenScene, reach: Callable[[Scene], None]
    ) -> None:
        """READY and PARKED executions are stopped now; Main compiles without a call. J18."""
        scene = opened()
        reach(scene)
        calls = len(scene.double.hits())
        assert cancel(scene.root.pk)
        scene.root.refresh_from_db()
        assert (scene.root.state, scene.root.cause) == ("finalizing", "cancelled")
        peers = scene.root.children.exclude(role=Role.MAIN)
        assert {(one.state, one.end_reason) for one in peers} <= {("stopped", "cancelled")}
        cancelled(scene)
        assert len(scene.double.hits()) == calls

    def test_ends_the_pair_and_keeps_what_was_said(self, challenged: Scene) -> None:
        """The accepted challenge stays, undelivered, and says so."""
        cancel(challenged.root.pk)
        assert challenged.pair.end_reason == "cancelled"
        cancelled(challenged)
        [message] = challenged.messages()
        assert ("not_delivered", str(message.pk)) in challenged.gaps()
        assert ("dialogue_cut_short", str(challenged.pair.pk)) in challenged.gaps()

    def test_is_refused_once_the_root_is_ending(self, opened: OpenScene) -> None:
        """While Main writes its synthesis, and afterwards, nothing is changed."""
        scene = opened(says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands"), gate="held"))
        scene.run_to_the_synthesis()
        with scene.in_call(Role.MAIN, "held"):
            receipts = Receipt.objects.count()
            assert not cancel(scene.root.pk)
            assert Receipt.objects.count() == receipts
        root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")
        assert not cancel(root.pk)

    def test_twice_is_once(self, opened: OpenScene) -> None:
        """The second call changes nothing."""
        scene = opened()
        assert cancel(scene.root.pk)
        assert not cancel(scene.root.pk)
        assert len(scene.facts("root_finalizing")) == 1

    def test_of_an_unknown_root_is_an_error(self) -> None:
        """There is nothing to cancel."""
        with pytest.raises(UnknownRoot):
            cancel(uuid4())


@pytest.mark.usefixtures("database")
class TestCancelDuringACall:
    """A call is under way: its execution keeps the lease until it records."""

    def test_stores_the_answer_and_uses_it_not(self, opened: OpenScene) -> None:
        """An opening that comes after the cancel is billed, kept and no opening. Scenario B10."""
        scene = opened(BULL_THINKS)
        scene.step(Role.MAIN)
        with scene.in_call(Role.BULL, "held"):
            assert cancel(scene.root.pk)
            assert scene.child(Role.BULL).state == "running"
            assert scene.child(Role.BEAR).state == "stopped"
            assert scene.child(Role.MAIN).state == "parked"
        bull = scene.child(Role.BULL)
        assert (bull.state, bull.end_reason) == ("stopped", "cancelled")
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "late")]
        assert not Opening.objects.exists()
        cancelled(scene)
        assert scene.root.model_calls_spent == 2

    def test_runs_no_tool_of_it(self, opened: OpenScene) -> None:
        """Tool calls of a late answer are not recorded and not billed."""
        scene = opened(BULL_LOOKS)
        scene.step(Role.MAIN)
        with scene.in_call(Role.BULL, "held"):
            cancel(scene.root.pk)
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "late")]
        assert scene.root.tool_calls.count() == 0
        cancelled(scene)
        assert scene.root.tool_calls_spent == 0

    def test_accepts_no_message_of_it(self, opened: OpenScene) -> None:
        """A challenge that comes after the cancel is no send. Scenarios B08, B11, J15."""
        scene = opened(says(challenge_in(1), a_challenge("C2"), gate="held"))
        for role in (Role.MAIN, Role.BEAR, Role.BULL):
            scene.step(role)
        with scene.in_call(Role.BEAR, "held"):
            cancel(scene.root.pk)
            assert scene.pair.end_reason == "cancelled"
        assert not PeerMessage.objects.exists()
        assert scene.outcomes(Role.BEAR, "challenge") == [(1, 1, "answered", "late")]
        cancelled(scene)

    def test_sets_no_store_by_a_late_plan(self, opened: OpenScene) -> None:
        """Main's own call: the plan is not made, and Main compiles at once."""
        scene = opened(says(PLAN, a_plan(), gate="held"))
        with scene.in_call(Role.MAIN, "held"):
            cancel(scene.root.pk)
        assert scene.outcomes(Role.MAIN) == [(1, 1, "answered", "late")]
        cancelled(scene)
        assert scene.gap_codes() == ["no_plan", "no_synthesis"]
