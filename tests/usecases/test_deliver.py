"""Delivery: contained in a request of the recipient, and that request is answered."""

from __future__ import annotations

import pytest

from bullbear.bodies import read_slice
from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.deliver import delivery_of, exposures
from tests.scripted import (
    BULL_OPENING,
    CHALLENGE,
    CHALLENGE_TEXT,
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
from tests.usecases.scene import Scene, text_of

STANDS = says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"))
DEFENDS = says(RESPONSE, a_response("C1", action="defend"), times=3)
CHALLENGES = says(CHALLENGE, a_challenge("C1"), times=3)


def deliveries(scene: Scene) -> dict[str, str]:
    """Say of each message what is known of its way."""
    with transaction(), hold_root(scene.root.pk) as held:
        case = load_case(held)
        seen = exposures(case)
        return {f"M{one.number}": str(delivery_of(case, one, seen)) for one in case.messages}


@pytest.mark.usefixtures("database")
class TestDelivery:
    """What is known of a message's way to its recipient."""

    def test_is_no_before_the_recipient_was_asked(self, challenged: Scene) -> None:
        """Accepted is not delivered."""
        assert deliveries(challenged) == {"M1": "no"}
        assert challenged.facts("message_delivered") == []

    def test_is_unknown_while_the_call_is_open(self, opened: OpenScene) -> None:
        """A sealed request that holds it may or may not have reached the model."""
        scene = opened(says(response_in(1), a_response(), gate="held"))
        scene.run(lambda: len(scene.messages()) == 1)
        with scene.in_call(Role.BULL, "held"):
            assert deliveries(scene) == {"M1": "unknown"}
        assert deliveries(scene) == {"M1": "yes", "M2": "no further turn"}

    def test_is_yes_once_a_request_that_holds_it_is_answered(self, challenged: Scene) -> None:
        """The text stands verbatim in Bull's answered request; one receipt names that request."""
        challenged.step(Role.BULL)
        [request] = challenged.requests(Role.BULL, "response")
        [message, _] = challenged.messages()
        [part] = request.parts.filter(kind="message")
        body = load_bytes(request.body)
        assert part.record == str(message.pk)
        assert read_slice(body, part.byte_start, part.byte_end) == CHALLENGE_TEXT
        assert deliveries(challenged)["M1"] == "yes"
        [fact] = challenged.facts("message_delivered")
        assert fact["act"] == str(message.pk)
        assert fact["subjects"] == {"message": str(message.pk), "request": str(request.pk)}
        challenged.check()

    def test_is_yes_also_where_the_answer_was_invalid(self, opened: OpenScene) -> None:
        """The model was asked with it; what it made of it is another fact."""
        scene = opened(
            says(response_in(1), "no idea", times=2),
            says(challenge_in(2), nothing_further()),
            STANDS,
        )
        scene.end()
        first, second = scene.requests(Role.BULL, "response")
        assert deliveries(scene) == {"M1": "yes"}
        [fact] = scene.facts("message_delivered")
        assert fact["subjects"]["request"] == str(first.pk)
        assert second.parts.filter(kind="message").count() == 1

    def test_is_unknown_for_good_where_the_outcome_is(self, opened: OpenScene) -> None:
        """Unknown is never green, and the report says so. Scenario A03."""
        scene = opened(fails(response_in(1), status=500), STANDS)
        scene.end()
        [message] = scene.messages()
        [request] = scene.requests(Role.BULL, "response")
        assert deliveries(scene) == {"M1": "unknown"}
        assert scene.facts("message_delivered") == []
        assert ("delivery_unknown", str(message.pk)) in scene.gaps()
        assert ("outcome_unknown", str(request.pk)) in scene.gaps()

    def test_is_no_where_every_request_was_rejected(self, opened: OpenScene) -> None:
        """Nothing was generated from it: the gap says it was not delivered."""
        scene = opened(
            fails(response_in(1), status=401), says(challenge_in(2), nothing_further()), STANDS
        )
        scene.end()
        [message] = scene.messages()
        assert deliveries(scene) == {"M1": "no"}
        assert ("not_delivered", str(message.pk)) in scene.gaps()

    def test_of_a_last_response_says_that_no_turn_follows(self, opened: OpenScene) -> None:
        """The recipient has no turn left: no gap."""
        scene = opened(CHALLENGES, DEFENDS, STANDS)
        scene.end()
        assert deliveries(scene) == {
            "M1": "yes",
            "M2": "yes",
            "M3": "yes",
            "M4": "no further turn",
        }
        assert scene.gaps() == []

    def test_is_recorded_once_with_the_first_answered_request(self, opened: OpenScene) -> None:
        """Later requests hold the message again; the delivering request never changes."""
        scene = opened(CHALLENGES, DEFENDS, STANDS)
        scene.end()
        delivered = {
            fact["act"]: fact["subjects"]["request"] for fact in scene.facts("message_delivered")
        }
        first, second = scene.requests(Role.BULL, "response")
        m1, m2, m3, _ = scene.messages()
        assert delivered == {
            str(m1.pk): str(first.pk),
            str(m2.pk): str(scene.requests(Role.BEAR, "challenge")[1].pk),
            str(m3.pk): str(second.pk),
        }

    def test_is_recorded_late_where_the_sender_spoke_again_meanwhile(
        self, opened: OpenScene
    ) -> None:
        """That its own author's later request held it too delivers nothing to the other side."""
        scene = opened(fails(response_in(1), status=401), CHALLENGES, DEFENDS, STANDS)
        scene.end()
        m1, m2, _ = scene.messages()
        [answered] = [r for r in scene.requests(Role.BULL, "response") if r.state == "answered"]
        assert deliveries(scene) == {"M1": "yes", "M2": "yes", "M3": "no further turn"}
        assert [
            (fact["act"], fact["subjects"]["request"]) for fact in scene.facts("message_delivered")
        ] == [(str(m1.pk), str(answered.pk)), (str(m2.pk), str(answered.pk))]


@pytest.mark.usefixtures("database")
class TestMessageBlocks:
    """What stands in an exchange request."""

    def test_holds_every_accepted_message_whole_and_in_order(self, opened: OpenScene) -> None:
        """The last request of an exchange holds all before it; nothing is shortened."""
        scene = opened(CHALLENGES, DEFENDS, STANDS)
        scene.end()
        last = scene.requests(Role.BULL, "response")[-1]
        body = load_bytes(last.body)
        texts = [
            read_slice(body, part.byte_start, part.byte_end)
            for part in last.parts.filter(kind="message").order_by("ordinal")
        ]
        assert texts == [text_of(one, "text") for one in scene.messages()[:3]]

    def test_holds_nothing_of_the_others_tools(self, opened: OpenScene) -> None:
        """A peer sees opening, messages and register, never tool traces. Scenario H07."""
        look: tuple[str, dict[str, str]] = ("list_sources", {})
        scene = opened(asks_for(BULL_OPENING, look), asks_for(challenge_in(1), look))
        scene.end()
        assert scene.root.tool_calls.count() == 2
        for role in (Role.BULL, Role.BEAR):
            others = scene.root.tool_calls.exclude(child__role=role)
            shown = {str(one.pk) for one in others}
            for request in scene.requests(role):
                assert not request.parts.filter(record__in=shown).exists()
