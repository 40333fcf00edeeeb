"""The tool `read_source`: the rows of one source as they were read, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.positions import kind_beside_a_portfolio, portfolio_of
from research.domains.investment.tools.schema import Code
from research.reading.arguments import Arguments, Text, checked, parameters_of

MAX_ROWS: Final = 100


class ReadSourceArguments(Arguments):
    """Which source, and which of its rows."""

    source: Annotated[Text, Field(description="Handle of the source, for instance S2.")]
    offset: Annotated[int, Field(description="Rows to skip, from 0.")] = 0
    limit: Annotated[int, Field(description=f"Rows to return, 1 to {MAX_ROWS}.")] = 20


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, ReadSourceArguments)
    source = next((each for each in sources if each.handle == asked.source), None)
    if source is None:
        raise ToolRefused(Code.UNKNOWN_SOURCE, "no source you may read has this handle")
    rows = source.reading.rows
    first, limit = asked.offset, asked.limit
    if not 0 <= first <= len(rows) or not 1 <= limit <= MAX_ROWS:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, f"offset is 0 to {len(rows)} and limit 1 to {MAX_ROWS}"
        )
    shown = {
        "source": source.handle,
        "kind": "portfolio"
        if source is portfolio_of(sources)
        else kind_beside_a_portfolio(source),
        "as_of": source.reading.as_of,
        "rows": [dict(row) for row in rows[first : first + limit]],
        "next_offset": first + limit if first + limit < len(rows) else None,
        "findings": list(source.reading.findings),
        "summary": dict(source.reading.summary),
    }
    return ToolResult(shown=shown, used=frozenset({source.source_id}))


READ_SOURCE: Final = Tool(
    name="read_source",
    version="1",
    description=(
        "Read rows of one source as they were read from its file, with the class of each row, the "
        "findings about the file and its own concentration."
    ),
    parameters=parameters_of(ReadSourceArguments),
    run=_run,
)
