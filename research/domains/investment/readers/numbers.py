"""Numbers as files write them, read exactly: Decimal, never float.

A column has one decimal sign.  In a column of percent weights a group of three digits after a
comma or a point is never a group of thousands, because no weight reaches one thousand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

WEIGHT_LIMIT: Final = Decimal(1000)  # percent, either sign
WEIGHT_DIGITS: Final = 20  # products of two of them stay near the 28 digits of the context
_PLAIN: Final = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]{0,24})?|\.[0-9]{1,24})([eE][+-]?0?[0-9])?")
_DIGIT: Final = re.compile(r"[0-9]")
_SPACES: Final = re.compile(r"[\s'\u2019]")
_GROUPED: Final = re.compile(r"[+-]?[0-9]{1,3}([.,])[0-9]{3}(\1[0-9]{3})*")
_MONEY: Final = re.compile(r"[$€£¥￥]|^[A-Z]{3}(?=\s?[-+(0-9])|(?<=[0-9)])\s?[A-Z]{3}$")
_CURRENCIES: Final = {"€": "EUR", "£": "GBP"}  # the other signs are of several currencies


def looks_numeric(cell: str) -> bool:
    """Whether a cell is a number in any notation, as opposed to a word."""
    body = _bare(cell).replace(",", "").replace(".", "")
    return _PLAIN.fullmatch(body.removesuffix("%")) is not None


def decimal_sign(cells: Iterable[tuple[int, str]]) -> tuple[str, tuple[int, int] | None]:
    """Return the decimal sign of a column, and the two rows that contradict each other, if any."""
    first: dict[str, int] = {}
    for row, cell in cells:
        at = max(cell.rfind(","), cell.rfind("."))
        if at >= 0 and _DIGIT.search(cell):
            first.setdefault(cell[at], row)
    if len(first) > 1:
        return ".", (first["."], first[","])
    return next(iter(first), "."), None


def amount_sign(cells: Iterable[tuple[int, str]]) -> tuple[str, tuple[int, int] | None]:
    """Return the decimal sign of a column of amounts, where 15,000 is fifteen thousand.

    A cell that can be read in two ways says nothing beside one that can be read in one way only.
    """
    sure: list[tuple[int, str]] = []
    grouped: list[tuple[int, str]] = []
    for row, cell in cells:
        (grouped if _GROUPED.fullmatch(_bare(cell)) else sure).append((row, cell))
    if not grouped or any("," in cell or "." in cell for _, cell in sure):
        return decimal_sign(sure)
    sign, clash = decimal_sign(grouped)
    several = any(cell.count(sign) > 1 for _, cell in grouped)
    return (
        (("." if sign == "," else ","), None)
        if not clash and (several or sign == ",")
        else (sign, clash)
    )


def money_of(cell: str) -> str:
    """Return the currency that an amount states beside its digits: its code, or a sign such as `$`."""
    sign = _MONEY.search(cell)
    return _CURRENCIES.get(sign[0], sign[0].strip()) if sign else ""


def weight(cell: str, sign: str) -> Decimal | None:
    """Return a weight as the cell states it, or None where it is no plain number."""
    value = None if _MONEY.search(cell) else amount(cell.removesuffix("%"), sign)
    if value is None or abs(value) > WEIGHT_LIMIT:
        return None
    return value if len(value.as_tuple().digits) <= WEIGHT_DIGITS else None


def amount(cell: str, sign: str) -> Decimal | None:
    """Return an amount: groups of thousands and a sign of money taken out, brackets read as minus."""
    body = _bare(cell)
    groups = "." if sign == "," else ","
    body = body.replace(groups, "").replace(sign, ".")
    if not _PLAIN.fullmatch(body):
        return None
    return Decimal(body)


def text(value: Decimal) -> str:
    """Write a Decimal without an exponent, with the digits it has."""
    return format(value, "f")


def _bare(cell: str) -> str:
    body = _SPACES.sub("", _MONEY.sub("", cell)).replace("\u2212", "-")
    if body.startswith("(") and body.endswith(")"):
        return "-" + body[1:-1]
    return body
