"""Amounts of money: quotes in a hundredth of a currency, and how many decimals a currency has.

    1 GBX = 0.01 GBP, and so on: an amount in pence is a hundred times as large as it looks.

Source: ISO 4217 (codes and minor units); GBX, GBp, ZAc, ILA, USX are quote units of exchanges, no ISO codes.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final, NamedTuple

# Upper and lower case differ here: GBp is pence, GBP is pounds.
_HUNDREDTHS: Final = {
    "GBX": "GBP", "GBp": "GBP", "GBPX": "GBP", "GBPENCE": "GBP", "p": "GBP",
    "ZAC": "ZAR", "ZAc": "ZAR", "ZAX": "ZAR",
    "ILA": "ILS", "ILs": "ILS", "ILX": "ILS",
    "USX": "USD", "USc": "USD",
    "EUX": "EUR", "EUc": "EUR",
}  # fmt: skip
_DECIMALS: Final = {
    **dict.fromkeys(("CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
_USUAL_DECIMALS: Final = 2
_CODE_LENGTH: Final = 3


class Money(NamedTuple):
    """An amount in whole units of a currency; "" where no currency is stated."""

    amount: Decimal
    currency: str


def money(amount: Decimal, unit: str) -> Money:
    """Return an amount in whole units of its currency, whatever unit it is quoted in."""
    unit = unit.strip()
    if unit in _HUNDREDTHS:
        return Money(amount / 100, _HUNDREDTHS[unit])
    return Money(amount, unit.upper())


def known_unit(unit: str) -> bool:
    """Whether the text may be a unit of money: a quote unit, or three letters as in ISO 4217."""
    unit = unit.strip()
    return unit in _HUNDREDTHS or (len(unit) == _CODE_LENGTH and unit.isascii() and unit.isalpha())


def decimals(currency: str) -> int:
    """Return how many decimals amounts of a currency have."""
    return _DECIMALS.get(currency, _USUAL_DECIMALS)


def shown_money(amount: Decimal, currency: str) -> str:
    """Write an amount to the minor unit of its currency, rounded half up."""
    step = Decimal(1).scaleb(-decimals(currency))
    return f"{amount.quantize(step, rounding=ROUND_HALF_UP):f}"
