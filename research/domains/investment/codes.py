"""Identity of securities: codes are text, ISIN comes before ticker, names come last.

Source: ISO 6166 (ISIN), CUSIP Global Services (CUSIP), London Stock Exchange (SEDOL), OMG FIGI 1.0 (FIGI),
design.md D16.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_ISIN: Final = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
_CUSIP: Final = re.compile(r"[0-9A-Z*@#]{8}[0-9]")
_SEDOL: Final = re.compile(r"[0-9BCDFGHJKLMNPQRSTVWXYZ]{6}[0-9]")
_FIGI: Final = re.compile(
    r"(?!BS|BM|GG|GB|GH|KY|VG)[BCDFGHJKLMNPQRSTVWXYZ]{2}G[0-9BCDFGHJKLMNPQRSTVWXYZ]{8}[0-9]"
)
_NOTHING: Final = frozenset(
    {
        *(
            "",
            "-",
            "--",
            "—",
            "–",
            "n/a",
            "#n/a",
            "na",
            "n.a.",
            "none",
            "null",
            "nan",
            "unassigned",
        ),
        *("not stated", "not applicable", "not available", "k.a.", "n.d.", "无", "不适用"),
    }
)
_FUND_WORDS: Final = re.compile(
    r"\b(ETFS?|ETCS?|ETNS?|UCITS|SICAV|OEIC|FCP|OPCVM|OICR|(MUTUAL |INDEX )?FUNDS?"
    r"|\w*FONDS|FOND[OI]S?)\b|基金",
    re.IGNORECASE,
)
_NOT_ALPHANUMERIC: Final = re.compile(r"[^0-9A-Z]")
_EXCHANGE: Final = re.compile(r"(?<=\w)\s+[A-Z]{2}(\s+(EQUITY|CORP|INDEX|COMDTY))?$")
_WITH_CUSIP: Final = frozenset({"US", "CA"})


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


def cusip_of_isin(isin: str) -> str:
    """Return the CUSIP within an ISIN of the United States or Canada, else ""."""
    return isin[2:11] if isin[:2] in _WITH_CUSIP and isin_shaped(isin) else ""


def sedol_valid(code: str) -> bool:
    """Whether the text is a SEDOL whose check digit is right."""
    if _SEDOL.fullmatch(code.upper()) is None:
        return False
    total = sum(
        int(sign, 36) * weight for sign, weight in zip(code, (1, 3, 1, 7, 3, 9, 1), strict=True)
    )
    return total % 10 == 0


def figi_valid(code: str) -> bool:
    """Whether the text is a FIGI whose check digit is right."""
    if _FIGI.fullmatch(code.upper()) is None:
        return False
    total = 0
    for place, sign in enumerate(code.upper()[:11]):
        total += sum(divmod(int(sign, 36) * (2 if place % 2 else 1), 10))
    return (10 - total % 10) % 10 == int(code[11])


@lru_cache(maxsize=65_536)
def ticker_key(ticker: str) -> str:
    """Return a ticker as it is compared: `BRK.B`, `BRK/B` and `brkb ` are one, `SPYY GY` is `SPYY`."""
    return _NOT_ALPHANUMERIC.sub("", _EXCHANGE.sub("", ticker.strip().upper()))


def name_key(name: str) -> str:
    """Return a name as it is compared: case and runs of white space aside."""
    return " ".join(name.casefold().split())


def fund_like(*texts: str) -> bool:
    """Whether a name or an asset class says that the thing is itself a fund."""
    return any(_FUND_WORDS.search(text) for text in texts)
