"""How much of the portfolio the files cover: three figures, each in percent of portfolio weight.

Where a change is looked at, each figure is the lower of before and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from research.domains.investment.dates import NOT_STATED
from research.domains.investment.formulas.exposure import WHOLE, Exposure
from research.domains.investment.formulas.look_through import Side

FRESH_DAYS: Final = 92  # a quarter: what most issuers are obliged to publish within


@dataclass(frozen=True, slots=True)
class Coverage:
    """Three shares of the portfolio's weight, in percent."""

    looked_through_pct: Decimal  # held directly, or in a fund whose holdings are listed
    classified_pct: Decimal  # with a known bucket in this dimension
    fresh_pct: Decimal  # from files dated within a quarter of the portfolio's date

    def lower(self, other: Coverage) -> Coverage:
        """Return the lower figure of each kind."""
        return Coverage(
            min(self.looked_through_pct, other.looked_through_pct),
            min(self.classified_pct, other.classified_pct),
            min(self.fresh_pct, other.fresh_pct),
        )


def coverage(
    one: Side,
    weights: Sequence[Decimal],
    exposures: Sequence[Exposure],
    dates: Sequence[str],
    newest: str,
) -> Coverage:
    """Compute the coverage of one side of a change.

    Args:
        one: the side these weights make up.
        weights: percent, of each line.
        exposures: what each line is made of.
        dates: as-of date of each line's data, or "not stated".
        newest: the latest date of all inputs; "" if none states one.
    """
    total = sum(map(abs, weights), Decimal(0)) or WHOLE
    seen = fresh = Decimal(0)
    for weight, exposure, dated in zip(weights, exposures, dates, strict=False):
        seen += abs(weight) * min(exposure.seen_pct, WHOLE) / WHOLE
        fresh += abs(weight) if _fresh(dated, newest) else 0
    unknown = one.unknown[1] - one.unknown[0]
    return Coverage(
        looked_through_pct=seen / total * WHOLE,
        classified_pct=max(WHOLE - unknown / total * WHOLE, Decimal(0)),
        fresh_pct=fresh / total * WHOLE,
    )


def _fresh(dated: str, newest: str) -> bool:
    if dated == NOT_STATED or not newest:
        return False
    return (date.fromisoformat(newest) - date.fromisoformat(dated)).days <= FRESH_DAYS
