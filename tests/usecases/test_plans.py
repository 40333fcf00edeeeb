"""Main's plan: what was wished, what it proposed, what was decided, and who is created for it."""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from bullbear.models import Child, OutboxEntry
from research.models import Plan
from tests.scripted import (
    BULL_CLAIM,
    PLAN,
    RESEARCHER_OPENING,
    SYNTHESIS,
    a_plan,
    a_synthesis,
    an_opening,
    fails,
    says,
)
from tests.usecases.conftest import OpenScene

SIDES = ["bear", "bull"]
NONSENSE = says(PLAN, "I would rather not.", times=2)
RESEARCHED = says(RESEARCHER_OPENING, an_opening(BULL_CLAIM))
BOTH_STAND = says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved"))


@pytest.mark.usefixtures("database")
class TestRecordPlan:
    """The decision and the executions it needs."""

    @pytest.mark.parametrize(
        ("wish", "proposed", "pattern", "decided_by", "roles"),
        [
            ("auto", "single", "single", "main", ["researcher"]),
            ("auto", "parallel", "parallel", "main", SIDES),
            ("auto", "dialogue", "dialogue", "main", SIDES),
            ("auto", "", "parallel", "host", SIDES),
            ("require", "single", "dialogue", "user", SIDES),
            ("require", "dialogue", "dialogue", "user", SIDES),
            ("require", "", "dialogue", "user", SIDES),
            ("exclude", "dialogue", "parallel", "user", SIDES),
            ("exclude", "single", "single", "main", ["researcher"]),
            ("exclude", "parallel", "parallel", "main", SIDES),
            ("exclude", "", "parallel", "user", SIDES),
        ],
    )
    def test_follows_the_table_of_wishes(  # noqa: PLR0917
        self,
        opened: OpenScene,
        wish: str,
        proposed: str,
        pattern: str,
        decided_by: str,
        roles: list[str],
    ) -> None:
        """Exclusion beats everything, a requirement beats Main, the host plans where nobody did. J09."""
        scene = opened(says(PLAN, a_plan(proposed)) if proposed else NONSENSE, wish=wish)
        scene.step(Role.MAIN)
        plan = Plan.objects.get(root=scene.root)
        assert (plan.wished, plan.proposed, plan.pattern, plan.decided_by) == (
            wish,
            proposed,
            pattern,
            decided_by,
        )
        created = Child.objects.filter(root=scene.root).exclude(role=Role.MAIN)
        assert sorted(created.values_list("role", flat=True)) == roles
        assert {child.state for child in created} == {"ready"}
        assert scene.child(Role.MAIN).state == "parked"
        assert OutboxEntry.objects.count() == len(roles)
        scene.check()

    def test_keeps_the_proposal_beside_the_decision(self, opened: OpenScene) -> None:
        """The receipt says what was wished, proposed and decided, and by whose answer."""
        scene = opened(says(PLAN, a_plan("dialogue")), wish="exclude")
        scene.step(Role.MAIN)
        request = scene.requests(Role.MAIN)[0]
        [fact] = scene.facts("plan_recorded")
        assert fact["subjects"] == {
            "wished": "exclude",
            "proposed": "dialogue",
            "pattern": "parallel",
            "decided_by": "user",
            "request": str(request.pk),
        }

    def test_is_the_hosts_after_two_invalid_answers(self, opened: OpenScene) -> None:
        """One further attempt, and then the host plans; the report discloses it."""
        scene = opened(NONSENSE, BOTH_STAND)
        scene.step(Role.MAIN)
        assert scene.outcomes(Role.MAIN) == [
            (1, 1, "answered", "not_json"),
            (2, 1, "answered", "not_json"),
        ]
        scene.end()
        assert scene.gap_codes() == ["no_plan"]

    @pytest.mark.parametrize(
        ("failure", "state", "outcome"),
        [
            ({"status": 500}, "outcome_unknown", "server_error"),
            ({"status": 401}, "rejected", "unauthorized"),
        ],
    )
    def test_is_the_hosts_without_an_answer(
        self, opened: OpenScene, failure: dict[str, int], state: str, outcome: str
    ) -> None:
        """An unknown outcome and a refused key are not asked again."""
        scene = opened(fails(PLAN, **failure))
        scene.step(Role.MAIN)
        assert scene.outcomes(Role.MAIN) == [(1, 1, state, outcome)]
        plan = Plan.objects.get(root=scene.root)
        assert (plan.pattern, plan.decided_by, plan.request) == ("parallel", "host", None)
        scene.check()


@pytest.mark.usefixtures("database")
class TestPatterns:
    """Roots without an exchange."""

    def test_single_ends_complete_with_one_opening(self, opened: OpenScene) -> None:
        """One researcher, no claim of an other side, no gap."""
        scene = opened(
            says(PLAN, a_plan("single")), RESEARCHED, says(SYNTHESIS, a_synthesis(C1="stands"))
        )
        root = scene.end()
        assert (root.state, root.result, root.end_reason) == ("finished", "complete", "")
        assert scene.gaps() == []

    def test_parallel_ends_complete_without_a_pair(self, opened: OpenScene) -> None:
        """Two openings and no exchange: claims stay open."""
        scene = opened(says(PLAN, a_plan("parallel")), BOTH_STAND)
        root = scene.end()
        assert (root.state, root.result, root.end_reason) == ("finished", "complete", "")
        assert scene.facts("pair_offered") == []
        assert [one["subjects"]["handle"] for one in scene.facts("claim_recorded")] == ["C1", "C2"]
