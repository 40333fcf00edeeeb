"""What a domain is to the rest: readers, tools, prompts and report words behind a few small types.

A domain (a folder of `research/domains/`) knows its subject; everything outside it knows only
these types.  All of it is pure: bytes in, values out.

Source: design.md D1, D16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = Mapping[str, Any]


class Unreadable(ValueError):
    """The bytes are not something this domain can read; the message says what they are instead."""

    def __init__(self, problem: str, *, row: int | None = None, first_bytes: bytes = b"") -> None:
        """Name the problem, the row where it shows (1-based) and how the bytes begin."""
        super().__init__(problem)
        self.problem = problem
        self.row = row
        self.first_bytes = first_bytes[:64]


class ToolRefused(Exception):
    """A tool cannot answer these arguments; `code` is from a fixed vocabulary, without ids or titles."""

    def __init__(self, code: str, explanation: str) -> None:
        """Keep the code for the record and the explanation for the caller."""
        super().__init__(explanation)
        self.code = code
        self.explanation = explanation


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a file.

    Shape:
        kind: what the file is to the domain, e.g. "proposal" or "note"
        reader: id and version of the reader, e.g. "markdown/1"
        as_of: ISO date, or "not stated"
        identity: names by which other files may mean this one, e.g. {"name": …}
        counts: rows per class, e.g. {"passage": 12}
        findings: one sentence for each thing a person should know
        rows: one JSON object per row, every row with "row" (1-based) and "class"
        summary: further figures of the file as strings (e.g. "pages")
    """

    kind: str
    reader: str
    as_of: str
    identity: Mapping[str, str]
    counts: Mapping[str, int]
    findings: Sequence[str]
    rows: Sequence[Json]
    summary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source as a tool sees it: only sources the caller is authorized for reach a tool."""

    handle: str  # "S3"
    source_id: str  # host id, never shown to a model
    title: str
    assigned_to: str  # the part of the subject it was given for, or ""
    reading: Reading


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returns: `shown` goes to the model as JSON text, `used` are the inputs' source ids."""

    shown: Json
    used: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool a model may call: read-only, pure, from immutable rows.

    Raises:
        ToolRefused: from `run`, where these arguments have no answer.
    """

    name: str
    version: str
    description: str
    parameters: Json  # JSON schema of the arguments
    run: Callable[[Json, Sequence[SourceView]], ToolResult]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One line of a figure table; `values` has one text for each column, "" where there is none.

    `bounds` says between which values it lies where some of its inputs are not known, column by column.
    """

    name: str
    unit: str
    values: Sequence[str]
    bounds: str = ""


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The figures of one tool result, as a report shows them.

    Shape:
        coverage: what is covered → how far, both as text
        sources: handles of the inputs
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[FigureRow]
    denominator: str
    coverage: Mapping[str, str]
    sources: Sequence[str]
    does_not_show: str
    formula: str


def no_table(name: str, result: Json) -> FigureTable | None:  # noqa: ARG001 - the shape of `ReportWords.table`
    """Show no figures: for a domain without numbers."""
    return None


@dataclass(frozen=True, slots=True)
class ReportWords:
    """What a report says in the words of its domain; the host writes everything else.

    Args:
        disclaimer: one line that stands on every report.
        table: (tool name, result as a model was shown it) → its figures, or None where it has none.
    """

    disclaimer: str = "Drafted by a model."
    table: Callable[[str, Json], FigureTable | None] = no_table


@dataclass(frozen=True, slots=True)
class Sample:
    """Files to try a domain with, and a question to put to them."""

    question: str
    folder: Path
    subject: str  # the name of a file
    sources: tuple[str, ...]


def as_read(reading: Reading) -> Reading:
    """Leave the kind of a subject to what its reader recognised."""
    return reading


@dataclass(frozen=True, slots=True)
class Domain:
    """A subject: its readers, tools, prompts and report words.

    Args:
        subject_kind: the kind of source that a question must come with; also its word on the command line.
        public_kinds: kinds of sources that anybody may see unless the giver says otherwise.
        largest_file: in bytes, what `read` takes at most.
        part: what of the subject a source may be given for, e.g. "line"; "" where it has no parts.
        as_subject: what becomes of a reading whose file the giver names as the subject.
        sample: files to try it with.
    """

    name: str
    subject_kind: str
    public_kinds: frozenset[str]
    read: Callable[[bytes, str], Reading]  # raw bytes, title → Reading; raises Unreadable
    tools: tuple[Tool, ...]
    prompts: Path
    sample: Sample
    report: ReportWords = ReportWords()
    largest_file: int = 50 * 1024 * 1024
    part: str = ""
    as_subject: Callable[[Reading], Reading] = as_read
