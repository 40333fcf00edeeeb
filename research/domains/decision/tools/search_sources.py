"""The tool `search_sources`: passages that hold words, those with most of them first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.decision.tools.passages import shown_passage
from research.reading.arguments import Arguments, ReadingCode, Text, checked, parameters_of

MAX_MATCHES: Final = 20
_DOES_NOT_SHOW: Final = (
    "That something is not found says only that no passage of these sources holds these words; it is "
    "no statement about the matter. Other spellings and other words for it are not tried."
)


class SearchArguments(Arguments):
    """What to look for, and where."""

    query: Annotated[
        Text,
        Field(
            description="Words; a passage matches if it holds one of them, in any case and also "
            "within a longer word. Those with most words come first."
        ),
    ]
    source: Annotated[Text, Field(description='Handle of one source; "" for all.')] = ""
    limit: Annotated[int, Field(description=f"Passages to return, 1 to {MAX_MATCHES}.")] = 10


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, SearchArguments)
    words = list(dict.fromkeys(asked.query.casefold().split()))
    if not words or not 1 <= asked.limit <= MAX_MATCHES:
        raise ToolRefused(
            ReadingCode.BAD_ARGUMENTS, f"query holds a word, and limit is 1 to {MAX_MATCHES}"
        )
    searched = [each for each in sources if asked.source in ("", each.handle)]
    if not searched:
        raise ToolRefused(
            ReadingCode.UNKNOWN_SOURCE if asked.source else ReadingCode.NO_DATA,
            "no source you may read has this handle" if asked.source else "there is no source",
        )
    found = sorted(_matches(searched, words), key=lambda one: -len(one[0]))
    shown = {
        "query": asked.query,
        "passages": [
            {"found": held, **shown_passage(source, row)}
            for held, source, row in found[: asked.limit]
        ],
        "passages_in_all": len(found),
        "searched": [
            {"source": each.handle, "passages": len(each.reading.rows)} for each in searched
        ],
        "does_not_show": _DOES_NOT_SHOW,
    }
    # Also that nothing was found rests on every source that was searched.
    return ToolResult(shown=shown, used=frozenset(each.source_id for each in searched))


def _matches(
    sources: Sequence[SourceView], words: Sequence[str]
) -> Iterator[tuple[list[str], SourceView, Json]]:
    for source in sources:
        for row in source.reading.rows:
            text = str(row["text"]).casefold()
            held = [word for word in words if word in text]
            if held:
                yield held, source, row


SEARCH_SOURCES: Final = Tool(
    name="search_sources",
    version="1",
    description=(
        "Find passages of your sources that hold words of a query, word for word, each with its "
        "source and number."
    ),
    parameters=parameters_of(SearchArguments),
    run=_run,
)
