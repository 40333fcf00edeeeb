"""What a model must answer in an exchange: Bear's half-round, Bull's half-round, Main's synthesis.

One flat object per purpose: the fields that a `kind` does not use are empty, never absent.

Source: design.md D10, D12, D13.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from research.answers import Answer, Handle, Line, Text

OptionalText = Annotated[str, StringConstraints(max_length=8_000)]
OptionalLine = Annotated[str, StringConstraints(max_length=1_000)]
ClaimHandle = Annotated[str, StringConstraints(pattern=r"^C[1-9][0-9]{0,3}$")]
Handles = Annotated[list[Handle], Field(max_length=12)]
Lines = Annotated[list[Line], Field(max_length=12)]


class BearKind(StrEnum):
    """What Bear may do with its half-round."""

    CHALLENGE = "challenge"  # counter-evidence against claims on record
    PROPOSITION = "proposition"  # a narrowed wording, offered for acceptance
    NO_FURTHER = "no_further"  # nothing more to ask: a legal, structured result


class BearAnswer(Answer):
    """Bear's half-round."""

    kind: Annotated[BearKind, Field(strict=False)]
    claims: Annotated[list[ClaimHandle], Field(max_length=8)]
    text: OptionalText
    counter_quote: OptionalText  # a verbatim span of `text`: the counter-evidence itself
    evidence: Handles
    does_not_establish: OptionalLine
    checked: Lines
    unknown: Lines

    @model_validator(mode="after")
    def _kind_has_its_fields(self) -> Self:
        if self.kind is BearKind.NO_FURTHER:
            if not (self.checked and self.unknown):
                raise ValueError("no_further names what was checked and what is unknown")
            if self.text or self.claims:
                raise ValueError("no_further carries no message")
        elif not (self.text.strip() and self.claims and self.does_not_establish.strip()):
            raise ValueError("a message has a text, claims and what it does not establish")
        elif self.kind is BearKind.CHALLENGE and not self.counter_quote.strip():
            raise ValueError("a challenge quotes its counter-evidence")
        if self.counter_quote and self.counter_quote not in self.text:
            raise ValueError("counter_quote is a verbatim span of text")
        return self


class BullKind(StrEnum):
    """What Bull may do with its half-round."""

    RESPONSE = "response"
    NO_FURTHER = "no_further"


class Action(StrEnum):
    """What Bull does with one challenged claim."""

    DEFEND = "defend"
    REVISE = "revise"
    CONCEDE = "concede"


class ClaimAnswer(Answer):
    """Bull's answer to one challenged claim."""

    claim: ClaimHandle
    action: Annotated[Action, Field(strict=False)]
    quote: Line  # a verbatim span of `text`: the words that defend, revise or concede


class BullAnswer(Answer):
    """Bull's half-round."""

    kind: Annotated[BullKind, Field(strict=False)]
    text: OptionalText
    answers: Annotated[list[ClaimAnswer], Field(max_length=8)]
    evidence: Handles
    checked: Lines
    unknown: Lines

    @model_validator(mode="after")
    def _kind_has_its_fields(self) -> Self:
        if self.kind is BullKind.NO_FURTHER:
            if not (self.checked and self.unknown):
                raise ValueError("no_further names what was checked and what is unknown")
            if self.text or self.answers:
                raise ValueError("no_further carries no message")
        elif not (self.text.strip() and self.answers):
            raise ValueError("a response has a text and answers at least one claim")
        if any(answer.quote not in self.text for answer in self.answers):
            raise ValueError("quote is a verbatim span of text")
        return self


class DispositionKind(StrEnum):
    """What became of a claim: never a score, never a winner."""

    STANDS = "stands"  # not overturned on the record; not "true"
    REVISED = "revised"
    WITHDRAWN = "withdrawn"  # its author conceded it
    UNRESOLVED = "unresolved"


class ClaimDisposition(Answer):
    """Main's disposition of one claim."""

    claim: ClaimHandle
    disposition: Annotated[DispositionKind, Field(strict=False)]
    reason: Line
    evidence: Handles


class SynthesisAnswer(Answer):
    """Main's synthesis: one disposition for each claim on record.

    Prose carries figures as handles, `[[T2.after_pct]]`, which the host renders.
    """

    summary: Text
    dispositions: Annotated[list[ClaimDisposition], Field(max_length=64)]
    open_questions: Lines
    would_change: Lines
