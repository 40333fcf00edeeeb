"""The JSON that `look_through` returns: figures, denominator, inputs, coverage and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from research.domain import SourceView, ToolResult
from research.domains.investment import labels
from research.domains.investment.dates import NOT_STATED
from research.domains.investment.formulas.concentration import Concentration
from research.domains.investment.formulas.coverage import coverage
from research.domains.investment.formulas.exposure import Bucket, Dimension, Exposure
from research.domains.investment.formulas.figures import shown
from research.domains.investment.formulas.look_through import FORMULA, Interval, Side
from research.domains.investment.matching import Fund
from research.domains.investment.tools.book import Book

_TOP: Final = 25
_ZERO: Final = Decimal(0)
_MANY: Final = {
    Dimension.SECTOR: "sectors",
    Dimension.ASSET_CLASS: "asset classes",
    Dimension.SECURITY: "securities",
}
_DOES_NOT_SHOW: Final = (
    "Whether the total volatility of the portfolio rises or falls, and what it returns, does not "
    "follow from weights: volatilities and correlations are not in these files."
)


@dataclass(frozen=True, slots=True)
class Change:
    """The points that move into a fund, and the rule that pays for them."""

    fund: Fund | None
    points: Decimal
    funding: str


@dataclass(frozen=True, slots=True)
class Look:
    """Everything computed for one call; `weights` are those before and those after."""

    dimension: Dimension
    change: Change
    funds: tuple[Fund, ...]
    exposures: tuple[Exposure, ...]
    weights: tuple[tuple[Decimal, ...], tuple[Decimal, ...]]
    before: Side
    after: Side


def result_of(book: Book, portfolio: SourceView, look: Look, bucket: Bucket) -> ToolResult:
    """Write the result of one look-through."""
    inputs = _inputs(book, portfolio, look)
    before, after = look.before, look.after
    names = _names(look)
    result = {
        "formula": FORMULA,
        "dimension": look.dimension.value,
        "taxonomy": _taxonomy(look.dimension, inputs),
        "denominator": "percent of portfolio weight",
        "change": {
            "fund": look.change.fund.name if look.change.fund else "",
            "points": shown(look.change.points),
            "funding": look.change.funding,
        },
        **_figures(names, look, bucket),
        "rows": _rows(names, look),
        "lines": {"before": _lines(before.lines), "after": _lines(after.lines)},
        "level": {"before": before.level.shown(), "after": after.level.shown()},
        "coverage": _coverage(portfolio, look, inputs),
        "bounds": {
            "before_pct": _interval(before.bounds(bucket)),
            "after_pct": _interval(after.bounds(bucket)),
        },
        "inputs": [{"source": each.handle, "as_of": each.reading.as_of} for each in inputs],
        "does_not_show": _DOES_NOT_SHOW,
    }
    return ToolResult(shown=result, used=frozenset(each.source_id for each in inputs))


def _inputs(book: Book, portfolio: SourceView, look: Look) -> tuple[SourceView, ...]:
    """Return the sources whose rows entered the result, the portfolio first."""
    used = frozenset().union(
        *(
            exposure.used
            for exposure, weights in zip(look.exposures, _both(look), strict=True)
            if any(weights)
        )
    )
    return (portfolio, *(each for each in book.sources if each.handle in used))


def _both(look: Look) -> list[tuple[Decimal, Decimal]]:
    """Return the weights before and after of each fund; one not held yet had none."""
    before, after = look.weights
    padded = (*before, *[_ZERO] * (len(after) - len(before)))
    return list(zip(padded, after, strict=True))


def _taxonomy(dimension: Dimension, inputs: Sequence[SourceView]) -> str:
    if dimension is Dimension.ASSET_CLASS:
        return "asset classes as stated in the files, put into groups"
    if dimension is Dimension.SECURITY:
        return "securities by ISIN, else ticker, else name as stated in the files"
    stated = {each.reading.summary.get("taxonomy", "") for each in inputs} - {labels.NO_TAXONOMY}
    if labels.OTHER_TAXONOMY in stated:
        return labels.OTHER_TAXONOMY
    return labels.GICS_TAXONOMY if stated else labels.NO_TAXONOMY


def _names(look: Look) -> dict[Bucket, str]:
    """Return a name for each bucket; two of one name are told apart by their code."""
    buckets = set(look.before.buckets) | set(look.after.buckets)
    times = Counter(bucket.label for bucket in buckets)
    return {
        bucket: bucket.label if times[bucket.label] == 1 else f"{bucket.label} ({bucket.key})"
        for bucket in buckets
    }


def _figures(names: dict[Bucket, str], look: Look, *buckets: Bucket) -> dict[str, str]:
    """Return the figures of one bucket, or of several added up under the first one's name.

    The change is rounded from the exact weights, not taken between two rounded ones.
    """
    before = sum((look.before.buckets.get(each, _ZERO) for each in buckets), _ZERO)
    after = sum((look.after.buckets.get(each, _ZERO) for each in buckets), _ZERO)
    return {
        "bucket": names[buckets[0]],
        "before_pct": shown(before),
        "after_pct": shown(after),
        "change_points": shown(after - before),
    }


def _rows(names: dict[Bucket, str], look: Look) -> list[dict[str, str]]:
    filled = [
        bucket
        for bucket in names
        if look.before.buckets.get(bucket, _ZERO) or look.after.buckets.get(bucket, _ZERO)
    ]
    filled.sort(key=lambda each: (-look.after.buckets.get(each, _ZERO), names[each]))
    rows = [_figures(names, look, bucket) for bucket in filled[:_TOP]]
    rest = filled[_TOP:]
    if rest:
        label = f"(other {len(rest)} {_MANY[look.dimension]})"
        rows.append(_figures(names, look, *rest) | {"bucket": label})
    return rows


def _lines(lines: Concentration) -> dict[str, Any]:
    return {
        "count": lines.count,
        "hhi": shown(lines.hhi, 5),
        "effective_n": shown(lines.effective_n),
    }


def _coverage(portfolio: SourceView, look: Look, inputs: Sequence[SourceView]) -> dict[str, str]:
    dates = [(fund.source or portfolio).reading.as_of for fund in look.funds]
    stated = (each.reading.as_of for each in inputs)
    newest = max((each for each in stated if each != NOT_STATED), default="")
    sides = [
        coverage(one, weights, look.exposures, dates, newest)
        for weights, one in zip(look.weights, (look.before, look.after), strict=True)
    ]
    lower = sides[0].lower(sides[1])
    return {
        "looked_through_pct": shown(lower.looked_through_pct),
        "classified_pct": shown(lower.classified_pct),
        "fresh_pct": shown(lower.fresh_pct),
    }


def _interval(interval: Interval) -> list[str]:
    return [shown(interval[0]), shown(interval[1])]
