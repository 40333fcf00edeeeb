"""The tool `overlap`: how much two funds hold of the same securities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.formulas.buckets import Dimension
from research.domains.investment.formulas.coverage import Coverage, coverage, newest_of
from research.domains.investment.formulas.figures import (
    CANNOT_BE_STATED,
    as_stated,
    shown,
    shown_interval,
)
from research.domains.investment.formulas.gates import Stated, gate
from research.domains.investment.formulas.overlap import FORMULA, Overlap, overlap
from research.domains.investment.matching import Fund
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.change import alone, one_fund
from research.domains.investment.tools.looked import Looked, look, notes_of, shown_inputs
from research.domains.investment.tools.schema import Code
from research.reading.arguments import Arguments, Text, checked, parameters_of

_SHOWN: Final = 20
_DOES_NOT_SHOW: Final = (
    "That securities outside the overlap move independently: two funds without one security in "
    "common may hold the same industry or country. Nor whether either fund is better."
)


class OverlapArguments(Arguments):
    """The two funds."""

    first: Annotated[
        Text, Field(description="A fund: source handle, ISIN, ticker or name from list_sources.")
    ]
    second: Annotated[Text, Field(description="The other fund.")]


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, OverlapArguments)
    book = book_of(sources)
    funds = _with_holdings(book, asked.first), _with_holdings(book, asked.second)
    if funds[0].source is funds[1].source:
        raise ToolRefused(Code.BAD_ARGUMENTS, "name two funds with holdings of their own")
    looks = (
        look(book, Dimension.SECURITY, alone(funds[0])),
        look(book, Dimension.SECURITY, alone(funds[1])),
    )
    return _result(book, funds, looks)


def _with_holdings(book: Book, wanted: str) -> Fund:
    fund = one_fund(book, wanted)
    if fund.source is None:
        raise ToolRefused(
            Code.NO_HOLDINGS, "no file among your sources lists what this fund holds"
        )
    return fund


def _result(book: Book, funds: tuple[Fund, Fund], looks: tuple[Looked, Looked]) -> ToolResult:
    found = overlap(looks[0].exposures[0], looks[1].exposures[0])
    inputs = [each for each in book.sources if any(each in one.inputs for one in looks)]
    covered = _coverage(looks, [each.reading.as_of for each in inputs])
    stated = gate(covered.classified_pct)
    notes = {note: None for one in looks for note in notes_of(one)}
    if found.by_name_pct:
        notes[f"Of the overlap, {shown(found.by_name_pct)} points rest on names alone."] = None
    result = {
        "formula": FORMULA,
        "level": "look-through by security",
        "denominator": "percent of each fund's weight",
        "first": _fund(funds[0], looks[0]),
        "second": _fund(funds[1], looks[1]),
        "stated": stated.value,
        **_figures(found, stated),
        "coverage": covered.shown(),
        "bounds": [] if stated is Stated.CANNOT else shown_interval(found.bounds),
        "inputs": shown_inputs(book, inputs),
        "notes": list(notes),
        "does_not_show": _DOES_NOT_SHOW,
    }
    return ToolResult(shown=result, used=frozenset(each.source_id for each in inputs))


def _coverage(looks: tuple[Looked, Looked], dates: Sequence[str]) -> Coverage:
    """Return the lower coverage of the two, both held against the newest file."""
    newest = newest_of(dates)
    one, other = (
        coverage(each.before, each.weights.before, each.exposures, newest) for each in looks
    )
    return one.lower(other)


def _fund(fund: Fund, looked: Looked) -> dict[str, str]:
    return {
        "name": fund.name,
        "holdings": fund.source.handle if fund.source else "",
        "weights_sum_pct": shown(looked.before.net_pct),
        "short_pct": shown(looked.before.short_pct),
    }


def _figures(found: Overlap, stated: Stated) -> dict[str, Any]:
    """Write the overlap in the form the coverage allows; shares of listed securities only as points."""
    if not stated.as_point:
        sides = [CANNOT_BE_STATED] * 2
    else:
        sides = [shown(found.first_in_shared_pct), shown(found.second_in_shared_pct)]
    listed = [] if stated is Stated.CANNOT else found.shared[:_SHOWN]
    return {
        "overlap_pct": as_stated(found.overlap_pct, found.bounds, stated),
        "shared_securities": len(found.shared),
        "first_in_shared_pct": sides[0],
        "second_in_shared_pct": sides[1],
        "shared": [
            {
                "name": each.bucket.label,
                "first_pct": shown(each.first_pct),
                "second_pct": shown(each.second_pct),
                "overlap_pct": shown(each.smaller_pct),
            }
            for each in listed
        ],
        "shared_not_shown": len(found.shared) - len(listed),
    }


OVERLAP: Final = Tool(
    name="overlap",
    version="1",
    description=(
        "Compute how much two funds hold of the same securities: the sum of the smaller of both "
        "weights, with the securities that add most, the coverage of the files and bounds."
    ),
    parameters=parameters_of(OverlapArguments),
    run=_run,
)
