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
_MONEY: Final = re.compile(r"[$€£¥￥]")


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
    body = _MONEY.sub("", _SPACES.sub("", cell)).replace("\u2212", "-")
    if body.startswith("(") and body.endswith(")"):
        return "-" + body[1:-1]
    return body
