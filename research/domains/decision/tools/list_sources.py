"""The tool `list_sources`: what there is to read, and which of it is under review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from research.domain import Json, SourceView, Tool, ToolResult
from research.domains.decision.reader import is_heading
from research.reading.arguments import Arguments, checked, parameters_of

MAX_HEADINGS: Final = 40


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    checked(arguments, Arguments)
    shown = {"sources": [_source(each) for each in sources]}
    return ToolResult(shown=shown, used=frozenset(each.source_id for each in sources))


def _source(source: SourceView) -> dict[str, Any]:
    rows = source.reading.rows
    headings = [row for row in rows if is_heading(row)]
    return {
        "handle": source.handle,
        "kind": source.reading.kind,
        "title": source.title,
        "as_of": source.reading.as_of,
        "passages": len(rows),
        "headings": [
            {"number": row["number"], "path": row["path"]} for row in headings[:MAX_HEADINGS]
        ],
        "headings_in_all": len(headings),
    }


LIST_SOURCES: Final = Tool(
    name="list_sources",
    version="1",
    description=(
        "List the texts you may read: the proposal under review, notes and documents, each with its "
        "date, its number of passages and its headings."
    ),
    parameters=parameters_of(Arguments),
    run=_run,
)
