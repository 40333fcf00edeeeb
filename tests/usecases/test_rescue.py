"""Leases that end without a record: a dead worker, a passed hard end; and answers that come late."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta

import pytest

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import Child, Content, Receipt
from bullbear.queries import database_now, overdue_leases
from bullbear.sweep import SEEN_SECONDS, Sight, rescue, sweep
from research.models import Opening
from tests.factories import a_worker
from tests.scripted import (
    BULL_CLAIM,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_challenge,
    a_plan,
    a_synthesis,
    an_opening,
    challenge_in,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

BULL_THINKS = says(BULL_OPENING, an_opening(BULL_CLAIM), gate="held")


def long_sight() -> Sight:
    """A sweeper that has seen the database without a break for long enough."""
    return Sight(since=time.monotonic() - SEEN_SECONDS - 1)


def on_a_dead_worker(scene: Scene) -> Scene:
    """The same Root, its steps taken by a worker that no longer renews itself."""
    return replace(scene, driver=replace(scene.driver, worker=a_worker(dead=True)))


def pass_hard_end(child: Child) -> None:
    """Let the lease's hard end be a moment ago."""
    past = database_now() - timedelta(milliseconds=1)
    assert Child.objects.filter(pk=child.pk, state="running").update(hard_end_at=past) == 1


def thinking_bull(opened: OpenScene) -> Scene:
    scene = opened(BULL_THINKS)
    scene.step(Role.MAIN)
    return scene


@pytest.mark.usefixtures("database")
class TestRescue:
    """An execution whose lease has ended."""

    def test_frees_the_execution_of_a_dead_worker(self, opened: OpenScene) -> None:
        """Its sealed request becomes unknown, it is READY again, and the parked look. Scenario A17."""
        scene = thinking_bull(opened)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(long_sight())
            bull = scene.child(Role.BULL)
            assert (bull.state, bull.rescues, bull.worker, bull.lease_token) == (
                "ready",
                1,
                None,
                None,
            )
            assert scene.outcomes(Role.BULL) == [(1, 1, "outcome_unknown", "worker_lost")]
            [fact] = scene.facts("child_rescued")
            assert fact["act"] == f"{bull.pk}:1"
            assert fact["subjects"] == {"class": "worker_lost", "rescues": 1}
            assert scene.child(Role.MAIN).state == "ready"
        scene.root.refresh_from_db()
        assert (scene.root.model_calls_reserved, scene.root.model_calls_spent) == (0, 2)
        scene.check()

    def test_waits_for_a_sweeper_that_has_seen_enough(self, opened: OpenScene) -> None:
        """A sweeper that has just begun, or lost the database, calls nobody dead. Scenario A20."""
        scene = thinking_bull(opened)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(Sight())
            assert scene.child(Role.BULL).state == "running"
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "valid")]

    def test_frees_it_at_the_hard_end_whoever_lives(self, opened: OpenScene) -> None:
        """A live worker that did not come back in time loses the lease; no long sight is needed."""
        scene = thinking_bull(opened)
        with scene.in_call(Role.BULL, "held"):
            pass_hard_end(scene.child(Role.BULL))
            sweep(Sight())
            assert scene.outcomes(Role.BULL) == [(1, 1, "outcome_unknown", "lease_passed")]

    def test_leaves_a_live_lease_alone(self, opened: OpenScene) -> None:
        """Named by mistake, a running execution keeps its lease. Scenario C07."""
        scene = thinking_bull(opened)
        with scene.in_call(Role.BULL, "held"):
            bull = scene.child(Role.BULL)
            rescue(scene.root.pk, bull.pk, dead_workers=True)
            assert scene.child(Role.BULL).lease_token == bull.lease_token
            assert overdue_leases(dead_workers=True) == []
        assert scene.facts("child_rescued") == []

    def test_is_followed_by_one_new_request(self, opened: OpenScene) -> None:
        """The successor, another worker, asks once more: at most one hit for each request. A03."""
        scene = thinking_bull(opened)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(long_sight())
            scene.step(Role.BULL)
        assert [one[:3] for one in scene.outcomes(Role.BULL)] == [
            (1, 1, "outcome_unknown"),
            (2, 1, "answered"),
        ]
        scene.run()
        scene.check()

    def test_of_a_half_round_ends_the_exchange(self, opened: OpenScene) -> None:
        """The slot stays spent, unknown; by the policy `end` the Root goes on to its report."""
        scene = opened(
            says(challenge_in(1), a_challenge("C2"), gate="held"),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="stands")),
        )
        for role in (Role.MAIN, Role.BEAR, Role.BULL):
            scene.step(role)
        with on_a_dead_worker(scene).in_call(Role.BEAR, "held"):
            sweep(long_sight())
        root = scene.end()
        assert scene.halves() == [(1, "challenge", "unknown", 1)]
        assert (scene.pair.end_reason, root.result) == ("outcome_unknown", "partial")
        assert scene.messages() == []

    def test_for_the_third_time_fails_the_execution(self, opened: OpenScene) -> None:
        """Its peer learns it, and the Root ends on its own. Scenario A17."""
        scene = opened(BULL_THINKS, says(SYNTHESIS, a_synthesis(C1="unresolved")))
        scene.step(Role.MAIN)
        Child.objects.filter(pk=scene.child(Role.BULL).pk).update(rescues=2)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(long_sight())
            bull = scene.child(Role.BULL)
            assert (bull.state, bull.end_reason) == ("failed", "rescued_three_times")
        root = scene.run()
        assert (root.state, root.result, root.end_reason) == (
            "finished",
            "partial",
            "participant_ended",
        )

    def test_never_fails_main(self, opened: OpenScene) -> None:
        """Plan and synthesis were lost with their workers: the Root still ends with its report."""
        scene = opened(
            says(PLAN, a_plan(), gate="one"),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"), gate="two"),
            says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"), gate="three"),
        )
        on_dead = on_a_dead_worker(scene)
        with on_dead.in_call(Role.MAIN, "one"):
            sweep(long_sight())
        scene.run_to_the_synthesis()
        for gate in ("two", "three"):
            with on_dead.in_call(Role.MAIN, gate):
                sweep(long_sight())
        root = scene.end()
        main = scene.child(Role.MAIN)
        assert (main.state, main.rescues) == ("finished", 3)
        assert (root.state, root.result) == ("finished", "partial")
        assert "no_synthesis" in scene.gap_codes()


