"""A Root's page as values: plain, complete, and the same for a screen and for an API.

Every text is a `Text`: the words, or that its lineage is withheld from this reader.

Source: design.md D6, D13, D19.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Text:
    """A text as its reader may see it; `words` is empty where it is withheld."""

    words: str
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """Main's words, whose figures are written by the host in the place of their handles."""

    shown: Text
    verbatim: Text | None  # where it cites any


class Answer(StrEnum):
    """What a mark says; unknown is never yes."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_YET = "not yet"  # its recipient may still have a turn
    NO_FURTHER_TURN = "no further turn"  # a last response: its recipient has no turn after it


@dataclass(frozen=True, slots=True)
class Mark:
    """One fact about a message: proposed, accepted or delivered.

    Args:
        name: which fact.
        answer: what is known of it.
        detail: a sentence that says why.
        request: the request that shows it.
    """

    name: str
    answer: Answer
    detail: str
    request: UUID | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """What a message does to a claim, with the words that do it."""

    claim: str
    message: str
    kind: str
    meaning: str
    by: str
    quote: Text
    received: Answer  # whether the other side received the message


@dataclass(frozen=True, slots=True)
class Opening:
    """A child's public statement before any exchange."""

    id: UUID
    role: str
    request: UUID
    statement: Text
    claims: Sequence[str]
    unknown: Sequence[Text]
    would_change: Sequence[Text]
    shown: Mark | None  # to the other side


@dataclass(frozen=True, slots=True)
class Message:
    """An accepted message, or one that was refused: then it has no handle of its own."""

    handle: str
    kind: str
    text: Text
    reply_to: str
    claims: Sequence[str]
    evidence: Sequence[str]
    does_not_establish: Text | None
    moves: Sequence[Move]
    marks: Sequence[Mark]
    in_synthesis: UUID | None  # the request of Main's synthesis in which its text stands
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A half-round: whose it was and what came of it."""

    round: int
    kind: str
    role: str
    outcome: str
    meaning: str
    attempts: int
    request: UUID  # the last one of the turn
    request_state: str
    request_outcome: str
    message: Message | None
    checked: Sequence[Text]  # where it ended with "nothing further"
    unknown: Sequence[Text]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim on the register with all that moved it and what Main made of it."""

    handle: str
    author: str
    origin: str
    quote: Text
    evidence: Sequence[str]
    status: str
    status_meaning: str
    moves: Sequence[Move]
    disposition: str
    disposition_meaning: str
    reason: Prose | None
    reason_evidence: Sequence[str]


@dataclass(frozen=True, slots=True)
class Gap:
    """Something missing that the report discloses."""

    code: str
    sentence: str
    request: UUID | None  # where it is about one


@dataclass(frozen=True, slots=True)
class Synthesis:
    """Main's words about the whole, where there is a valid synthesis."""

    request: UUID
    summary: Prose
    open_questions: Sequence[Prose]
    would_change: Sequence[Prose]


@dataclass(frozen=True, slots=True)
class Calls:
    """The model calls of one execution."""

    child: UUID
    role: str
    state: str
    state_meaning: str
    end_reason: str
    total: int
    answered: int
    rejected: int
    unknown: int
    open: int
    tokens: int | None  # as the provider counted; None where it did not
    requested: Sequence[str]
    served: Sequence[str]
    model_note: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call with the result its caller was shown."""

    id: UUID
    handle: str
    role: str
    name: Text  # of a name that is no tool's: the model's word
    version: str
    refusal: str
    sources: Sequence[str]
    request: UUID
    result: Text


@dataclass(frozen=True, slots=True)
class Finding:
    """What a side found in material that only it could read: Main was given it, the other side never."""

    id: UUID
    handle: str
    role: str
    request: UUID
    text: Text


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source of the evidence snapshot."""

    id: UUID
    handle: str
    title: Text
    assigned_to: Text | None
    scope: Text  # its name can tell a client
    kind: str
    reader: str
    as_of: str
    rows: Mapping[str, int]
    sha256: str
    used_by: Sequence[str]


@dataclass(frozen=True, slots=True)
class Running:
    """How a Root ran."""

    pattern: str
    pattern_meaning: str
    decided_by: str
    wished: str
    proposed: str
    reason: Text | None
    plan_request: UUID | None
    rounds_used: int
    rounds_allowed: int
    opening_order: str
    openings_apart: bool  # no opening request held an opening or a message
    calls: Sequence[Calls]
    shared_models: Sequence[str]  # that served both sides


@dataclass(frozen=True, slots=True)
class End:
    """Why and how a Root ended, or that it has not."""

    state: str
    state_meaning: str
    cause: str
    result: str
    result_meaning: str
    reason: str
    reason_meaning: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """A Root as one page."""

    question: Text
    openings: Sequence[Opening]
    columns: Sequence[str]  # roles, left to right
    turns: Sequence[Turn]
    claims: Sequence[Claim]
    gaps: Sequence[Gap]
    synthesis: Synthesis | None
    end: End
    running: Running
    tools: Sequence[ToolUse]
    findings: Sequence[Finding]  # of private research
    evidence: Sequence[Evidence]
    withheld: int  # texts this reader may not see

    @property
    def unresolved(self) -> Sequence[Claim]:
        """Claims that the record or Main leave open."""
        return [one for one in self.claims if one.disposition in {"", "unresolved"}]
