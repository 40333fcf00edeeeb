"""Half-rounds: spent with the first seal, never given back."""

from __future__ import annotations

import json

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import ModelRequest
from dialogue.models import HalfRound
from tests.scripted import (
    CHALLENGE,
    RESPONSE,
    SYNTHESIS,
    a_challenge,
    a_response,
    a_synthesis,
    asks_for,
    challenge_in,
    fails,
    nothing_further,
    response_in,
    says,
)
from tests.usecases.conftest import OpenScene

STANDS = says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"))
DEFENDS = says(RESPONSE, a_response("C1", action="defend"), times=3)
CHALLENGES = says(CHALLENGE, a_challenge("C1"), times=3)
QUIET = says(challenge_in(2), nothing_further())
LOOK: tuple[str, dict[str, str]] = ("list_sources", {})


@pytest.mark.usefixtures("database")
class TestSpend:
    """A slot is opened by the seal of its first request."""

    def test_happens_with_the_seal(self, opened: OpenScene) -> None:
        """While the call is under way the half-round stands, spent, and names its request."""
        scene = opened(says(challenge_in(1), a_challenge("C2"), gate="held"))
        for role in (Role.MAIN, Role.BEAR, Role.BULL):
            scene.step(role)
        with scene.in_call(Role.BEAR, "held"):
            half = HalfRound.objects.get(pair=scene.pair)
            request = ModelRequest.objects.get(state="sealed")
            assert (half.round, half.kind, half.outcome) == (1, "challenge", "spent")
            assert (half.child, half.first_request) == (scene.child(Role.BEAR), request)
        [spent] = scene.facts("half_round_spent")
        assert spent["act"] == f"{scene.pair.pk}:1:challenge"
        assert spent["subjects"] == {
            "half_round": str(half.pk),
            "round": 1,
            "kind": "challenge",
            "request": str(request.pk),
        }
        [ended] = scene.facts("half_round_ended")
        assert ended["subjects"] == {"half_round": str(half.pk), "outcome": "accepted"}
        scene.check()

    def test_happens_once_for_a_turn_with_tools_and_attempts(self, opened: OpenScene) -> None:
        """Tool continuations and a further attempt stay in the slot."""
        scene = opened(
            asks_for(challenge_in(1), LOOK),
            says(challenge_in(1), "no idea"),
            asks_for(challenge_in(1), LOOK),
        )
        scene.run(lambda: len(scene.messages()) == 1)
        assert scene.outcomes(Role.BEAR, "challenge") == [
            (1, 1, "answered", "tool_calls"),
            (1, 2, "answered", "not_json"),
            (2, 1, "answered", "tool_calls"),
            (2, 2, "answered", "valid"),
        ]
        assert scene.halves() == [(1, "challenge", "accepted", 2)]
        assert len(scene.facts("half_round_spent")) == 1
        scene.check()

    def test_shows_its_round_and_the_cap_in_the_request(self, opened: OpenScene) -> None:
        """The host's own line says which round of how many."""
        scene = opened(CHALLENGES, DEFENDS, STANDS, rounds=3)
        scene.end()
        lines = [
            json.loads(load_bytes(one.body))["messages"][-1]["content"].splitlines()[-1]
            for one in scene.requests(Role.BEAR, "challenge")
        ]
        assert lines == [
            f"[task | challenge | bear | round {n} of 3 | language en]" for n in (1, 2, 3)
        ]

    def test_has_no_slot_for_an_argument_that_was_not_made(self, opened: OpenScene) -> None:
        """Bear's first challenge holds no empty place for the opponent's last words. Scenario J03."""
        scene = opened()
        scene.end()
        [request] = scene.requests(Role.BEAR, "challenge")
        assert [part.kind for part in request.parts.order_by("ordinal")] == [
            *["prompt"] * 2,
            "question",
            *["opening"] * 2,
            *["claim_quote"] * 2,
        ]


@pytest.mark.usefixtures("database")
class TestEndHalfRound:
    """What came of a slot; whatever it is, the next one follows or the pair ends."""

    def test_is_invalid_after_one_further_attempt(self, opened: OpenScene) -> None:
        """Bear's slot is lost and the next round begins: invalid output is no end. D10."""
        scene = opened(
            says(challenge_in(1), "no idea", times=2), CHALLENGES, DEFENDS, STANDS, rounds=2
        )
        root = scene.end()
        assert scene.halves() == [
            (1, "challenge", "invalid", 2),
            (2, "challenge", "accepted", 1),
            (2, "response", "accepted", 1),
        ]
        assert (scene.pair.end_reason, root.result) == ("max_rounds", "complete")
        half = HalfRound.objects.get(round=1)
        assert scene.gaps() == [("no_message", str(half.pk))]

    def test_is_unused_where_every_request_was_rejected(self, opened: OpenScene) -> None:
        """Nothing was generated; the slot is not given back, the calls are refunded."""
        scene = opened(fails(challenge_in(1), status=403), CHALLENGES, DEFENDS, STANDS)
        root = scene.end()
        assert [half[:3] for half in scene.halves()] == [
            (1, "challenge", "unused"),
            (2, "challenge", "accepted"),
            (2, "response", "accepted"),
        ]
        assert root.model_calls_spent == ModelRequest.objects.filter(root=root).count() - 1

    def test_is_invalid_for_a_response_too(self, opened: OpenScene) -> None:
        """Bull's slot is lost; Bear opens the next round."""
        scene = opened(CHALLENGES, says(response_in(1), "?", times=2), DEFENDS, STANDS)
        scene.end()
        assert scene.halves() == [
            (1, "challenge", "accepted", 1),
            (1, "response", "invalid", 2),
            (2, "challenge", "accepted", 1),
            (2, "response", "accepted", 1),
        ]
        assert scene.pair.end_reason == "max_rounds"

    def test_never_goes_past_the_cap(self, opened: OpenScene) -> None:
        """However willing both are, there are as many rounds as were frozen. Scenario J08."""
        scene = opened(CHALLENGES, DEFENDS, STANDS, rounds=1)
        root = scene.end()
        assert [half[:2] for half in scene.halves()] == [(1, "challenge"), (1, "response")]
        assert (scene.pair.end_reason, root.result) == ("max_rounds", "complete")
