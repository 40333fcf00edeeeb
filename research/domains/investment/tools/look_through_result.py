"""The JSON that `look_through` returns: figures, denominator, inputs, coverage and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from heapq import nlargest
from typing import Any, Final

from research.domain import ToolResult
from research.domains.investment.formulas.buckets import Bucket, Dimension
from research.domains.investment.formulas.concentration import Concentration, inverse
from research.domains.investment.formulas.figures import (
    CANNOT_BE_STATED,
    Interval,
    as_stated,
    shown,
    shown_interval,
)
from research.domains.investment.formulas.gates import Stated
from research.domains.investment.formulas.look_through import FORMULA, Side, change_bounds
from research.domains.investment.tools.book import Book
from research.domains.investment.tools.looked import (
    Looked,
    notes_of,
    rows_of_bucket,
    shown_inputs,
    taxonomy_of,
)

_TOP: Final = 25
_ZERO: Final = Decimal(0)
Bounds = dict[str, dict[str, list[str]]]
_MANY: Final = {
    Dimension.SECTOR: "sectors",
    Dimension.ASSET_CLASS: "asset classes",
    Dimension.SECURITY: "securities",
}
_DOES_NOT_SHOW: Final = (
    "Whether the total volatility of the portfolio rises or falls, and what it returns, does not "
    "follow from weights: volatilities and correlations are not in these files."
)


def result_of(book: Book, looked: Looked, bucket: Bucket) -> ToolResult:
    """Write the result of one look-through."""
    before, after = looked.before, looked.after
    stated = looked.stated
    result = {
        "formula": FORMULA,
        "dimension": looked.dimension.value,
        "taxonomy": taxonomy_of(looked.dimension, looked.inputs),
        "denominator": "percent of portfolio weight",
        "weights_sum_pct": {
            "before": shown(before.lines.sum_pct),
            "after": shown(after.lines.sum_pct),
        },
        "change": looked.weights.change.shown(),
        "stated": stated.value,
        **_figures(names_of(looked, [bucket])[bucket], looked, bucket),
        "rows": _rows(looked),
        "levels": {
            "lines": "fund level: the lines as they stand",
            "level": f"look-through by {looked.dimension.value.replace('_', ' ')}",
        },
        "lines": {"before": _lines(before.lines), "after": _lines(after.lines)},
        "level": {"before": level_of(before, stated), "after": level_of(after, stated)},
        "level_bounds": {
            "before": level_bounds_of(before, stated),
            "after": level_bounds_of(after, stated),
        },
        "long_short": {"before": _long_short(before), "after": _long_short(after)},
        "coverage": looked.coverage.shown(),
        "bounds": {
            "before_pct": _bounds(before.bounds(bucket), bucket, stated),
            "after_pct": _bounds(after.bounds(bucket), bucket, stated),
        },
        "contributions": _contributions(looked, bucket),
        "rows_of_bucket": rows_of_bucket(looked, bucket),
        "inputs": shown_inputs(book, looked.inputs),
        "notes": notes_of(looked),
        "does_not_show": _DOES_NOT_SHOW,
    }
    return ToolResult(shown=result, used=frozenset(each.source_id for each in looked.inputs))


def names_of(looked: Looked, buckets: Iterable[Bucket]) -> dict[Bucket, str]:
    """Return a name for each of these buckets; where two have one name, their codes tell them apart."""
    wanted = list(buckets)
    labels = {bucket.label for bucket in wanted}
    before, after = looked.before.buckets, looked.after.buckets
    times = Counter(bucket.label for bucket in after if bucket.label in labels)
    times.update(each.label for each in before if each.label in labels and each not in after)
    return {
        bucket: bucket.label if times[bucket.label] == 1 else f"{bucket.label} ({bucket.key})"
        for bucket in wanted
    }


def largest(looked: Looked, most: int, *, known: bool = False) -> list[Bucket]:
    """Return the buckets with most weight after the change, at most so many; with `known` only those."""
    after = {
        bucket: weight
        for bucket, weight in looked.after.buckets.items()
        if (weight or looked.before.buckets.get(bucket)) and (bucket.known or not known)
    }
    if len(after) > most:
        least = nlargest(most, after.values())[-1]
        after = {bucket: weight for bucket, weight in after.items() if weight >= least}
    return sorted(after, key=lambda each: (-after[each], each.label, each.key))[:most]


def _figures(name: str, looked: Looked, bucket: Bucket) -> dict[str, Any]:
    """Return the figures of one bucket in the form its coverage allows.

    The change is rounded from the exact weights, not taken between two rounded ones.  How much is not
    known is itself known: its figures are points.
    """
    before = looked.before.buckets.get(bucket, _ZERO)
    after = looked.after.buckets.get(bucket, _ZERO)
    stated = looked.stated if bucket.known else Stated.POINT
    change = after - before, after - before
    if not stated.as_point:
        change = change_bounds(bucket, looked.weights.both(), looked.exposures)
    return {
        "bucket": name,
        "before_pct": as_stated(before, looked.before.bounds(bucket), stated),
        "after_pct": as_stated(after, looked.after.bounds(bucket), stated),
        "change_points": as_stated(after - before, change, stated),
        **bounds_beside(looked, bucket, stated),
    }


def bounds_beside(looked: Looked, bucket: Bucket, stated: Stated) -> Bounds:
    """Return the bounds of a bucket where they stand beside its point."""
    if stated is not Stated.POINT_AND_BOUNDS:
        return {}
    return {
        "bounds": {
            "before_pct": shown_interval(looked.before.bounds(bucket)),
            "after_pct": shown_interval(looked.after.bounds(bucket)),
        }
    }


def _rows(looked: Looked) -> list[dict[str, Any]]:
    """Return the figures of the largest buckets; none that cannot be stated."""
    first = largest(looked, _TOP)
    names = names_of(looked, first)
    rows = [
        _figures(names[bucket], looked, bucket)
        for bucket in first
        if not (bucket.known and looked.stated is Stated.CANNOT)
    ]
    return rows + _rest(looked, first)


def _rest(looked: Looked, first: Sequence[Bucket]) -> list[dict[str, Any]]:
    """Return one row for all other buckets, where there are any."""
    before, after = looked.before, looked.after
    count = sum(1 for each, weight in after.buckets.items() if weight or before.buckets.get(each))
    if count <= len(first) or looked.stated is Stated.CANNOT:
        return []
    label = {"bucket": f"(other {count - len(first)} {_MANY[looked.dimension]})"}
    if not looked.stated.as_point:
        return [
            label | dict.fromkeys(("before_pct", "after_pct", "change_points"), CANNOT_BE_STATED)
        ]
    rest = [
        side.net_pct - sum((side.buckets.get(each, _ZERO) for each in first), _ZERO)
        for side in (before, after)
    ]
    return [
        label
        | {
            "before_pct": shown(rest[0]),
            "after_pct": shown(rest[1]),
            "change_points": shown(rest[1] - rest[0]),
        }
    ]


def _lines(lines: Concentration) -> dict[str, Any]:
    return {
        "count": lines.count,
        "hhi": shown(lines.hhi, 5),
        "effective_n": shown(lines.effective_n),
    }


def level_of(one: Side, stated: Stated) -> dict[str, str]:
    """Write the concentration of the buckets in the form its coverage allows."""
    low, high = one.level_hhi_bounds
    top_ten = shown(one.level.top_ten_pct) if stated.as_point else CANNOT_BE_STATED
    return {
        "hhi": as_stated(one.level.hhi, (low, high), stated, 6),
        "effective_n": as_stated(one.level.effective_n, (inverse(high), inverse(low)), stated),
        "top_ten_pct": top_ten,
    }


def level_bounds_of(one: Side, stated: Stated) -> dict[str, list[str]]:
    """Write the bounds of the concentration of the buckets, none where it cannot be stated."""
    if stated is Stated.CANNOT:
        return {"hhi": [], "effective_n": []}
    low, high = one.level_hhi_bounds
    return {
        "hhi": shown_interval((low, high), 6),
        "effective_n": [shown(inverse(high)), shown(inverse(low)) if low else "no bound"],
    }


def _long_short(one: Side) -> dict[str, str]:
    return {
        "long_pct": shown(one.long_pct),
        "short_pct": shown(one.short_pct),
        "gross_pct": shown(one.gross_pct),
        "net_pct": shown(one.net_pct),
    }


def _bounds(interval: Interval, bucket: Bucket, stated: Stated) -> list[str]:
    if bucket.known and stated is Stated.CANNOT:
        return []
    return shown_interval(interval)


def _contributions(looked: Looked, bucket: Bucket) -> list[dict[str, str]]:
    """Write what each line adds to a bucket: weight × share / 100, the largest after the change first."""
    found = []
    pairs = zip(looked.weights.funds, looked.exposures, looked.weights.both(), strict=True)
    for fund, exposure, (before, after) in pairs:
        share = exposure.shares.get(bucket, _ZERO)
        if share and (before or after):
            found.append((fund, share, before, after))
    found.sort(key=lambda each: -abs(each[1] * each[3]))
    return [
        {
            "line": str(fund.line.number) if fund.line else "",
            "name": fund.name,
            "holdings": fund.source.handle if fund.source else "",
            "share_pct": shown(share),
            "weight_before_pct": shown(before),
            "weight_after_pct": shown(after),
            "before_pct": shown(before * share / 100),
            "after_pct": shown(after * share / 100),
        }
        for fund, share, before, after in found[:_TOP]
    ]
