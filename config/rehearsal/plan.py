"""Main's plan: a dialogue where a premise is worth testing, else two openings side by side."""

from __future__ import annotations

from typing import Any

from config.rehearsal import premise
from config.rehearsal.request import Request


def plan(request: Request) -> dict[str, Any]:
    """Follow the requester's wish; where it is left open, look for a premise in the question."""
    if request.wished == "require":
        return _answer("dialogue", "The requester asked for a dialogue.")
    if request.wished == "exclude":
        return _answer("parallel", "The requester excluded a dialogue: two separate openings.")
    if premise.stated(request.question):
        return _answer(
            "dialogue",
            "The question rests on a premise, which one side can support and the other can test.",
        )
    if premise.proposes_change(request.question):
        return _answer(
            "dialogue",
            "The question proposes a change of a stated size, whose effect can be computed and "
            "argued from both sides.",
        )
    return _answer(
        "parallel",
        "The question states no premise and proposes no change of a stated size, so there is "
        "nothing to test in an exchange.",
    )


def _answer(pattern: str, reason: str) -> dict[str, Any]:
    return {"pattern": pattern, "reason": reason}
