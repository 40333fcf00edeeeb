"""What a model must answer when it works alone: the plan, private research and the opening.

Every field is required and none is free of a type, so that the same schema serves servers with strict
structured output and our own re-validation.  Unknown fields make an answer invalid.

Source: design.md D8, D11, D12.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("a text is more than white space")
    return text


Text = Annotated[
    str, StringConstraints(min_length=1, max_length=8_000), AfterValidator(_says_something)
]
Line = Annotated[
    str, StringConstraints(min_length=1, max_length=1_000), AfterValidator(_says_something)
]
Handle = Annotated[str, StringConstraints(pattern=r"^[STMCF][1-9][0-9]{0,3}$")]


class Answer(BaseModel):
    """The common strictness of all answers."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Pattern(StrEnum):
    """How a Root may be worked on."""

    SINGLE = "single"  # one researcher
    PARALLEL = "parallel"  # two openings, no exchange
    DIALOGUE = "dialogue"  # Bull and Bear question each other


class PlanAnswer(Answer):
    """Main's plan: which pattern, and why."""

    pattern: Annotated[Pattern, Field(strict=False)]
    reason: Line


class StatedClaim(Answer):
    """One claim of an opening, quoted from its statement to the letter."""

    quote: Line  # a verbatim span of `statement`
    evidence: Annotated[list[Handle], Field(max_length=12)]


class ResearchAnswer(Answer):
    """What a child found in material that only it may read: for Main, and for nobody else."""

    finding: Text
    evidence: Annotated[list[Handle], Field(max_length=12)]
    unknown: Annotated[list[Line], Field(max_length=12)]  # what the evidence does not show


class OpeningAnswer(Answer):
    """A child's public statement before any exchange."""

    statement: Text
    claims: Annotated[list[StatedClaim], Field(min_length=1, max_length=8)]
    unknown: Annotated[list[Line], Field(max_length=12)]  # what the evidence does not show
    would_change: Annotated[list[Line], Field(max_length=12)]  # what would change this view
