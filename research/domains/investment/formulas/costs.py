"""What the funds of a portfolio cost a year, by their stated expense ratios.

    weighted cost = Σ weight × expense ratio / 100
    cost in money = amount × weighted cost / 100, rounded half up to the minor unit of its currency

A line whose ratio is not stated adds nothing, so that the figure is then a lower bound without an upper
one; nothing is renormalised to the lines with a ratio.  Cash, shares and bonds held directly have none: 0.

Source: design.md D16; "ongoing charges" as in UCITS (Commission Regulation 583/2010, annex II).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

FORMULA: Final = "fund_costs/1"
_WHOLE: Final = Decimal(100)


@dataclass(frozen=True, slots=True)
class Cost:
    """The weighted cost of one side of a change.

    Units:
        cost_pct: percent of the portfolio a year, of the lines with a ratio
        stated_pct: percent of portfolio weight with a ratio, signs aside
    """

    cost_pct: Decimal
    stated_pct: Decimal

    @property
    def complete(self) -> bool:
        """Whether every line with a weight has a ratio."""
        return self.stated_pct == _WHOLE


def weighted_cost(weights_pct: Sequence[Decimal], ratios_pct: Sequence[Decimal | None]) -> Cost:
    """Add up weight × ratio; None is a ratio that nobody states.

    Units:
        weights_pct: percent of the portfolio
        ratios_pct: percent a year
    """
    cost = stated = Decimal(0)
    total = sum(map(abs, weights_pct), Decimal(0)) or _WHOLE
    for weight, ratio in zip(weights_pct, ratios_pct, strict=False):
        if ratio is not None:
            cost += weight * ratio / _WHOLE
            stated += abs(weight)
    return Cost(cost_pct=cost, stated_pct=stated / total * _WHOLE)


def in_money(amount: Decimal, cost_pct: Decimal) -> Decimal:
    """Return what the cost is of an amount, not rounded."""
    return amount * cost_pct / _WHOLE
