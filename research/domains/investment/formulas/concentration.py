"""Concentration of a set of weights.

Source: O. C. Herfindahl (1950): the sum of the squared shares; its inverse is the number of equal
shares that would be as concentrated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from heapq import nlargest
from typing import Final

from research.domains.investment.formulas.figures import shown

FORMULA: Final = "concentration/1"
_LARGEST: Final = 10
_PERCENT_SQUARED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Concentration:
    """How concentrated weights are; each figure exact, rounded only where it is shown.

    Units:
        hhi: sum of squared shares of 1, taken over the weights as they are
        effective_n: 1 / hhi
        top_ten_pct: percent
    """

    count: int
    hhi: Decimal
    effective_n: Decimal
    top_ten_pct: Decimal

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
    hhi = sum((weight * weight for weight in weights), Decimal(0)) / _PERCENT_SQUARED
    return Concentration(
        count=len(weights),
        hhi=hhi,
        effective_n=1 / hhi if hhi else Decimal(0),
        top_ten_pct=sum(nlargest(_LARGEST, weights), Decimal(0)),
    )
