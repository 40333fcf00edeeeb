"""Record Main's plan and create the executions it needs.

Source: design.md D10 (plan), D11.
"""

from __future__ import annotations

from dataclasses import dataclass

from bullbear import receipts
from bullbear.lifecycle import Role
from bullbear.models import ModelRequest
from research.answers import Pattern, PlanAnswer
from research.authority import readable_sources
from research.case import Case
from research.children import create_child
from research.kinds import ResearchKind
from research.models import Plan
from research.rules import Wish

EXECUTIONS = {
    Pattern.SINGLE: (Role.RESEARCHER,),
    Pattern.PARALLEL: (Role.BULL, Role.BEAR),
    Pattern.DIALOGUE: (Role.BULL, Role.BEAR),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """Which pattern a Root gets, and who decided."""

    pattern: Pattern
    decided_by: str


def decide_plan(wish: Wish, proposed: Pattern | None) -> Decision:
    """Decide the pattern from the user's wish and Main's proposal, which may be missing.

    Exclusion beats everything; without a valid proposal the host plans: the wish, else `parallel`.

    Source: design.md D10, D11.
    """
    if wish is Wish.REQUIRE:
        return Decision(Pattern.DIALOGUE, "user")
    if wish is Wish.EXCLUDE and proposed in {None, Pattern.DIALOGUE}:
        return Decision(Pattern.PARALLEL, "user")
    if proposed is None:
        return Decision(Pattern.PARALLEL, "host")
    return Decision(proposed, "main")


def record_plan(case: Case, *, request: ModelRequest | None, answer: PlanAnswer | None) -> Plan:
    """Record the decided pattern and create its executions, parked.

    Args:
        case: the Root's facts.
        request: whose answer proposes it, if one does.
        answer: the proposal, or None where there is no valid one.
    """
    wish = Wish(case.configuration["dialogue"])
    decision = decide_plan(wish, answer.pattern if answer else None)
    plan = case.held.add(
        Plan(
            root=case.root,
            request=request,
            wished=str(wish),
            proposed=str(answer.pattern) if answer else "",
            pattern=str(decision.pattern),
            decided_by=decision.decided_by,
        )
    )
    case.plan = plan
    receipts.append(
        case.held,
        ResearchKind.PLAN_RECORDED,
        act=str(case.root.pk),
        child=case.child_of(Role.MAIN),
        subjects={
            "wished": plan.wished,
            "proposed": plan.proposed,
            "pattern": plan.pattern,
            "decided_by": plan.decided_by,
            "request": str(request.pk) if request else "",
        },
    )
    create_planned(case, decision.pattern)
    return plan


def create_planned(case: Case, pattern: Pattern) -> None:
    """Create a pattern's executions, each issued the sources that the request lets its role read."""
    roles = EXECUTIONS[pattern]
    readable = {role: readable_sources(case.configuration, role) for role in roles}
    shared = set.intersection(*(set(sources) for sources in readable.values()))
    for role in roles:
        own = pattern is Pattern.DIALOGUE and not shared.issuperset(readable[role])
        child = create_child(
            case.held,
            role,
            sources=readable[role],
            tools=case.configuration["tools"],
            researches=own,
        )
        case.children.append(child)
