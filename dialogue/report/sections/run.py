"""How it ran: the pattern and who chose it, rounds, why it ended, and which executions took part.

Source: design.md D10, D11, D13.
"""

from __future__ import annotations

from bullbear.identity import JsonValue
from bullbear.lifecycle import Cause, Role
from dialogue.case import end_reason_of
from dialogue.report.material import Material, Section
from dialogue.report.result import reason_of
from dialogue.report.sections.usage import budget, calls, models, outcomes
from dialogue.report.sentences import DECIDED_BY, PATTERN_SENTENCES, WISHES, end_sentence
from research.answers import Pattern, PlanAnswer

INDEPENDENT = "independent"


def how_it_ran(material: Material) -> Section:
    """Everything about the course of the research that is no statement of a model."""
    return {
        "plan": _plan(material),
        "openings": _openings(material),
        "rounds": _rounds(material),
        "end": end(material),
        "executions": _executions(material),
        "models": models(material),
        "calls": calls(material),
        "outcomes": outcomes(material),
        "budget": budget(material),
    }


def _plan(material: Material) -> Section:
    """What was wished, what Main proposed and why, and what was decided."""
    plan = material.case.plan
    wished = plan.wished if plan else material.case.configuration["dialogue"]
    section: Section = {"wished": wished, "wished_means": WISHES[wished]}
    if plan is None:
        return section | {"pattern": "", "pattern_means": "nothing was planned"}
    answer = material.answer(plan.request_id, PlanAnswer)
    return section | {
        "pattern": plan.pattern,
        "pattern_means": PATTERN_SENTENCES[Pattern(plan.pattern)],
        "proposed": plan.proposed,
        "decided_by": plan.decided_by,
        "decided_by_means": DECIDED_BY[plan.decided_by],
        "reason": material.quoted(answer.reason) if answer else None,
    }


def _openings(material: Material) -> Section:
    pair = material.case.pair
    order = pair.opening_order if pair else material.case.configuration["opening_order"]
    return {"order": order, "independent": order == INDEPENDENT}


def _rounds(material: Material) -> Section:
    """Rounds that were begun, and how many were allowed."""
    case = material.case
    asked_for = case.root.requested.get("rounds")
    return {
        "used": len({half.round for half in case.half_rounds}),
        "allowed": case.pair.max_rounds if case.pair else int(case.configuration["rounds"]),
        "asked_for": asked_for if isinstance(asked_for, int) else None,
    }


def end(material: Material) -> Section:
    """Why it ended, as a code and as a sentence."""
    case = material.case
    reason = reason_of(end_reason_of(case), Cause(case.root.cause))
    planned = case.plan is not None and case.plan.pattern == Pattern.DIALOGUE
    return {
        "reason": str(reason) if reason else "",
        "sentence": end_sentence(reason, planned=planned, formed=case.pair is not None),
        "cause": case.root.cause,
    }


def _executions(material: Material) -> list[JsonValue]:
    """Those that worked for Main; Main itself ends with this report."""
    return [
        {
            "execution": str(child.pk),
            "role": child.role,
            "state": child.state,
            "end_reason": child.end_reason,
            "rescues": child.rescues,
        }
        for child in material.case.children
        if child.role != Role.MAIN
    ]
