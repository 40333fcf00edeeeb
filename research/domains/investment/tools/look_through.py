"""The tool `look_through`: what the portfolio holds behind its funds, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.codes import name_key
from research.domains.investment.formulas.buckets import Bucket, Dimension
from research.domains.investment.formulas.look_through import focus
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.change import ChangeArguments, weights_of
from research.domains.investment.tools.look_through_result import result_of
from research.domains.investment.tools.looked import Looked, look
from research.domains.investment.tools.schema import Code
from research.reading.arguments import Text, checked, parameters_of


class LookThroughArguments(ChangeArguments):
    """What to look through, and which bucket to report on first."""

    dimension: Annotated[Dimension, Field(strict=False, description="What to add up by.")]
    bucket: Annotated[
        Text, Field(description='The bucket to report on; "" for the one that rises most.')
    ] = ""


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, LookThroughArguments)
    book = book_of(sources)
    book.needed_portfolio()
    looked = look(book, asked.dimension, weights_of(book, asked))
    if not any(bucket.known for bucket in looked.after.buckets):
        raise _nothing_known(book)
    return result_of(book, looked, _bucket(looked, asked.bucket))


def _bucket(looked: Looked, wanted: str) -> Bucket:
    if not wanted:
        found = focus(looked.before, looked.after)
        if found is None:
            raise ToolRefused(Code.NO_DATA, "no bucket is known")
        return found
    key = name_key(wanted)
    for bucket in looked.after.buckets:
        if key in (name_key(bucket.label), name_key(bucket.key)):
            return bucket
    labels = sorted({bucket.label for bucket in looked.after.buckets})[:30]
    raise ToolRefused(Code.BAD_ARGUMENTS, f"no such bucket; there are: {', '.join(labels)}")


def _nothing_known(book: Book) -> ToolRefused:
    if not book.sources:
        return ToolRefused(Code.NO_HOLDINGS, "no holdings file is among the sources you may read")
    return ToolRefused(Code.NO_DATA, "the files hold no label for this dimension")


LOOK_THROUGH: Final = Tool(
    name="look_through",
    version="2",
    description=(
        "Compute what the portfolio holds behind its funds by sector, asset class or security, "
        "before and after moving points of its weight into one fund, with the concentration of "
        "the lines and of the buckets, the coverage of the files and bounds. Where too little is "
        "covered a figure is given as bounds, or it cannot be stated."
    ),
    parameters=parameters_of(LookThroughArguments),
    run=_run,
)
