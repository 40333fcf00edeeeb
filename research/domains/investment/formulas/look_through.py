"""Look through the funds of a portfolio, before and after a change of its weights.

    exposure to a bucket = Σ over lines: weight of the line × share of the bucket in it / 100
    long = Σ of what is above 0, short = Σ of what is below 0, net = long + short, gross = long - short

Weights are percent of the portfolio as its file states them; nothing is renormalised, so that what the
files do not cover is a bucket of its own and widens the bounds.  Derivatives count with the weight their
file states, not with their notional.

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from research.domains.investment.formulas.buckets import Bucket
from research.domains.investment.formulas.concentration import (
    Concentration,
    concentration,
    hhi_bounds,
)
from research.domains.investment.formulas.exposure import WHOLE, Exposure
from research.domains.investment.formulas.figures import Interval

FORMULA: Final = "look_through/2"
_ZERO: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Side:
    """The portfolio on one side of the change.

    Shape:
        buckets: bucket → percent of portfolio weight, net
        lines: concentration of the lines with a weight
        level: concentration of the buckets, those that are not known among them
        level_hhi_bounds: how low and high the HHI of the buckets may be
        unknown: the weights whose bucket is not known, added up by sign: (negative, positive)
    """

    buckets: Mapping[Bucket, Decimal]
    lines: Concentration
    level: Concentration
    level_hhi_bounds: Interval
    unknown: Interval
    long_pct: Decimal
    short_pct: Decimal

    @property
    def net_pct(self) -> Decimal:
        """Long and short added up."""
        return self.long_pct + self.short_pct

    @property
    def gross_pct(self) -> Decimal:
        """Long and short added up, signs aside."""
        return self.long_pct - self.short_pct

    def bounds(self, bucket: Bucket) -> Interval:
        """Return how low and how high the bucket may be, given what is not known."""
        weight = self.buckets.get(bucket, _ZERO)
        if not bucket.known:
            return min(weight, _ZERO), max(weight, _ZERO)
        return weight + self.unknown[0], weight + self.unknown[1]


def side(weights: Sequence[Decimal], exposures: Sequence[Exposure]) -> Side:
    """Add up the lines; `weights` may be shorter than `exposures` by a fund not held yet."""
    buckets: dict[Bucket, Decimal] = {}
    negative = positive = short = _ZERO
    for weight, exposure in zip(weights, exposures, strict=False):
        factor = weight / WHOLE
        for bucket, share in exposure.shares.items():
            held = buckets.get(bucket)
            buckets[bucket] = factor * share if held is None else held + factor * share
        long, shorts = exposure.long_short
        short += factor * (shorts if weight > 0 else long)
        low, high = _scaled(exposure.unknown, factor)
        negative, positive = negative + low, positive + high
    level = concentration(weight for weight in buckets.values() if weight)
    bounds = level.hhi, level.hhi
    if negative or positive:
        known = [weight for bucket, weight in buckets.items() if bucket.known]
        bounds = hhi_bounds(known, (negative, positive))
    return Side(
        buckets=buckets,
        lines=concentration(weight for weight in weights if weight),
        level=level,
        level_hhi_bounds=bounds,
        unknown=(negative, positive),
        long_pct=level.sum_pct - short,
        short_pct=short,
    )


def change_bounds(
    bucket: Bucket, weights: Sequence[tuple[Decimal, Decimal]], exposures: Sequence[Exposure]
) -> Interval:
    """Return how little and how much a bucket may change.

    What is not known of a fund is the same before and after, so that only changed weights widen the bounds.

    Args:
        bucket: what is asked about.
        weights: percent before and after of each fund, 0 where it is not held.
        exposures: what each fund is made of.
    """
    low = high = _ZERO
    for (before, after), exposure in zip(weights, exposures, strict=True):
        factor = (after - before) / WHOLE
        change = factor * exposure.shares.get(bucket, _ZERO)
        unknown = _scaled(exposure.unknown, factor) if bucket.known else (_ZERO, _ZERO)
        low, high = low + change + unknown[0], high + change + unknown[1]
    return low, high


def _scaled(interval: Interval, factor: Decimal) -> Interval:
    """Multiply an interval; a factor below 0 turns it round."""
    ends = interval[0] * factor, interval[1] * factor
    return ends if factor >= 0 else (ends[1], ends[0])


def focus(before: Side, after: Side) -> Bucket | None:
    """Return the known bucket whose weight rises most, the largest one where none rises."""
    best: Bucket | None = None
    most = _ZERO, _ZERO
    for bucket, weight in after.buckets.items():
        if not bucket.known:
            continue
        risen = max(weight - before.buckets.get(bucket, _ZERO), _ZERO)
        if best is None or (risen, weight) > most:
            best, most = bucket, (risen, weight)
    return best
