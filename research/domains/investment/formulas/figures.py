"""How figures are written: decimal text, rounded half up at the last moment, never a float."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def shown(value: Decimal, decimals: int = 2) -> str:
    """Write a figure with this many decimals; a rounded zero has no sign."""
    rounded = value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"
