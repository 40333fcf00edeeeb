"""Weights of positions that state values and no weights.

    wᵢ = 100 × vᵢ / Σ vⱼ        values in whole units of one currency; short positions are below 0

Values in several currencies are not added up: there is no exchange rate here.

Source: design.md D16; minor units as in `money`.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domains.investment.formulas.money import Money

FORMULA: Final = "valuation/1"


class CannotValue(ValueError):
    """These values have no common sum; the message says why."""


def weights(values: Sequence[Money]) -> tuple[Decimal, ...]:
    """Return percent of the total for each value.

    Raises:
        CannotValue: several currencies, or a sum that is not above 0.
    """
    currencies = {value.currency for value in values}
    if len(currencies) > 1:
        raise CannotValue("the values are in several currencies, and no exchange rate is stated")
    total = sum((value.amount for value in values), Decimal(0))
    if total <= 0:
        raise CannotValue("the values do not add up to more than 0")
    return tuple(100 * value.amount / total for value in values)
