"""Concentration of a set of weights.

    HHI = Σ (wᵢ / 100)²        effective number = 1 / HHI        top ten = the ten largest wᵢ added up

Weights are percent, taken as they are: they are not renormalised, whatever their sum.

Source: O. C. Herfindahl (1950): the sum of the squared shares; its inverse is the number of equal
shares that would be as concentrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from heapq import nlargest
from typing import Final

from research.domains.investment.formulas.figures import Interval, shown

FORMULA: Final = "concentration/2"
_LARGEST: Final = 10
_PERCENT_SQUARED: Final = 10_000
_ZERO: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Concentration:
    """How concentrated weights are; each figure exact, rounded only where it is shown.

    Units:
        hhi: sum of squared shares of 1, taken over the weights as they are
        effective_n: 1 / hhi
        top_ten_pct: percent
        sum_pct: percent, what the weights add up to
    """

    count: int
    hhi: Decimal
    effective_n: Decimal
    top_ten_pct: Decimal
    sum_pct: Decimal

    def shown(self) -> dict[str, str]:
        """Return the three figures as text: six, two and two decimals."""
        return {
            "hhi": shown(self.hhi, 6),
            "effective_n": shown(self.effective_n),
            "top_ten_pct": shown(self.top_ten_pct),
        }


def concentration(weights_pct: Iterable[Decimal]) -> Concentration:
    """Compute the concentration of weights in percent, without renormalising them."""
    weights = list(weights_pct)
    hhi = sum((weight * weight for weight in weights), _ZERO) / _PERCENT_SQUARED
    return Concentration(
        count=len(weights),
        hhi=hhi,
        effective_n=inverse(hhi),
        top_ten_pct=sum(nlargest(_LARGEST, weights), _ZERO),
        sum_pct=sum(weights, _ZERO),
    )


def inverse(hhi: Decimal) -> Decimal:
    """Return the effective number of an HHI, 0 where there is no weight."""
    return 1 / hhi if hhi else _ZERO


def hhi_bounds(known_pct: Sequence[Decimal], unknown_pct: Interval) -> Interval:
    """Return how low and how high the HHI may be where some weight is not known to belong anywhere.

    Low: the unknown weight is spread so thin that it adds nothing; where weights below 0 occur, it may even
    undo known ones.  High: all of it goes to the largest known weight.

    Units:
        known_pct: percent, the weights whose place is known
        unknown_pct: percent, (negative, positive) weight whose place is not known
    """
    squares = sum((weight * weight for weight in known_pct), _ZERO)
    unknown = unknown_pct[1] - unknown_pct[0]
    largest = max(map(abs, known_pct), default=_ZERO)
    high = squares - largest * largest + (largest + unknown) ** 2
    low = squares
    if unknown_pct[0] or min(known_pct, default=_ZERO) < 0:
        low = max(squares.sqrt() - unknown, _ZERO) ** 2 if unknown else squares
    return low / _PERCENT_SQUARED, high / _PERCENT_SQUARED
