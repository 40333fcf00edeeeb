"""The tool `search_sources`: rows of the sources that hold all the words asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.codes import name_key
from research.domains.investment.tools.schema import Code
from research.reading.arguments import Arguments, Text, checked, parameters_of

MAX_MATCHES: Final = 50
_TEXT_SHOWN: Final = 300
_DOES_NOT_SHOW: Final = (
    "That something is not found says only that no row of these sources holds these words; it is "
    "no statement about the matter. Other spellings and codes are not tried."
)


class SearchArguments(Arguments):
    """What to look for, and where."""

    query: Annotated[
        Text,
        Field(
            description="Words, names or codes; a row matches if it holds all of them, in any case."
        ),
    ]
    source: Annotated[Text, Field(description='Handle of one source; "" for all.')] = ""
    limit: Annotated[int, Field(description=f"Matches to return, 1 to {MAX_MATCHES}.")] = 20


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, SearchArguments)
    words = name_key(asked.query).split()
    if not words or not 1 <= asked.limit <= MAX_MATCHES:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, f"query holds a word, and limit is 1 to {MAX_MATCHES}"
        )
    searched = [each for each in sources if asked.source in ("", each.handle)]
    if not searched:
        raise ToolRefused(
            Code.UNKNOWN_SOURCE if asked.source else Code.NO_DATA,
            "no source you may read has this handle" if asked.source else "there is no source",
        )
    found = list(_matches(searched, words))
    shown = {
        "query": asked.query,
        "matches": found[: asked.limit],
        "matches_in_all": len(found),
        "searched": [
            {
                "source": each.handle,
                "as_of": each.reading.as_of,
                "rows": len(each.reading.rows),
            }
            for each in searched
        ],
        "does_not_show": _DOES_NOT_SHOW,
    }
    # Also that nothing was found rests on every source that was searched.
    return ToolResult(shown=shown, used=frozenset(each.source_id for each in searched))


def _matches(sources: Sequence[SourceView], words: Sequence[str]) -> Iterator[dict[str, Any]]:
    for source in sources:
        for row in source.reading.rows:
            texts = {key: each for key, each in row.items() if isinstance(each, str) and each}
            together = name_key(" | ".join(texts.values()))
            if all(word in together for word in words):
                yield {
                    "source": source.handle,
                    "row": row["row"],
                    **{key: each[:_TEXT_SHOWN] for key, each in texts.items()},
                }


SEARCH_SOURCES: Final = Tool(
    name="search_sources",
    version="1",
    description=(
        "Find rows of your sources that hold all the words of a query: securities, codes, sectors "
        "or passages of text, each with its source and row."
    ),
    parameters=parameters_of(SearchArguments),
    run=_run,
)
