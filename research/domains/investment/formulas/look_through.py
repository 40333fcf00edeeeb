"""Look through the funds of a portfolio, before and after a change of its weights.

For each bucket: the weight of each line times the bucket's share of that line, added up.  Weights
are percent of the portfolio as its file states them; nothing is renormalised, so that what the
files do not cover is a bucket of its own and widens the bounds.

Source: design.md D16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from research.domains.investment.formulas.concentration import Concentration, concentration
from research.domains.investment.formulas.exposure import WHOLE, Bucket, Exposure

FORMULA: Final = "look_through/1"
Interval = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Side:
    """The portfolio on one side of the change.

    Shape:
        buckets: bucket → percent of portfolio weight
        lines: concentration of the lines with a weight
        level: concentration of the buckets
        unknown: the weights whose bucket is not known, added up by sign: (negative, positive)
    """

    buckets: Mapping[Bucket, Decimal]
    lines: Concentration
    level: Concentration
    unknown: Interval

    def bounds(self, bucket: Bucket) -> Interval:
        """Return how low and how high the bucket may be, given what is not known."""
        weight = self.buckets.get(bucket, Decimal(0))
        if not bucket.known:
            return min(weight, Decimal(0)), max(weight, Decimal(0))
        return weight + self.unknown[0], weight + self.unknown[1]


def side(weights: Sequence[Decimal], exposures: Sequence[Exposure]) -> Side:
    """Add up the lines; `weights` may be shorter than `exposures` by a fund not held yet."""
    buckets: defaultdict[Bucket, Decimal] = defaultdict(Decimal)
    negative = positive = Decimal(0)
    for weight, exposure in zip(weights, exposures, strict=False):
        for bucket, share in exposure.shares.items():
            part = weight * share / WHOLE
            buckets[bucket] += part
            if not bucket.known:
                negative += min(part, Decimal(0))
                positive += max(part, Decimal(0))
    return Side(
        buckets=buckets,
        lines=concentration(weight for weight in weights if weight),
        level=concentration(weight for weight in buckets.values() if weight),
        unknown=(negative, positive),
    )


def focus(before: Side, after: Side) -> Bucket | None:
    """Return the known bucket whose weight rises most, the largest one where none rises."""
    known = [bucket for bucket in after.buckets if bucket.known]
    if not known:
        return None
    zero = Decimal(0)

    def rise(bucket: Bucket) -> tuple[Decimal, Decimal]:
        weight = after.buckets[bucket]
        return max(weight - before.buckets.get(bucket, zero), zero), weight

    return max(known, key=rise)
