"""The table of a look-through: exposure by bucket, then how concentrated lines and buckets are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from research.domain import FigureRow, FigureTable, Json
from research.domains.investment.report_words.parts import (
    PERCENT,
    bounds_words,
    change_words,
    columns,
    coverage_words,
    denominator_words,
    interval_words,
    sources_of,
    values,
)

_ROWS_SHOWN: Final = 12
_DIMENSIONS: Final = {"sector": "sector", "asset_class": "asset class", "security": "security"}
_LEVEL_FIGURES: Final = (
    ("hhi", "HHI", ""),
    ("effective_n", "effective number", ""),
    ("top_ten_pct", "ten largest", PERCENT),
)
_LONG_SHORT: Final = (("long_pct", "long"), ("short_pct", "short"), ("gross_pct", "gross"))


def table(result: Json) -> FigureTable:
    """Show the figures of a look-through."""
    by = _DIMENSIONS[result["dimension"]]
    return FigureTable(
        title=f"Exposure by {by}, {change_words(result['change'])}",
        columns=columns(result),
        rows=list(_rows(result, by)),
        denominator=denominator_words(result),
        coverage=coverage_words(result),
        sources=sources_of(result),
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _rows(result: Json, by: str) -> Iterator[FigureRow]:
    yield _exposure(result, result, bounds=bounds_words(result))
    others = [row for row in result["rows"] if row["bucket"] != result["bucket"]]
    for row in others[:_ROWS_SHOWN]:
        yield _exposure(result, row, bounds=bounds_words(result, row.get("bounds", {})))
    if hidden := others[_ROWS_SHOWN:]:
        left_out = f"(further rows in the tool result: {len(hidden)})"
        yield FigureRow(left_out, "", values(result, "", ""))
    lines = result["lines"]
    for key, label, unit in (("count", "portfolio lines", ""), *_LEVEL_FIGURES[:2]):
        yield _pair(result, f"{label}, by line" if key != "count" else label, unit, lines, key)
    for key, label, unit in _LEVEL_FIGURES:
        bounds = _level_bounds(result, key)
        yield _pair(result, f"{label}, by {by}", unit, result["level"], key, bounds=bounds)
    yield from _long_short(result)


def _exposure(result: Json, row: Mapping[str, Any], *, bounds: str = "") -> FigureRow:
    told = values(result, row["before_pct"], row["after_pct"], row["change_points"])
    return FigureRow(row["bucket"], PERCENT, told, bounds)


def _pair(
    result: Json,
    name: str,
    unit: str,
    sides: Mapping[str, Mapping[str, Any]],
    key: str,
    *,
    bounds: str = "",
) -> FigureRow:
    told = values(result, str(sides["before"][key]), str(sides["after"][key]))
    return FigureRow(name, unit, told, bounds)


def _level_bounds(result: Json, key: str) -> str:
    """Write the bounds of a concentration where some of the weight is not known."""
    before, after = (result["level_bounds"][each].get(key, []) for each in ("before", "after"))
    if len(set(before)) <= 1 and len(set(after)) <= 1:
        return ""
    told = interval_words(before)
    return f"before {told}, after {interval_words(after)}" if result["change"]["fund"] else told


def _long_short(result: Json) -> Iterator[FigureRow]:
    """Show long, short and gross where there is something short."""
    sides = result["long_short"]
    if all(sides[each]["short_pct"] == "0.00" for each in ("before", "after")):
        return
    for key, label in _LONG_SHORT:
        yield _pair(result, f"{label} in all", PERCENT, sides, key)
