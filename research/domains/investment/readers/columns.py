"""What the header cells of a table mean.

A header row is found by what it says: it names at least one column that identifies a security and one that
says something of it (a weight, a value, a sector, a transaction), and it holds no numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from research.domain import Unreadable
from research.domains.investment.readers.header_words import PERCENT, WORDS
from research.domains.investment.readers.numbers import looks_numeric


class HeaderKind(IntEnum):
    """What a table with such a header holds; the lowest is looked for first."""

    WEIGHTS = 1  # positions with weights
    VALUES = 2  # positions with values, as a broker states them
    TRANSACTIONS = 3  # what was bought and sold: no positions
    SECTORS = 4  # securities with their sector, neither weight nor value


class Meaning(NamedTuple):
    """What one header cell means; `currency` where the header states one."""

    role: str
    currency: str = ""


def _plain(cell: str) -> str:
    words = cell.casefold()
    if not words.isascii():
        parts = unicodedata.normalize("NFKD", words)
        words = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return " ".join(_SIGNS.sub(" ", words.replace("_", " ").replace("\u2019", "'")).split())


_SIGNS: Final = re.compile(r"[\[\](){}*:\"（）：]")
_ROLES: Final = {word: role for role, words in WORDS.items() for word in words}
_PERCENT: Final = re.compile(
    "|".join(
        re.escape(word) if not word.isalpha() or not word.isascii() else rf"\b{word}\b"
        for word in PERCENT
    )
)
_FRACTION: Final = re.compile(r"\b(?:as )?(?:fraction|decimal)\b")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+(?:[/（(][\u3400-\u9fff]+[)）]?)?")
_CURRENCY: Final = re.compile(
    r"^(?P<words>.*?)[ ,/-]*(?:\b(?:in|en|em|a)\b )?\b"
    r"(?P<code>eur|usd|chf|gbp|gbx|jpy|cny|rmb|hkd|sek|nok|dkk|cad|aud|sgd|pln|czk|huf|inr|krw|twd|brl|mxn|zar|nzd)$"
)
_TWICE: Final = re.compile(r"([^()]{2,40}?)\s*\(([^()]{2,40})\)")
_AROUND: Final = re.compile(r"^(?:in|of the|the) | (?:in|of)$")
_OF_WHICH: Final = frozenset(  # a percentage of these is a weight
    {
        "mkt val",
        "market value",
        "net assets",
        "actif net",
        "marktwert",
        "valeur de marche",
        "nav",
        "aum",
    }
)
_OTHER_WEIGHT: Final = re.compile(r"\b(index|benchmark|vergleichsindex)\b", re.IGNORECASE)
_IDENTITIES: Final = frozenset(
    {"name", "fund_name", "isin", "ticker", "code", "cusip", "sedol", "figi"}
)
_CODES: Final = frozenset({"isin", "ticker", "code", "cusip", "sedol", "figi"})
_NUMBER_STARTS: Final = frozenset("0123456789+-.,($€£¥￥")
_LONGEST: Final = 80  # characters of a header cell
_CURRENCY_ROLES: Final = frozenset(
    {"market_value", "value_local", "price", "cost", "notional", "quantity"}
)


@lru_cache(maxsize=8_192)
def meaning(cell: str) -> Meaning:
    """Return what a header cell means, an empty role where it means nothing known."""
    if not cell or len(cell) > _LONGEST:
        return Meaning("")
    percent = weight_unit(cell) == "percent"
    for words in _readings(cell):
        if percent and words in _OF_WHICH:
            return Meaning("weight")
        if words in _ROLES:
            return Meaning(_ROLES[words])
        stated = _CURRENCY.match(words)
        if stated and _ROLES.get(stated["words"]) in _CURRENCY_ROLES:
            role = _ROLES[stated["words"]]
            # "Amount" alone counts shares; "Amount (EUR)" is money.
            return Meaning("market_value" if role == "quantity" else role, stated["code"].upper())
    return Meaning("")


def _readings(cell: str) -> list[str]:
    """Return the ways to read a cell: whole, its camel case parted, its Chinese and its other words."""
    whole = _plain(cell)
    ways = [whole, _bare(whole)]
    if "_" not in cell and " " not in cell and _CAMEL.search(cell):
        parted = _plain(_CAMEL.sub(" ", cell))
        ways += [parted, _bare(parted)]
    if "." in cell:
        ways += _readings(cell.rpartition(".")[2])
    twice = _TWICE.fullmatch(cell)
    if twice:  # "Mkt Val (Market Value)"
        ways += [_bare(_plain(part)) for part in twice.groups()]
    han = _HAN.search(whole)
    if han and han[0] != whole:
        ways += [han[0], _bare(whole.replace(han[0], " "))]
    return [way for way in ways if way]


def _bare(words: str) -> str:
    words = " ".join(_FRACTION.sub(" ", _PERCENT.sub(" ", words)).split())
    return _AROUND.sub("", _AROUND.sub("", words))


def known(cells: Sequence[str]) -> frozenset[str]:
    """Return the roles that these cells would name as a header."""
    return frozenset(role for cell in cells if (role := meaning(cell).role))


def kind_of(cells: Sequence[str]) -> HeaderKind | None:
    """Return what a table with these cells as its header would hold, None where they are no header."""
    filled = 0
    for cell in cells:
        if cell:
            if cell[0] in _NUMBER_STARTS and looks_numeric(cell):
                return None
            filled += 1
    if filled < 2:  # noqa: PLR2004 - an identity and what is said of it
        return None
    found = known(cells)
    if not found & _IDENTITIES:
        return None
    if "weight" in found:
        return HeaderKind.WEIGHTS
    if {"transaction", "date"} <= found:
        return HeaderKind.TRANSACTIONS
    if "market_value" in found and found & (_CODES | {"quantity", "price"}):
        return HeaderKind.VALUES
    if "sector" in found and found & _CODES:
        return HeaderKind.SECTORS
    return None


def roles_of(cells: Sequence[str], row: int) -> dict[str, int]:
    """Return role → index; of two columns for one role the first, but never of two weights.

    Raises:
        Unreadable: two columns of weights.
    """
    found: dict[str, int] = {}
    for at, cell in enumerate(cells):
        role = meaning(cell).role
        if role == "weight" and role in found and _OTHER_WEIGHT.search(cell):
            continue  # the weight in an index or benchmark, beside the fund's own
        if role == "weight" and role in found:
            raise Unreadable(
                f"the header in row {row} has two columns of weights: {cells[found[role]]!r} and {cell!r}",
                row=row,
            )
        if role == "market_value" and role in found:
            if meaning(cell).currency and not meaning(cells[found[role]]).currency:
                found[role] = at  # a value in one stated currency can be added up
        elif role:
            found.setdefault(role, at)
    if "name" not in found and "fund_name" in found:
        found["name"] = found.pop("fund_name")  # the funds are themselves the lines
    if "name" not in found and "name_other" in found:
        found["name"] = found.pop("name_other")
    return found


def weight_unit(cell: str) -> str:
    """Return "percent" or "fraction" where the header of the weight column says so, else ""."""
    ways = cell.casefold().replace("_", " "), _CAMEL.sub(" ", cell).casefold()
    if any(map(_PERCENT.search, ways)):
        return "percent"
    return "fraction" if any(map(_FRACTION.search, ways)) else ""
