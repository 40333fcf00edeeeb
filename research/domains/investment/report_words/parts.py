"""What the tables share: the change in words, coverage, bounds and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from research.domain import Json

PERCENT: Final = "% of portfolio weight"
_COVERAGE: Final = {
    "looked_through_pct": "looked through",
    "classified_pct": "classified",
    "fresh_pct": "fresh",
    "with_a_ratio_pct": "weight with an expense ratio",
    "from_sources_pct": "weight whose ratio a source states",
}


def change_words(change: Mapping[str, str]) -> str:
    """Say which change a result is about."""
    if not change["fund"]:
        return "without a change"
    line = change["funding"].removeprefix("from:")
    source = "pro rata from all other lines" if line == change["funding"] else f"from line {line}"
    return f"{change['points']} points into {change['fund']}, {source}"


def columns(result: Json) -> tuple[str, ...]:
    """Return the columns of a result: one where nothing changes."""
    return ("before", "after", "change") if result["change"]["fund"] else ("now",)


def values(result: Json, before: str, after: str, change: str = "") -> list[str]:
    """Return the values of a row for these columns."""
    return [before, after, change] if result["change"]["fund"] else [before]


def coverage_words(result: Json) -> dict[str, str]:
    """Write the coverage figures of a result."""
    found = result.get("coverage", {})
    return {label: f"{found[key]} %" for key, label in _COVERAGE.items() if key in found}


def sources_of(result: Json) -> list[str]:
    """Return the handles of the inputs, with the rows where a result names them."""
    return [
        f"{one['source']} (rows {one['rows']})" if one.get("rows") else one["source"]
        for one in result["inputs"]
    ]


def interval_words(ends: Sequence[str]) -> str:
    """Write bounds, "" where there are none."""
    return " to ".join(ends)


def bounds_words(result: Json, bounds: Mapping[str, Sequence[str]] | None = None) -> str:
    """Write the bounds before and after, of a result or of one row of it."""
    bounds = result["bounds"] if bounds is None else bounds
    before = interval_words(bounds.get("before_pct", ()))
    after = interval_words(bounds.get("after_pct", ()))
    if not result["change"]["fund"] or not before:
        return before
    return f"before {before}, after {after}"


def denominator_words(result: Json) -> str:
    """Write the denominator, the level where a result names one, and what the weights add up to."""
    said = [result["denominator"]]
    if isinstance(result.get("level"), str):
        said.append(f"level: {result['level']}")
    if sums := result.get("weights_sum_pct"):
        changed = sums["before"] != sums["after"]
        both = f"{sums['before']} before, {sums['after']} after" if changed else sums["before"]
        said.append(f"the weights sum to {both} and were not scaled")
    return "; ".join(said)
