"""How much of the weight the files cover: three figures, each in percent of that weight.

    looked through = Σ |weight| × part of it that is held directly or whose holdings are listed
    classified     = 100 - Σ |weight whose bucket is not known|
    fresh          = Σ |weight| × part of it that rests on files dated within a quarter of the newest input

Where a change is looked at, each figure is the lower of before and after.

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from research.domains.investment.formulas.exposure import WHOLE, Exposure
from research.domains.investment.formulas.figures import shown
from research.domains.investment.formulas.look_through import Side
from research.reading.dates import NOT_STATED

FRESH_DAYS: Final = 92  # a quarter: what most issuers are obliged to publish within


@dataclass(frozen=True, slots=True)
class Coverage:
    """Three shares of the weight, in percent; `classified_pct` decides what may be stated."""

    looked_through_pct: Decimal  # held directly, or in a fund whose holdings are listed
    classified_pct: Decimal  # with a known bucket in this dimension
    fresh_pct: Decimal  # from files dated within a quarter of the newest one

    def lower(self, other: Coverage) -> Coverage:
        """Return the lower figure of each kind."""
        return Coverage(
            min(self.looked_through_pct, other.looked_through_pct),
            min(self.classified_pct, other.classified_pct),
            min(self.fresh_pct, other.fresh_pct),
        )

    def shown(self) -> dict[str, str]:
        """Return the three figures as text."""
        return {
            "looked_through_pct": shown(self.looked_through_pct),
            "classified_pct": shown(self.classified_pct),
            "fresh_pct": shown(self.fresh_pct),
        }


def coverage(
    one: Side, weights: Sequence[Decimal], exposures: Sequence[Exposure], newest: str
) -> Coverage:
    """Compute the coverage of one side of a change.

    Args:
        one: the side these weights make up.
        weights: percent, of each line.
        exposures: what each line is made of.
        newest: the latest date of all inputs; "" if none states one.
    """
    total = sum(map(abs, weights), Decimal(0)) or WHOLE
    seen = fresh = Decimal(0)
    for weight, exposure in zip(weights, exposures, strict=False):
        seen += abs(weight) * min(exposure.seen_pct, WHOLE) / WHOLE
        fresh += abs(weight) * fresh_pct(exposure, newest) / WHOLE
    unknown = one.unknown[1] - one.unknown[0]
    return Coverage(
        looked_through_pct=seen / total * WHOLE,
        classified_pct=max(WHOLE - unknown / total * WHOLE, Decimal(0)),
        fresh_pct=fresh / total * WHOLE,
    )


def fresh_pct(exposure: Exposure, newest: str) -> Decimal:
    """Return the percent of a line that rests on fresh files."""
    total = sum(exposure.dated.values(), Decimal(0)) or WHOLE
    fresh = sum(
        (pct for dated, pct in exposure.dated.items() if _fresh(dated, newest)), Decimal(0)
    )
    return fresh / total * WHOLE


def newest_of(dates: Sequence[str]) -> str:
    """Return the latest of the dates that are stated, else ""."""
    return max((each for each in dates if each != NOT_STATED), default="")


def _fresh(dated: str, newest: str) -> bool:
    if dated == NOT_STATED or not newest:
        return False
    return (date.fromisoformat(newest) - date.fromisoformat(dated)).days <= FRESH_DAYS
