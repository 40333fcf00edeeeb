"""Why an exchange ends: one stored reason, the first of its order that holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bullbear.lifecycle import ChildState, Role
from bullbear.locks import hold_root
from bullbear.parking import end, park, wake
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.ending import end_pair
from dialogue.models import Pair
from dialogue.rules import EndReason
from dialogue.settle import end_mutual_wait, settle, wake_next
from tests.factories import limited
from tests.provider_double import Behaviour
from tests.scripted import (
    CHALLENGE,
    CHALLENGE_TEXT,
    RESPONSE,
    SYNTHESIS,
    a_challenge,
    a_response,
    a_synthesis,
    challenge_in,
    fails,
    no_response,
    nothing_further,
    response_in,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

STANDS = says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"))
DEFENDS = says(RESPONSE, a_response("C1", action="defend"), times=3)
CHALLENGES = says(CHALLENGE, a_challenge("C1"), times=3)
LONG = f"{CHALLENGE_TEXT} {'It is so. ' * 500}"
ENDS: list[tuple[str, Sequence[Behaviour], str, list[str]]] = [
    ("settled", [], "complete", []),
    (
        "no_strong_counterexample",
        [says(challenge_in(1), nothing_further()), STANDS],
        "complete",
        [],
    ),
    (
        "no_strong_counterexample",
        [says(challenge_in(1), "?", times=2), says(challenge_in(2), nothing_further()), STANDS],
        "complete",
        ["no_message"],
    ),
    ("declined", [says(response_in(1), no_response()), STANDS], "complete", []),
    ("declined", [DEFENDS, says(challenge_in(2), nothing_further()), STANDS], "complete", []),
    ("max_rounds", [CHALLENGES, DEFENDS, STANDS], "complete", []),
    (
        "outcome_unknown",
        [fails(challenge_in(1), status=502), STANDS],
        "partial",
        ["dialogue_cut_short", "no_message", "outcome_unknown"],
    ),
    (
        "outcome_unknown",
        [fails(response_in(1), cut="body"), STANDS],
        "partial",
        ["delivery_unknown", "dialogue_cut_short", "no_message", "outcome_unknown"],
    ),
    (
        "invalid_output",
        [says(CHALLENGE, "?", times=4), STANDS],
        "complete",
        ["no_message", "no_message"],
    ),
    (
        "invalid_output",
        [
            CHALLENGES,
            says(response_in(1), a_response(action="defend")),
            says(response_in(2), "?", times=2),
            STANDS,
        ],
        "complete",
        ["no_message"],
    ),
    (
        "provider_unavailable",
        [fails(CHALLENGE, status=401, times=2), STANDS],
        "partial",
        ["dialogue_cut_short", "no_message", "no_message"],
    ),
]


@pytest.mark.usefixtures("database")
class TestEndPair:
    """Endings that answers bring about."""

    @pytest.mark.parametrize(("reason", "answers", "result", "gaps"), ENDS)
    def test_stores_its_reason_and_what_the_root_is_worth(
        self,
        opened: OpenScene,
        reason: str,
        answers: list[Behaviour],
        result: str,
        gaps: list[str],
    ) -> None:
        """Each ending with its gaps; both sides finish without a further call. J01, J02, J16."""
        scene = opened(*answers)
        root = scene.end()
        assert (scene.pair.end_reason, root.end_reason) == (reason, "")
        assert (root.state, root.cause, root.result) == ("finished", "completed", result)
        assert scene.gap_codes() == gaps
        [fact] = scene.facts("pair_ended")
        rounds = max(half[0] for half in scene.halves())
        assert fact["subjects"] == {
            "pair": str(scene.pair.pk),
            "reason": reason,
            "rounds": rounds,
        }
        assert {scene.child(role).state for role in (Role.BULL, Role.BEAR)} == {"finished"}
        assert scene.report()["how_it_ran"]["end"]["reason"] == reason

    def test_wakes_main_and_nobody_else(self, opened: OpenScene) -> None:
        """Both are finished by the ending transaction; no thank-you round. Scenario J02."""
        scene = opened()
        scene.run(lambda: Pair.objects.filter(root=scene.root).exclude(end_reason="").exists())
        states = {role: scene.child(role).state for role in (Role.MAIN, Role.BULL, Role.BEAR)}
        assert states == {Role.MAIN: "ready", Role.BULL: "finished", Role.BEAR: "finished"}

    def test_happens_once(self, frozen_pair: Scene) -> None:
        """A trigger holds that an end reason is stored once."""
        end_by_hand(frozen_pair, EndReason.DECLINED)
        with pytest.raises(Exception, match="a pair ends once"):
            end_by_hand(frozen_pair, EndReason.SETTLED)
        assert frozen_pair.pair.end_reason == "declined"


def end_by_hand(scene: Scene, reason: EndReason) -> None:
    with transaction(), hold_root(scene.root.pk) as held:
        end_pair(load_case(held), reason)


@pytest.mark.usefixtures("database")
class TestContextFull:
    """What no longer fits ends the dialogue: nothing is shortened."""

    def test_ends_the_pair_before_the_call(self, opened: OpenScene) -> None:
        """The request that would be too large is never sealed."""
        scene = opened(
            says(challenge_in(1), a_challenge("C1", text=LONG[:7_900])),
            STANDS,
            options=limited(context_bytes=15_000),
        )
        root = scene.end()
        assert (scene.pair.end_reason, root.result) == ("context_full", "partial")
        assert scene.requests(Role.BULL, "response") == []
        assert scene.gap_codes() == ["dialogue_cut_short", "not_delivered"]

    def test_of_an_opening_fails_its_execution(self, opened: OpenScene) -> None:
        """Not even the openings fit: both fail, without a call, and Main compiles."""
        scene = opened(options=limited(context_bytes=5_000))
        root = scene.end()
        ends = {scene.child(role).end_reason for role in (Role.BULL, Role.BEAR)}
        assert ends == {"context_full"}
        assert (root.state, root.result) == ("finished", "partial")


@pytest.mark.usefixtures("database")
class TestBudgetEnd:
    """A dialogue that can afford no further request."""

    def test_ends_the_pair_and_leaves_main_its_reserve(self, opened: OpenScene) -> None:
        """The hand-back reserve is not touched by the exchange. D17."""
        scene = opened(CHALLENGES, DEFENDS, STANDS, options=limited(model_calls=8))
        root = scene.end()
        assert (scene.pair.end_reason, root.result) == ("budget", "partial")
        assert [half[:3] for half in scene.halves()] == [(1, "challenge", "accepted")]
        assert scene.gap_codes() == ["dialogue_cut_short", "not_delivered"]
        assert len(scene.requests(Role.MAIN, "synthesis")) == 1


@pytest.mark.usefixtures("database")
class TestParticipantEnded:
    """One side of a frozen pair ends otherwise."""

    def test_ends_the_pair(self, challenged: Scene) -> None:
        """Bull fails before it answers: the pair ends, and Main delivers what there is. J10."""
        challenged.double.forget()
        challenged.script(STANDS)
        with transaction(), hold_root(challenged.root.pk) as held:
            case = load_case(held)
            bull = case.child_of(Role.BULL)
            assert bull is not None
            park(held, bull, seen=bull.wakes)
            end(held, bull, ChildState.FAILED, "rescued_three_times")
            settle(case)
            wake_next(case, "record")
        root = challenged.run()
        assert (challenged.pair.end_reason, root.result) == ("participant_ended", "partial")


@pytest.mark.usefixtures("database")
class TestMutualWait:
    """Everybody waits and nothing is pending. Scenario B18."""

    def test_ends_the_pair_where_all_are_parked(self, frozen_pair: Scene) -> None:
        """Never a silent hour: the pair ends and Main is woken."""
        frozen_pair.double.forget()
        frozen_pair.script(STANDS)
        with transaction(), hold_root(frozen_pair.root.pk) as held:
            case = load_case(held)
            bear = case.child_of(Role.BEAR)
            assert bear is not None
            park(held, bear, seen=bear.wakes)
            assert end_mutual_wait(case)
            settle(case)
            wake_next(case, "mutual_wait")
        root = frozen_pair.run()
        assert (frozen_pair.pair.end_reason, root.result) == ("mutual_wait", "partial")

    def test_is_not_called_while_somebody_is_ready(self, frozen_pair: Scene) -> None:
        """Bear has its turn: nobody is stuck."""
        with transaction(), hold_root(frozen_pair.root.pk) as held:
            assert not end_mutual_wait(load_case(held))
        assert frozen_pair.pair.end_reason == ""


@pytest.mark.usefixtures("database")
class TestPark:
    """Waiting without losing a wake."""

    def test_refuses_to_wait_where_a_wake_came_meanwhile(self, frozen_pair: Scene) -> None:
        """The count that was seen has moved: the execution is READY again. Scenario B01."""
        with transaction(), hold_root(frozen_pair.root.pk) as held:
            case = load_case(held)
            bull = case.child_of(Role.BULL)
            assert bull is not None
            seen = bull.wakes
            wake(held, bull, "test")
            assert not park(held, bull, seen=seen)
        assert frozen_pair.child(Role.BULL).state == "ready"
        assert frozen_pair.child(Role.BULL).wakes == seen + 1
