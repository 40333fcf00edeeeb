"""What follows an unknown outcome of a half-round: the frozen policy, and the operator's decision."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from audit.verify import verify_root
from bullbear.ids import new_id
from bullbear.lifecycle import ChildState, Role
from bullbear.locks import UnknownRoot
from dialogue.decide import NothingHeld, decide
from dialogue.models import Decision
from dialogue.rules import DecisionKind
from research.asking import UnknownPolicy
from tests.scripted import challenge_in, fails
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene, rows_of

LOST = fails(challenge_in(1), status=500)
LOST_TWICE = fails(challenge_in(1), status=500, times=2)


class TestEnd:
    """The policy `end`."""

    def test_ends_the_dialogue_and_asks_nothing_again(self, opened: OpenScene) -> None:
        """Scenario A03."""
        scene = opened(LOST, unknown_policy=UnknownPolicy.END)
        scene.end()
        assert scene.outcomes(Role.BEAR, "challenge") == [
            (1, 1, "outcome_unknown", "server_error")
        ]
        assert scene.pair.end_reason == "outcome_unknown"
        assert scene.halves() == [(1, "challenge", "unknown", 1)]


class TestReask:
    """The policy `reask`."""

    def test_sends_the_same_bytes_once_more_as_a_call_of_its_own(self, opened: OpenScene) -> None:
        """A new act, a new debit, linked; the slot is the same."""
        scene = opened(LOST, unknown_policy=UnknownPolicy.REASK)
        root = scene.end()
        first, second = scene.requests(Role.BEAR, "challenge")
        assert scene.outcomes(Role.BEAR, "challenge") == [
            (1, 1, "outcome_unknown", "server_error"),
            (2, 1, "answered", "valid"),
        ]
        assert second.repeats == first
        assert second.act != first.act
        assert second.body_sha256 == first.body_sha256
        assert scene.halves() == [(1, "challenge", "accepted", 2), (1, "response", "accepted", 1)]
        assert scene.pair.end_reason == "settled"
        assert root.model_calls_spent == 7
        assert str(verify_root(root.pk)) == "verified"

    def test_ends_the_dialogue_when_that_is_unknown_too(self, opened: OpenScene) -> None:
        """It is done once."""
        scene = opened(LOST_TWICE, unknown_policy=UnknownPolicy.REASK)
        scene.end()
        assert [one.state for one in scene.requests(Role.BEAR, "challenge")] == [
            "outcome_unknown",
            "outcome_unknown",
        ]
        assert scene.pair.end_reason == "outcome_unknown"


class TestHold:
    """The policy `hold`."""

    @pytest.fixture
    def held(self, opened: OpenScene) -> Scene:
        """Bear's challenge is of unknown outcome, and everybody waits."""
        scene = opened(LOST, unknown_policy=UnknownPolicy.HOLD)
        scene.run()
        return scene

    def test_parks_everybody_without_ending_anything(self, held: Scene) -> None:
        """No mutual wait: a decision is waited for."""
        assert {one.state for one in held.root.children.all()} == {ChildState.PARKED}
        assert held.pair.end_reason == ""
        assert held.halves() == [(1, "challenge", "spent", 1)]
        held.check()

    def test_goes_on_when_an_operator_asks_again(self, held: Scene, analyst: User) -> None:
        """The decision is a record of its own, and wakes every parked execution."""
        request = decide(held.root.pk, DecisionKind.REASK, decided_by=analyst)
        assert request == held.requests(Role.BEAR, "challenge")[0]
        decision = Decision.objects.get()
        assert (decision.kind, decision.request, decision.decided_by) == (
            "reask",
            request,
            analyst,
        )
        root = held.end()
        assert root.result == "complete"
        assert held.pair.end_reason == "settled"
        assert str(verify_root(root.pk)) == "verified"

    def test_ends_when_an_operator_abandons(self, held: Scene, analyst: User) -> None:
        """The half-round ends unknown, and so does the dialogue."""
        decide(held.root.pk, DecisionKind.ABANDON, decided_by=analyst)
        root = held.end()
        assert root.result == "partial"
        assert held.pair.end_reason == "outcome_unknown"
        assert held.halves() == [(1, "challenge", "unknown", 1)]
        assert str(verify_root(root.pk)) == "verified"

    def test_takes_one_decision_only(self, held: Scene, analyst: User) -> None:
        """The second is refused, and nothing is written."""
        decide(held.root.pk, DecisionKind.REASK, decided_by=analyst)
        with pytest.raises(NothingHeld):
            decide(held.root.pk, DecisionKind.ABANDON, decided_by=analyst)
        assert rows_of(Decision) == [1]


class TestDecide:
    """`decide`."""

    def test_refuses_where_nothing_is_held(self, challenged: Scene, analyst: User) -> None:
        """Nothing is written."""
        with pytest.raises(NothingHeld):
            decide(challenged.root.pk, DecisionKind.REASK, decided_by=analyst)
        assert rows_of(Decision) == [0]

    def test_refuses_an_unknown_root(self, analyst: User) -> None:
        """There is none of this id."""
        with pytest.raises(UnknownRoot):
            decide(new_id(), DecisionKind.REASK, decided_by=analyst)
