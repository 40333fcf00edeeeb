"""How much two funds hold of the same securities.

    overlap = Σ over securities in both: the smaller of the two weights

Cash and derivatives are left out, and so is the short side; what neither file lists, and funds in them
that are not looked through, may be anything, and raises the upper bound.

    lower bound = the overlap of what is listed
    upper bound = the overlap + what is not known of either fund, at most the smaller long side

Percent of each fund's weight as its file states it; nothing is renormalised.

Source: design.md D16; the overlap by smaller weights is 1 - ½ Σ |aᵢ - bᵢ| where both sums are 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from research.domains.investment.formulas.buckets import CLASS_BUCKET, Bucket
from research.domains.investment.formulas.exposure import Exposure
from research.domains.investment.formulas.figures import Interval

FORMULA: Final = "overlap/1"
_ZERO: Final = Decimal(0)
_BY_NAME: Final = "name:"


@dataclass(frozen=True, slots=True)
class Shared:
    """One security that both hold, in percent of each."""

    bucket: Bucket
    first_pct: Decimal
    second_pct: Decimal

    @property
    def smaller_pct(self) -> Decimal:
        """What it adds to the overlap."""
        return min(self.first_pct, self.second_pct)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two funds share.

    Shape:
        shared: securities held long by both, what adds most first
        by_name_pct: the part of the overlap that was matched by name alone

    Units:
        overlap_pct, bounds: percent of each fund
        first_in_shared_pct, second_in_shared_pct: percent of that fund which lies in shared securities
    """

    shared: tuple[Shared, ...]
    overlap_pct: Decimal
    bounds: Interval
    first_in_shared_pct: Decimal
    second_in_shared_pct: Decimal
    by_name_pct: Decimal


def overlap(first: Exposure, second: Exposure) -> Overlap:
    """Compute the overlap of two funds; both exposures are by security."""
    one, other = _long_positions(first), _long_positions(second)
    shared = sorted(
        (Shared(one[key][0], one[key][1], other[key][1]) for key in one.keys() & other.keys()),
        key=lambda each: (-each.smaller_pct, each.bucket.key),
    )
    total = sum((each.smaller_pct for each in shared), _ZERO)
    unknown = first.unknown[1] + second.unknown[1]
    sides = [
        sum((weight for _, weight in listed.values()), _ZERO) + exposure.unknown[1]
        for listed, exposure in ((one, first), (other, second))
    ]
    return Overlap(
        shared=tuple(shared),
        overlap_pct=total,
        bounds=(total, max(total, min(total + unknown, *sides))),
        first_in_shared_pct=sum((each.first_pct for each in shared), _ZERO),
        second_in_shared_pct=sum((each.second_pct for each in shared), _ZERO),
        by_name_pct=sum(
            (each.smaller_pct for each in shared if each.bucket.key.startswith(_BY_NAME)), _ZERO
        ),
    )


def _long_positions(exposure: Exposure) -> dict[str, tuple[Bucket, Decimal]]:
    """Return key → bucket and long weight of the securities whose identity is known."""
    found = {}
    for bucket, share in exposure.shares.items():
        long = share - exposure.shorts.get(bucket, _ZERO)
        if bucket.known and long > 0 and bucket.key.partition(":")[0] not in CLASS_BUCKET:
            found[bucket.key] = bucket, long  # two files may write its name differently
    return found
