"""How a report shows the figures of this domain's tools, and the line it carries on every page.

Source: design.md D13 (numbers table), D16.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from research.domain import FigureRow, FigureTable, Json, ReportWords
from research.domains.investment.tools.look_through import LOOK_THROUGH

_PERCENT: Final = "% of portfolio weight"
_ROWS_SHOWN: Final = 12
_DIMENSIONS: Final = {"sector": "sector", "asset_class": "asset class", "security": "security"}
_COVERAGE: Final = {
    "looked_through_pct": "looked through",
    "classified_pct": "classified",
    "fresh_pct": "fresh",
}
_LEVEL_FIGURES: Final = (
    ("hhi", "HHI", ""),
    ("effective_n", "effective number", ""),
    ("top_ten_pct", "ten largest", _PERCENT),
)


def table(name: str, result: Json) -> FigureTable | None:
    """Show the figures of a look-through; the other tools list sources and rows, not figures."""
    if name != LOOK_THROUGH.name or "before_pct" not in result:
        return None
    changed = bool(result["change"]["fund"])
    by = _DIMENSIONS[result["dimension"]]
    return FigureTable(
        title=f"Exposure by {by}, {_change(result['change'])}",
        columns=("before", "after", "change") if changed else ("now",),
        rows=[
            FigureRow(row.name, row.unit, row.values if changed else row.values[:1], row.bounds)
            for row in _rows(result, by, changed=changed)
        ],
        denominator=result["denominator"],
        coverage={
            label: f"{result['coverage'][key]} %"
            for key, label in _COVERAGE.items()
            if key in result["coverage"]
        },
        sources=[one["source"] for one in result["inputs"]],
        does_not_show=result["does_not_show"],
        formula=result["formula"],
    )


def _change(change: Mapping[str, str]) -> str:
    if not change["fund"]:
        return "without a change"
    line = change["funding"].removeprefix("from:")
    source = "pro rata from all other lines" if line == change["funding"] else f"from line {line}"
    return f"{change['points']} points into {change['fund']}, {source}"


def _rows(result: Json, by: str, *, changed: bool) -> Iterator[FigureRow]:
    yield _exposure(result, bounds=_bounds(result["bounds"], changed=changed))
    others = [row for row in result["rows"] if row["bucket"] != result["bucket"]]
    for row in others[:_ROWS_SHOWN]:
        yield _exposure(row)
    if hidden := others[_ROWS_SHOWN:]:
        yield FigureRow(f"(further rows in the tool result: {len(hidden)})", "", ["", "", ""])
    lines = result["lines"]
    for key, label, unit in (("count", "portfolio lines", ""), *_LEVEL_FIGURES[:2]):
        yield _pair(f"{label}, by line" if key != "count" else label, unit, key, lines)
    for key, label, unit in _LEVEL_FIGURES:
        yield _pair(f"{label}, by {by}", unit, key, result["level"])


def _exposure(row: Mapping[str, str], *, bounds: str = "") -> FigureRow:
    values = [row["before_pct"], row["after_pct"], row["change_points"]]
    return FigureRow(row["bucket"], _PERCENT, values, bounds)


def _pair(name: str, unit: str, key: str, sides: Mapping[str, Mapping[str, Any]]) -> FigureRow:
    return FigureRow(name, unit, [str(sides["before"][key]), str(sides["after"][key]), ""])


def _bounds(bounds: Mapping[str, Sequence[str]], *, changed: bool) -> str:
    before, after = (" to ".join(bounds[key]) for key in ("before_pct", "after_pct"))
    return f"before {before}, after {after}" if changed else before


REPORT_WORDS: Final = ReportWords(
    disclaimer="Not investment advice; drafted by a model.", table=table
)
