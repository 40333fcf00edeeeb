"""The rows of what executions do alone, as verification reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source in the Root's evidence snapshot."""

    id: str
    number: int
    scope: str
    desk_id: int
    raw_id: str
    raw_sha256: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """How the Root is worked on."""

    id: str
    root_id: str
    request_id: str | None
    wished: str
    proposed: str
    pattern: str
    decided_by: str


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """A child's public statement before any exchange."""

    id: str
    root_id: str
    child_id: str
    request_id: str
    statement_id: str
    statement_digest: str
    lineage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """What a child hands to Main."""

    id: str
    root_id: str
    child_id: str
    request_id: str
    act: str
    number: int
    kind: str
    reason: str
    text_id: str
    text_digest: str
    lineage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A source or a number released to human readers, or the withdrawal of such a release."""

    id: str
    root_id: str
    source_id: str | None
    tool_call_id: str | None
    withdraws_id: str | None
    reason_id: str
    reason_digest: str
    released_by_id: int
    released_at: str


@dataclass(frozen=True, slots=True)
class ToolCallRow:
    """A tool call and its result."""

    id: str
    root_id: str
    child_id: str
    request_id: str
    index: int
    act: str
    number: int
    name: str
    version: str
    result_id: str
    result_digest: str
    refusal: str
    lineage: tuple[str, ...]
    used: tuple[str, ...]
