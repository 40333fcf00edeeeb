"""The table of a concentration: its three figures, then the largest weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from research.domain import FigureRow, FigureTable, Json
from research.domains.investment.report_words.parts import (
    bounds_words,
    change_words,
    columns,
    coverage_words,
    denominator_words,
    interval_words,
    sources_of,
    values,
)

_FIGURES: Final = (
    ("count", "number counted", ""),
    ("hhi", "HHI", ""),
    ("effective_n", "effective number", ""),
    ("top_ten_pct", "ten largest", "%"),
)


def table(result: Json) -> FigureTable:
    """Show the figures of a concentration."""
    return FigureTable(
        title=f"Concentration of {_of(result)}, {result['level']}, {change_words(result['change'])}",
        columns=columns(result)[:2],
        rows=list(_rows(result)),
        denominator=denominator_words(result),
        coverage=coverage_words(result),
        sources=sources_of(result),
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _of(result: Json) -> str:
    return "the portfolio" if result["of"] == "portfolio" else str(result["of"])


def _rows(result: Json) -> Iterator[FigureRow]:
    unit = f"% of {'portfolio' if result['of'] == 'portfolio' else 'fund'} weight"
    for key, label, of_unit in _FIGURES:
        told = _told(result, str(result["before"][key]), str(result["after"][key]))
        yield FigureRow(label, unit if of_unit else "", told, _bounds(result, key))
    for row in result["largest"]:
        told = _told(result, row["before_pct"], row["after_pct"])
        yield FigureRow(row["name"], unit, told, bounds_words(result, row.get("bounds", {})))


def _told(result: Json, before: str, after: str) -> list[str]:
    return values(result, before, after)[:2]


def _bounds(result: Json, key: str) -> str:
    sides: list[Any] = [result["bounds"][side].get(key, []) for side in ("before", "after")]
    if not all(sides):
        return ""
    before, after = map(interval_words, sides)
    return f"before {before}, after {after}" if result["change"]["fund"] else before
