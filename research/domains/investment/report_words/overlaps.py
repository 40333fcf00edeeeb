"""The table of an overlap: how much two funds share, then what adds most to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from research.domain import FigureRow, FigureTable, Json
from research.domains.investment.report_words.parts import (
    coverage_words,
    denominator_words,
    interval_words,
    sources_of,
)

_ROWS_SHOWN: Final = 10
_EACH: Final = "% of each fund's weight"


def table(result: Json) -> FigureTable:
    """Show the figures of an overlap."""
    first, second = result["first"]["name"], result["second"]["name"]
    return FigureTable(
        title=f"Overlap of {first} and {second}",
        columns=(first, second, "overlap"),
        rows=list(_rows(result)),
        denominator=denominator_words(result),
        coverage=coverage_words(result),
        sources=sources_of(result),
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _rows(result: Json) -> Iterator[FigureRow]:
    bounds = interval_words(result["bounds"])
    yield FigureRow("same securities", _EACH, ["", "", result["overlap_pct"]], bounds)
    sides = [result["first_in_shared_pct"], result["second_in_shared_pct"]]
    yield FigureRow("weight in shared securities", "% of that fund", [*sides, ""])
    count = str(result["shared_securities"])
    yield FigureRow("shared securities", "number", ["", "", count])
    sums = [result[each]["weights_sum_pct"] for each in ("first", "second")]
    yield FigureRow("sum of all weights, not scaled", "% of that fund", [*sums, ""])
    for row in result["shared"][:_ROWS_SHOWN]:
        told = [row["first_pct"], row["second_pct"], row["overlap_pct"]]
        yield FigureRow(row["name"], _EACH, told)
