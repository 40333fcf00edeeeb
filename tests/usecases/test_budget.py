"""The budget: reserved before a request, settled after it, and a reserve that only Main's end may touch."""

from __future__ import annotations

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import Root
from research.limits import ANSWER_TOKENS, HAND_BACK, tokens_for
from research.rules import Purpose
from tests.factories import limited
from tests.scripted import (
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_plan,
    a_synthesis,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

USAGE = 15  # of each completion of the double


def counters(scene: Scene) -> dict[str, tuple[int, int]]:
    """Read what is spent and reserved."""
    root = Root.objects.get(pk=scene.root.pk)
    return {
        "model_calls": (root.model_calls_spent, root.model_calls_reserved),
        "tokens": (root.tokens_spent, root.tokens_reserved),
        "tool_calls": (root.tool_calls_spent, root.tool_calls_reserved),
    }


@pytest.mark.usefixtures("database")
class TestReserve:
    """What a request sets aside with its seal."""

    def test_is_made_before_the_call(self, opened: OpenScene) -> None:
        """One call and an estimate from above of its tokens, held while it is under way."""
        scene = opened(says(PLAN, a_plan(), gate="held"))
        with scene.in_call(Role.MAIN, "held"):
            [request] = scene.requests(Role.MAIN)
            size = len(load_bytes(request.body))
            assert request.reserved_tokens == tokens_for(Purpose.PLAN, size)
            assert request.reserved_tokens == -(-size // 3) + ANSWER_TOKENS[Purpose.PLAN]
            assert counters(scene) == {
                "model_calls": (0, 1),
                "tokens": (0, request.reserved_tokens),
                "tool_calls": (0, 0),
            }
            scene.check()

    def test_sets_tool_calls_aside_where_tools_are_offered(self, opened: OpenScene) -> None:
        """Four calls for each request that may ask for tools; unused ones come back."""
        scene = opened(fails(BULL_OPENING, content="?", gate="held"))
        scene.step(Role.MAIN)
        with scene.in_call(Role.BULL, "held"):
            assert counters(scene)["tool_calls"] == (0, 4)
        assert counters(scene)["tool_calls"] == (0, 0)


@pytest.mark.usefixtures("database")
class TestSettle:
    """What is booked with the record."""

    def test_books_what_the_provider_says(self, opened: OpenScene) -> None:
        """An answer costs its own figures, not the estimate."""
        scene = opened()
        scene.step(Role.MAIN)
        assert counters(scene) == {
            "model_calls": (1, 0),
            "tokens": (USAGE, 0),
            "tool_calls": (0, 0),
        }

    def test_books_the_estimate_where_nothing_is_said(self, opened: OpenScene) -> None:
        """An answer without usage costs what was reserved for it."""
        silent = b'{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"?"}}]}'
        scene = opened(fails(PLAN, body=silent, times=2))
        scene.step(Role.MAIN)
        reserved = sum(one.reserved_tokens for one in scene.requests(Role.MAIN))
        assert counters(scene)["tokens"] == (reserved, 0)
        assert counters(scene)["model_calls"] == (2, 0)

    def test_leaves_an_unknown_outcome_debited(self, opened: OpenScene) -> None:
        """Nobody knows what it cost: all that was reserved stays spent."""
        scene = opened(fails(PLAN, status=500))
        scene.step(Role.MAIN)
        [request] = scene.requests(Role.MAIN)
        assert counters(scene) == {
            "model_calls": (1, 0),
            "tokens": (request.reserved_tokens, 0),
            "tool_calls": (0, 0),
        }

    def test_refunds_a_rejected_call(self, opened: OpenScene) -> None:
        """Nothing was generated: nothing is spent."""
        scene = opened(fails(PLAN, status=401))
        scene.step(Role.MAIN)
        assert counters(scene) == {
            "model_calls": (0, 0),
            "tokens": (0, 0),
            "tool_calls": (0, 0),
        }

    def test_ends_a_whole_dialogue_with_nothing_reserved(self, opened: OpenScene) -> None:
        """Debits are what was sealed and not rejected."""
        scene = opened()
        root = scene.end()
        assert counters(scene) == {
            "model_calls": (6, 0),
            "tokens": (6 * USAGE, 0),
            "tool_calls": (0, 0),
        }
        assert root.requests.count() == 6


@pytest.mark.usefixtures("database")
class TestHandBack:
    """The reserve for Main's end."""

    def test_is_drawn_on_by_the_synthesis_alone(self, opened: OpenScene) -> None:
        """Plan, openings and exchange leave it as it was set aside; the synthesis takes its part."""
        scene = opened(says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands"), gate="held"))
        scene.run_to_the_synthesis()
        root = Root.objects.get(pk=scene.root.pk)
        assert (root.model_calls_hand_back, root.tokens_hand_back) == (
            HAND_BACK.model_calls,
            HAND_BACK.tokens,
        )
        with scene.in_call(Role.MAIN, "held"):
            [request] = scene.requests(Role.MAIN, "synthesis")
            root.refresh_from_db()
            assert root.model_calls_hand_back == HAND_BACK.model_calls - 1
            assert root.tokens_hand_back == HAND_BACK.tokens - request.reserved_tokens

    def test_is_out_of_reach_of_openings(self, opened: OpenScene) -> None:
        """The smallest Root affords plan and openings once; a further attempt finds nothing. B09."""
        scene = opened(
            says(BULL_OPENING, "?", times=2),
            says(SYNTHESIS, a_synthesis(C1="unresolved")),
            options=limited(model_calls=7),
        )
        scene.step(Role.MAIN)
        scene.step(Role.BEAR)
        bull = scene.step(Role.BULL)
        assert (bull.state, bull.end_reason) == ("failed", "budget")
        root = scene.end()
        assert (root.state, root.result, root.model_calls_spent) == ("finished", "partial", 4)
