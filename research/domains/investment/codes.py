"""Identity of securities: codes are text, ISIN comes before ticker, names come last.

Source: ISO 6166 (ISIN check digit), CUSIP Global Services (CUSIP check digit), design.md D16.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_ISIN: Final = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
_CUSIP: Final = re.compile(r"[0-9A-Z*@#]{8}[0-9]")
_NOTHING: Final = frozenset(
    {"", "-", "--", "n/a", "na", "none", "null", "unassigned", "not stated"}
)
_FUND_WORDS: Final = re.compile(
    r"\b(ETFS?|ETCS?|ETNS?|UCITS|SICAV|OEIC|(MUTUAL |INDEX )?FUNDS?)\b", re.IGNORECASE
)
_NOT_ALPHANUMERIC: Final = re.compile(r"[^0-9A-Z]")


def stated(cell: str) -> str:
    """Return the cell, or "" where it holds a placeholder such as `-` or `Unassigned`."""
    return "" if cell.casefold() in _NOTHING else cell


@lru_cache(maxsize=65_536)
def isin_shaped(code: str) -> bool:
    """Whether the text has the form of an ISIN, its check digit aside."""
    return _ISIN.fullmatch(code.upper()) is not None


def _digits(code: str) -> list[int]:
    return [int(digit) for sign in code for digit in str(int(sign, 36))]


def isin_valid(code: str) -> bool:
    """Whether the text is an ISIN whose check digit is right."""
    if not isin_shaped(code):
        return False
    total = 0
    for place, digit in enumerate(reversed(_digits(code.upper()))):
        total += sum(divmod(digit * 2, 10)) if place % 2 else digit
    return total % 10 == 0


def cusip_valid(code: str) -> bool:
    """Whether the text is a CUSIP of nine characters whose check digit is right."""
    if _CUSIP.fullmatch(code.upper()) is None:
        return False
    signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#"
    total = 0
    for place, sign in enumerate(code.upper()[:8]):
        value = signs.index(sign) * (2 if place % 2 else 1)
        total += sum(divmod(value, 10))
    return (10 - total % 10) % 10 == int(code[8])


@lru_cache(maxsize=65_536)
def ticker_key(ticker: str) -> str:
    """Return a ticker as it is compared: `BRK.B`, `BRK/B` and `brkb ` are one."""
    return _NOT_ALPHANUMERIC.sub("", ticker.upper())


def name_key(name: str) -> str:
    """Return a name as it is compared: case and runs of white space aside."""
    return " ".join(name.casefold().split())


def fund_like(*texts: str) -> bool:
    """Whether a name or an asset class says that the thing is itself a fund."""
    return any(_FUND_WORDS.search(text) for text in texts)
