"""The tool `look_through`: what the portfolio holds behind its funds, before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.codes import name_key
from research.domains.investment.formulas.exposure import Bucket, Dimension, exposure_of
from research.domains.investment.formulas.funding import CannotFund, funded
from research.domains.investment.formulas.look_through import Side, focus, side
from research.domains.investment.matching import Fund, resolve
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.look_through_result import Change, Look, result_of
from research.domains.investment.tools.schema import Code, checked, schema

_POINTS: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_MAX_POINTS: Final = 100
_PARAMETERS: Final = schema(
    {
        "dimension": {
            "type": "string",
            "enum": [each.value for each in Dimension],
            "description": "What to add up by.",
        },
        "fund": {
            "type": "string",
            "description": (
                "The fund whose weight is raised: a source handle, ISIN, ticker or name from "
                'list_sources; "" to look at the portfolio without a change.'
            ),
        },
        "points": {
            "type": "string",
            "description": 'Percent points of the portfolio moved into it, for instance "10".',
        },
        "funding": {
            "type": "string",
            "description": (
                'Where the points come from: "pro_rata" (all other lines in proportion) or '
                '"from:<line number>".'
            ),
        },
        "bucket": {
            "type": "string",
            "description": 'The bucket to report on; "" for the one that rises most.',
        },
    }
)
_OPTIONAL: Final = {"fund": "", "points": "", "funding": "", "bucket": ""}


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    found = checked(arguments, _PARAMETERS, _OPTIONAL)
    book = book_of(sources)
    if book.portfolio is None:
        raise ToolRefused(
            Code.NO_PORTFOLIO, "there is no portfolio among the sources you may read"
        )
    if not any(line.weight_pct for line in book.lines):
        raise ToolRefused(Code.NO_DATA, "every line of the portfolio has the weight 0")
    dimension = Dimension(found["dimension"])
    look = _look(book, dimension, _change(book, found))
    if not any(bucket.known for bucket in look.after.buckets):
        raise _nothing_known(book)
    bucket = _bucket(look, found["bucket"])
    return result_of(book, book.portfolio, look, bucket)


def _change(book: Book, found: Json) -> Change:
    """Return the change these arguments name, or none."""
    if not found["fund"].strip():
        if found["points"] not in ("", "0", "0.0", "0.00"):
            raise ToolRefused(
                Code.BAD_ARGUMENTS, "points without a fund: name the fund, or no points"
            )
        return Change(None, Decimal(0), "none")
    funds = resolve(book.funds, found["fund"])
    if len(funds) != 1:
        raise ToolRefused(
            Code.UNKNOWN_FUND,
            "several lines or files go by this name; use an ISIN or a source handle"
            if funds
            else "no line and no holdings file goes by this name; list_sources shows them",
        )
    points = found["points"].strip()
    if not _POINTS.fullmatch(points) or not 0 < Decimal(points) <= _MAX_POINTS:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, 'points is a decimal text above 0 and up to 100, such as "10"'
        )
    return Change(funds[0], Decimal(points), found["funding"].strip())


def _look(book: Book, dimension: Dimension, change: Change) -> Look:
    held = tuple(fund for fund in book.funds if fund.line)
    before = tuple(line.weight_pct for line in book.lines)
    after, funds = before, held
    if change.fund:
        after = _funded(before, change)
        funds = held if change.fund.line else (*held, change.fund)
    index = book.index()
    exposures = tuple(exposure_of(fund, book.rows_of(fund), dimension, index) for fund in funds)
    sides: tuple[Side, Side] = side(before, exposures), side(after, exposures)
    return Look(dimension, change, funds, exposures, (before, after), *sides)


def _funded(before: Sequence[Decimal], change: Change) -> tuple[Decimal, ...]:
    target: Fund | None = change.fund
    at = target.line.number - 1 if target and target.line else None
    try:
        return funded(before, at, change.points, change.funding)
    except CannotFund as problem:
        raise ToolRefused(Code.BAD_ARGUMENTS, str(problem)) from problem


def _bucket(look: Look, wanted: str) -> Bucket:
    if not wanted.strip():
        found = focus(look.before, look.after)
        if found is None:
            raise ToolRefused(Code.NO_DATA, "no bucket is known")
        return found
    key = name_key(wanted)
    for bucket in look.after.buckets:
        if key in (name_key(bucket.label), name_key(bucket.key)):
            return bucket
    labels = sorted({bucket.label for bucket in look.after.buckets})[:30]
    raise ToolRefused(Code.BAD_ARGUMENTS, f"no such bucket; there are: {', '.join(labels)}")


def _nothing_known(book: Book) -> ToolRefused:
    if not book.sources:
        return ToolRefused(Code.NO_HOLDINGS, "no holdings file is among the sources you may read")
    return ToolRefused(Code.NO_DATA, "the files hold no label for this dimension")


LOOK_THROUGH: Final = Tool(
    name="look_through",
    version="1",
    description=(
        "Compute what the portfolio holds behind its funds by sector, asset class or security, "
        "before and after moving points of its weight into one fund, with the concentration of "
        "the lines and of the buckets, the coverage of the files and bounds."
    ),
    parameters=_PARAMETERS,
    run=_run,
)
