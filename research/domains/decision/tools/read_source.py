"""The tool `read_source`: passages of one text by number, in order and verbatim."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.decision.tools.passages import shown_passage
from research.reading.arguments import Arguments, ReadingCode, Text, checked, parameters_of

MAX_PASSAGES: Final = 40
MAX_CHARACTERS: Final = 20_000  # of one result; the first passage is shown whatever its length


class ReadSourceArguments(Arguments):
    """Which text, and which of its passages."""

    source: Annotated[Text, Field(description="Handle of the source, for instance S2.")]
    first: Annotated[int, Field(description="Number of the first passage, from 1.")] = 1
    limit: Annotated[int, Field(description=f"Passages to return, 1 to {MAX_PASSAGES}.")] = 20


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, ReadSourceArguments)
    source = next((each for each in sources if each.handle == asked.source), None)
    if source is None:
        raise ToolRefused(ReadingCode.UNKNOWN_SOURCE, "no source you may read has this handle")
    rows = source.reading.rows
    if not 1 <= asked.first <= len(rows) or not 1 <= asked.limit <= MAX_PASSAGES:
        raise ToolRefused(
            ReadingCode.BAD_ARGUMENTS, f"first is 1 to {len(rows)} and limit 1 to {MAX_PASSAGES}"
        )
    page = _within_bounds(rows[asked.first - 1 : asked.first - 1 + asked.limit])
    following = asked.first + len(page)
    shown = {
        "source": source.handle,
        "kind": source.reading.kind,
        "as_of": source.reading.as_of,
        "passages": [shown_passage(source, row) for row in page],
        "next": following if following <= len(rows) else None,
        "findings": list(source.reading.findings),
    }
    return ToolResult(shown=shown, used=frozenset({source.source_id}))


def _within_bounds(rows: Sequence[Json]) -> Sequence[Json]:
    """Keep as many passages as fit, whole ones only, and at least one."""
    lengths = accumulate(len(row["text"]) for row in rows)
    return rows[: max(1, sum(length <= MAX_CHARACTERS for length in lengths))]


READ_SOURCE: Final = Tool(
    name="read_source",
    version="1",
    description=(
        "Read passages of one text, in order and word for word, each with its number, the row where "
        "it begins and the headings above it; `next` is the number to go on with."
    ),
    parameters=parameters_of(ReadSourceArguments),
    run=_run,
)
