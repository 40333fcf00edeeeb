"""What the header cells of a table mean.

A header row is found by what it says: it names a column of weights and at least one column that
identifies a security, and it holds no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers.numbers import looks_numeric

_WORDS: Final = {
    "weight": (
        "weight", "weights", "weighting", "portfolio weight", "fund weight", "allocation",
        "of portfolio", "of fund", "of net assets", "net assets weight",
    ),
    "name": (
        "name", "security name", "security", "holding", "holding name", "instrument", "position",
        "description", "company", "issuer", "issuer name",
    ),
    "isin": ("isin", "isin code"),
    "ticker": ("ticker", "ticker symbol", "symbol", "holding ticker"),
    "code": (
        "isin or ticker", "isin/ticker", "isin / ticker", "ticker or isin", "ticker/isin",
        "symbol/isin", "security identifier", "identifier", "cusip", "symbol/cusip",
    ),
    "asset_class": ("asset class", "assetclass", "asset type", "class of shares", "type"),
    "sector": ("sector", "gics sector", "sector name"),
    "market_value": ("market value", "marketvalue", "value"),
    "notional": ("notional value", "notional"),
    "quantity": ("quantity", "shares", "shares/par value", "units"),
    "price": ("price",),
    "currency": ("currency", "market currency"),
    "location": ("location", "country"),
    "fund_name": ("fund name", "fund"),
    "fund_ticker": ("fund ticker",),
    "date": ("date", "as of", "as of date", "as-of date"),
}  # fmt: skip
_ROLES: Final = {word: role for role, words in _WORDS.items() for word in words}
_PERCENT: Final = re.compile(r"%|\bpct\b|\bpercent(age)?\b|\bper cent\b")
_BRACKETS: Final = re.compile(r"[\[\]()]")
_IDENTITIES: Final = frozenset({"name", "fund_name", "isin", "ticker", "code"})
_NUMBER_STARTS: Final = frozenset("0123456789+-.,(")


def _role(cell: str) -> str:
    words = _BRACKETS.sub(" ", cell.casefold().replace("_", " "))
    words = " ".join(_PERCENT.sub(" ", words).split()).removeprefix("in ").removesuffix(" in")
    return _ROLES.get(words, "")


def known(cells: Sequence[str]) -> frozenset[str]:
    """Return the roles that these cells would name as a header."""
    return frozenset(filter(None, map(_role, cells)))


def is_header(cells: Sequence[str]) -> bool:
    """Whether these cells are the header row of a table of weighted positions."""
    if any(cell[:1] in _NUMBER_STARTS and looks_numeric(cell) for cell in cells if cell):
        return False
    found = known(cells)
    return "weight" in found and bool(found & _IDENTITIES)


def roles_of(cells: Sequence[str], row: int) -> dict[str, int]:
    """Return role → index; of two columns for one role the first, but never of two weights.

    Raises:
        Unreadable: two columns of weights.
    """
    found: dict[str, int] = {}
    for at, cell in enumerate(cells):
        role = _role(cell)
        if role == "weight" and role in found:
            raise Unreadable(
                f"the header in row {row} has two columns of weights: "
                f"{cells[found[role]]!r} and {cell!r}",
                row=row,
            )
        if role:
            found.setdefault(role, at)
    if "name" not in found and "fund_name" in found:
        found["name"] = found.pop("fund_name")  # the funds are themselves the lines
    return found


def weight_unit(cell: str) -> str:
    """Return "percent" where the header of the weight column says so, else ""."""
    return "percent" if _PERCENT.search(cell.casefold().replace("_", " ")) else ""
