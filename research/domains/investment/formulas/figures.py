"""How figures are written: decimal text, rounded half up at the last moment, never a float."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from research.domains.investment.formulas.gates import Stated

Interval = tuple[Decimal, Decimal]
CANNOT_BE_STATED: Final = "cannot be stated"


def shown(value: Decimal, decimals: int = 2) -> str:
    """Write a figure with this many decimals; a rounded zero has no sign."""
    rounded = value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"


def shown_interval(interval: Interval, decimals: int = 2) -> list[str]:
    """Write both ends of an interval."""
    return [shown(interval[0], decimals), shown(interval[1], decimals)]


def as_stated(value: Decimal, bounds: Interval, stated: Stated, decimals: int = 2) -> str:
    """Write a figure in the form its coverage allows: a point, its bounds, or that it cannot be stated."""
    if stated.as_point:
        return shown(value, decimals)
    if stated is Stated.CANNOT:
        return CANNOT_BE_STATED
    return " to ".join(shown_interval(bounds, decimals))
