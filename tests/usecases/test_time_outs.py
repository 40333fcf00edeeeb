"""A provider or a peer that takes its time: every wait has an end, and what it cost is on record.

Source: design.md D7 step 2, D10, D17; scenarios.md E04, E06.
"""

from __future__ import annotations

from typing import Any

import pytest

from bullbear.lifecycle import Role
from bullbear.models import Root
from bullbear.options import HARD_END_SLACK_SECONDS
from bullbear.queries import roots_past_peer_time
from bullbear.sweep import Sight, sweep
from config.embedded.processes import wait_until
from tests.factories import limited
from tests.scripted import BULL_OPENING, RESPONSE, SYNTHESIS, a_synthesis, fails, says
from tests.usecases.conftest import OpenScene

TIMEOUT_SECONDS = 1.5
BRIEF = {"provider_timeout_seconds": TIMEOUT_SECONDS}
A_BYTE_A_SECOND = 1.0
UNRESOLVED = says(SYNTHESIS, a_synthesis(C1="unresolved", C2="unresolved"))


def reserved(root: Root) -> tuple[int, int, int]:
    return root.model_calls_reserved, root.tokens_reserved, root.tool_calls_reserved


@pytest.mark.usefixtures("database")
class TestAProvider:
    """It accepted the call."""

    @pytest.mark.parametrize(
        ("slow", "outcome"),
        [
            pytest.param({"cut": "before", "then": "hang"}, "read_timeout", id="and hangs"),
            pytest.param(
                {"cut": "body", "then": "hang"}, "total_timeout", id="and hangs in its answer"
            ),
            pytest.param(
                {"drip": "head", "drip_seconds": A_BYTE_A_SECOND},
                "total_timeout",
                id="and drips its head",
            ),
            pytest.param(
                {"drip": "body", "drip_seconds": A_BYTE_A_SECOND},
                "total_timeout",
                id="and drips its body",
            ),
        ],
    )
    def test_is_given_up_below_the_lease(
        self, opened: OpenScene, slow: dict[str, Any], outcome: str
    ) -> None:
        """Scenario E04. One time-out for the whole call; then its outcome is unknown, and it stays so."""
        scene = opened(fails(BULL_OPENING, **slow), options=limited(**BRIEF))
        scene.step(Role.MAIN)
        bull = scene.step(Role.BULL)
        first, *_ = scene.requests(Role.BULL)
        assert (first.state, first.outcome_class) == ("outcome_unknown", outcome)
        assert first.call_ms is not None
        lease_seconds = TIMEOUT_SECONDS + HARD_END_SLACK_SECONDS
        assert TIMEOUT_SECONDS * 1000 <= first.call_ms < lease_seconds * 1000
        assert bull.rescues == 0
        scene.end()
        first.refresh_from_db()
        assert first.state == "outcome_unknown"
        assert len(scene.facts("child_rescued")) == 0


@pytest.mark.usefixtures("database")
class TestAPeer:
    """Bear has challenged, and Bull never answers."""

    def test_whose_call_hangs_ends_the_exchange(self, opened: OpenScene) -> None:
        """Scenario E06. The end is named, the gap disclosed, and nothing stays reserved."""
        scene = opened(
            fails(RESPONSE, cut="before", then="hang"), UNRESOLVED, options=limited(**BRIEF)
        )
        root = scene.end()
        assert (root.state, root.result, scene.pair.end_reason) == (
            "finished",
            "partial",
            "outcome_unknown",
        )
        assert scene.halves() == [(1, "challenge", "accepted", 1), (1, "response", "unknown", 1)]
        assert "outcome_unknown" in scene.gap_codes()
        assert reserved(root) == (0, 0, 0)

    def test_that_nobody_runs_is_waited_for_until_the_peers_time_is_over(
        self, opened: OpenScene
    ) -> None:
        """Scenario E06. No worker ever takes Bull's step; Main still hands back what there is."""
        limits = limited(deadline_seconds=106, finalize_seconds=100)
        scene = opened(UNRESOLVED, options=limits)
        for role in (Role.MAIN, Role.BULL, Role.BEAR):
            scene.step(role)
        assert [one.kind for one in scene.messages()] == ["challenge"]
        assert wait_until(lambda: scene.root.pk in roots_past_peer_time(), seconds=30)
        sweep(Sight())
        while scene.child(Role.MAIN) in scene.driver.owed(scene.root):
            scene.step(Role.MAIN)
        scene.root.refresh_from_db()
        assert scene.root.state == "finished"
        root = scene.end()  # at last somebody takes Bull's step, and there is nothing to do
        assert scene.requests(Role.BULL, "response") == []
        assert (root.state, root.cause, root.result) == ("finished", "deadline", "partial")
        assert scene.pair.end_reason == "deadline"
        assert scene.gap_codes() == ["dialogue_cut_short", "not_delivered"]
        assert reserved(root) == (0, 0, 0)
        assert scene.child(Role.BULL).state in {"finished", "stopped"}
