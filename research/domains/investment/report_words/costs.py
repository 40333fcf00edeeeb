"""The table of fund costs: the weighted expense ratio, what it is in money, and the ratio of each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from research.domain import FigureRow, FigureTable, Json
from research.domains.investment.report_words.parts import (
    bounds_words,
    change_words,
    columns,
    coverage_words,
    denominator_words,
    sources_of,
    values,
)

_ROWS_SHOWN: Final = 20
_A_YEAR: Final = "% of portfolio weight a year"


def table(result: Json) -> FigureTable:
    """Show the figures of fund costs."""
    return FigureTable(
        title=f"Fund costs, {change_words(result['change'])}",
        columns=columns(result),
        rows=list(_rows(result)),
        denominator=denominator_words(result),
        coverage=coverage_words(result),
        sources=sources_of(result),
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _rows(result: Json) -> Iterator[FigureRow]:
    told = values(result, result["before_pct"], result["after_pct"], result["change_points"])
    yield FigureRow("weighted expense ratio", _A_YEAR, told, bounds_words(result))
    if money := result["money"]:
        both = values(result, money["before_a_year"], money["after_a_year"])
        of = f"cost of {money['amount']} {money['currency']}"
        yield FigureRow(of, f"{money['currency']} a year", both)
    for one in result["ratios"][:_ROWS_SHOWN]:
        said = f" ({one['said_by']})" if one["said_by"] else ""
        ratio = values(result, one["ratio_pct"], one["ratio_pct"])
        yield FigureRow(f"{one['name']}{said}", "% a year", ratio)
