"""The table of a volatility effect: before and after, the break-even correlation, and what was put in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from research.domain import FigureRow, FigureTable, Json
from research.domains.investment.report_words.parts import (
    bounds_words,
    change_words,
    columns,
    denominator_words,
    sources_of,
    values,
)

_A_YEAR: Final = "% a year"


def table(result: Json) -> FigureTable:
    """Show the figures of a volatility effect."""
    return FigureTable(
        title=f"Effect on total volatility, {change_words(result['change'])}",
        columns=columns(result),
        rows=list(_rows(result)),
        denominator=denominator_words(result),
        coverage={
            "volatilities and correlations": ", ".join(
                one["from"] for one in result["origins"] if one["source"] != "weights"
            ),
        },
        sources=sources_of(result),
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _rows(result: Json) -> Iterator[FigureRow]:
    told = values(result, result["before_pct"], result["after_pct"], result["change_points"])
    yield FigureRow("total volatility", _A_YEAR, told, bounds_words(result))
    yield FigureRow("direction", "", ["", result["direction"], ""])
    if "break_even_correlation" in result:
        yield FigureRow("break-even correlation", "", ["", result["break_even_correlation"], ""])
    for one in result.get("by_correlation", ()):
        named = f"total volatility at a correlation of {one['correlation']}"
        yield FigureRow(named, _A_YEAR, ["", one["after_pct"], ""])
    for one in result["given"]:
        yield FigureRow(f"put in: {one['what']}", "", [one["value"], "", ""])