@pytest.mark.usefixtures("database")
class TestLateAnswer:
    """A record under a lease that somebody else has ended."""

    def test_is_kept_billed_and_not_used(self, opened: OpenScene) -> None:
        """The unknown request stays unknown; the answer is a receipt with its bytes. A19, C06."""
        scene = thinking_bull(opened)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(long_sight())
        bull = scene.child(Role.BULL)
        assert (bull.state, bull.rescues) == ("ready", 1)
        assert scene.outcomes(Role.BULL) == [(1, 1, "outcome_unknown", "worker_lost")]
        [request] = scene.requests(Role.BULL)
        [fact] = scene.facts("late_answer")
        assert fact["act"] == request.act
        kept = Content.objects.get(pk=fact["subjects"]["content"])
        assert BULL_CLAIM.encode() in load_bytes(kept)
        assert request.response is None
        assert not Opening.objects.exists()
        scene.root.refresh_from_db()
        assert scene.root.model_calls_spent == 2
        scene.check()

    def test_is_appended_also_after_the_root_has_ended(self, opened: OpenScene) -> None:
        """The chain is closed for everything else. D18."""
        scene = thinking_bull(opened)
        with on_a_dead_worker(scene).in_call(Role.BULL, "held"):
            sweep(long_sight())
            root = scene.run()
            assert root.state == "finished"
        last = Receipt.objects.filter(root=scene.root).order_by("seq").last()
        assert last is not None
        assert last.kind == "late_answer"
        scene.check()
