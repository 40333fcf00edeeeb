"""What a request is about, and the rules that argue about it: one small interface, two kinds of matter.

FIGURES  a look-through is offered or on record: lookup, bull, bear, apart, synthesis
TEXTS    passages are: texts, text_synthesis
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from config.rehearsal import apart, bear, bull, lookup, synthesis, text_synthesis, texts
from config.rehearsal.lookup import Call
from config.rehearsal.request import Request

Rule = Callable[[Request], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Matter:
    """The rules of one kind of matter."""

    next_call: Callable[[Request], Call | None]
    research: Rule
    opening: Rule
    challenge: Rule
    response: Rule
    synthesis: Rule


FIGURES = Matter(
    next_call=lambda request: apart.next_call(request) or lookup.next_call(request),
    research=apart.research,
    opening=lambda request: (bear if request.role == "bear" else bull).opening(request),
    challenge=lambda request: apart.challenge(request) or bear.challenge(request),
    response=bull.response,
    synthesis=synthesis.synthesis,
)
TEXTS = Matter(
    next_call=texts.next_call,
    research=texts.research,
    opening=texts.opening,
    challenge=texts.challenge,
    response=texts.response,
    synthesis=text_synthesis.synthesise,
)


def matter_of(request: Request) -> Matter:
    """Tell the matter by the tools that are offered and the results that stand in the request."""
    named = {*request.offered, *(record.name for record in request.tools)}
    counted = any("lines" in record.result for record in request.tools)
    return TEXTS if named and "look_through" not in named and not counted else FIGURES
