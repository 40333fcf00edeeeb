"""Write the host's own sections as Markdown: numbers, gaps, how it ran.

Source: design.md D13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bullbear.lifecycle import Role
from dialogue.report.escaping import inline, quoted, table
from dialogue.report.sentences import NAMES, counted

Built = Mapping[str, Any]
Lines = list[str]


def numbers(tables: Sequence[Built]) -> Lines:
    """One table for each result with figures."""
    lines = ["## Numbers", ""] if tables else []
    for one in tables:
        lines += _numbers(one)
    return lines


def _numbers(one: Built) -> Lines:
    results = ", ".join(f"{r['handle']} ({NAMES[Role(r['by'])]})" for r in one["results"])
    bounded = any(row["bounds"] for row in one["rows"])
    head = ["figure", *one["columns"], "unit", *(["bounds"] if bounded else [])]
    rows = [
        [
            inline(row["name"]),
            *(inline(value) for value in row["values"]),
            inline(row["unit"]),
            *([inline(row["bounds"])] if bounded else []),
        ]
        for row in one["rows"]
    ]
    coverage = ", ".join(f"{each['of']} {each['value']}" for each in one["coverage"])
    return [
        f"### {inline(one['title'])}",
        "",
        *table(head, rows),
        "",
        (
            f"- Result {results} of {inline(one['tool'])}, formula {inline(one['formula'])}; "
            f"sources {', '.join(one['sources'])}."
        ),
        f"- Denominator: {inline(one['denominator'])}. Coverage: {inline(coverage)}.",
        f"- Does not show: {inline(one['does_not_show'])}",
        "",
    ]


def gaps(gaps: Sequence[Built]) -> Lines:
    """Every gap in its sentence, also where there is none."""
    told = [f"- {inline(gap['sentence'])}" for gap in gaps] or ["No gap is on record."]
    return ["## What is missing", "", *told, ""]


def how_it_ran(run: Built) -> Lines:
    """The course of the research: pattern, rounds, end, calls, models."""
    rounds = run["rounds"]
    independent = "independent" if run["openings"]["independent"] else "not independent"
    return [
        "## How it ran",
        "",
        *_plan(run["plan"]),
        f"- Rounds: {rounds['used']} used of {rounds['allowed']} allowed; openings {independent}.",
        f"- {run['end']['sentence']}",
        *(f"- {inline(note)}" for note in run["models"]["notes"]),
        *_executions(run["executions"]),
        f"- {_budget(run['budget'])}",
        "",
        *_calls(run),
        *_outcomes(run["outcomes"]),
    ]


def _plan(plan: Built) -> Lines:
    wish = f"- Wish: {plan['wished_means']}."
    if not plan["pattern"]:
        return [wish, f"- Pattern: {plan['pattern_means']}."]
    reason = plan["reason"]
    why = f" Main's reason: {quoted(reason.get('with_figures', reason['text']))}" if reason else ""
    decided = f"decided {plan['decided_by_means']}"
    return [wish, f"- Pattern: **{plan['pattern']}** – {plan['pattern_means']}; {decided}.{why}"]


def _executions(executions: Sequence[Built]) -> Lines:
    """Name executions that did not simply finish."""
    lines = []
    for one in executions:
        why = f" ({inline(one['end_reason'])})" if one["end_reason"] else ""
        rescued = f", taken over {counted(one['rescues'], 'time')}" if one["rescues"] else ""
        if rescued or one["state"] != "finished":
            lines.append(f"- Execution {NAMES[Role(one['role'])]}: {one['state']}{why}{rescued}.")
    return lines


def _budget(budget: Built) -> str:
    told = [
        f"{one['spent']} of {one['limit']} {name.replace('_', ' ')}"
        for name, one in sorted(budget.items())
    ]
    return f"Spent: {', '.join(told)}."


def _calls(run: Built) -> Lines:
    if not run["calls"]:
        return ["No model was asked.", ""]
    models = {one["role"]: one for one in run["models"]["roles"]}
    head = ["role", "calls", "unknown", "rejected", "tokens", "tools", "requested", "served"]
    rows = [
        [
            NAMES[Role(one["role"])],
            str(one["calls"]),
            str(one["outcome_unknown"]),
            str(one["rejected"]),
            str(one["tokens"]),
            str(one["tool_calls"]),
            inline(", ".join(models[one["role"]]["requested"])),
            inline(", ".join(models[one["role"]]["served"]) or "–"),
        ]
        for one in run["calls"]
    ]
    return [*table(head, rows), ""]


def _outcomes(outcomes: Sequence[Built]) -> Lines:
    if not outcomes:
        return []
    rows = [
        [
            str(one["calls"]),
            one["state"].replace("_", " "),
            inline(one["class"]).replace("_", " "),
            one["means"],
        ]
        for one in outcomes
    ]
    return [*table(["calls", "state", "class", "meaning"], rows), ""]
