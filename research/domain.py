"""What a domain is to the rest: readers, tools and prompts behind five small types.

A domain (for instance `research/domains/investment/`) knows its subject; everything outside it knows
only these types.  All of it is pure: bytes in, values out.

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
        kind: what the file is to the domain, e.g. "portfolio" or "holdings"
        reader: id and version of the reader, e.g. "issuer_csv/1"
        as_of: ISO date, or "not stated"
        identity: names by which other files may mean this one, e.g. {"name": …, "isin": …, "ticker": …}
        counts: rows per class (position, cash, derivative, subtotal, footer, rejected)
        findings: one sentence for each thing a person should know
        rows: one JSON object per row, every row with "row" (1-based) and "class"
        summary: further figures of the file as strings (e.g. "weight_sum_pct")
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
    assigned_to: str  # the portfolio line named with `--source LINE=FILE`, or ""
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
class Domain:
    """A subject: its readers, tools and prompts.

    `subject_kind` is the kind of source that a question must come with; `public_kinds` are kinds of sources
    that anybody may see unless the giver says otherwise.
    """

    name: str
    subject_kind: str
    public_kinds: frozenset[str]
    read: Callable[[bytes, str], Reading]  # raw bytes, title → Reading; raises Unreadable
    tools: tuple[Tool, ...]
    prompts: Path
