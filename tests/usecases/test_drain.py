"""A process that drains: it records what came and leaves the next call to another."""

from __future__ import annotations

from bullbear.lifecycle import ChildState, Role
from bullbear.models import OutboxEntry
from dialogue.steps import advance
from research.models import Plan
from tests.scripted import BULL_OPENING, asks_for
from tests.usecases.conftest import OpenScene


class TestAdvance:
    """`advance` in a process that drains."""

    def test_records_and_leaves_the_next_call_to_another(self, opened: OpenScene) -> None:
        """No lost step, no extra call. Scenario D12."""
        scene = opened(asks_for(BULL_OPENING, ("list_sources", {})))
        scene.run(Plan.objects.exists)
        bull = scene.child(Role.BULL)
        advance(
            bull.pk,
            provider=scene.driver.provider,
            worker=scene.driver.worker,
            draining=lambda: True,
        )
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "tool_calls")]
        bull.refresh_from_db()
        assert (bull.state, bull.lease_token) == (ChildState.READY, None)
        owed = OutboxEntry.objects.get(dedupe_key=f"advance:{bull.pk}")
        assert owed.cause == "draining"
        scene.end()
        assert scene.outcomes(Role.BULL, "opening") == [
            (1, 1, "answered", "tool_calls"),
            (1, 2, "answered", "valid"),
        ]
