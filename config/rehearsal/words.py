"""Small rules of prose: shortening, counting in words, reading figures out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

LINE_LIMIT = 900  # an answer's line may hold 1,000 characters
_FIGURE = re.compile(r"(?<![A-Za-z\d.])\d+(?:[.,]\d+)*")
_COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_DIMENSIONS = {
    "sector": ("sector", "sectors"),
    "asset_class": ("asset class", "asset classes"),
    "security": ("security", "securities"),
}


def clip(text: str, limit: int = LINE_LIMIT) -> str:
    """Return `text` on one line, ended at a word if it is longer than `limit`."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[: limit - 2].rsplit(" ", 1)[0] + " …"


def quoted(text: str, limit: int = 300) -> str:
    """Return `text` between quotation marks, on one line."""
    return '"' + clip(text, limit).replace('"', "'") + '"'


def dimension(name: str, *, plural: bool = False) -> str:
    """Say a look-through's dimension in words."""
    one, many = _DIMENSIONS.get(name, (name.replace("_", " "), name.replace("_", " ")))
    return many if plural else one


def count(number: int) -> str:
    """Say a small number in words; a large one is "many"."""
    return _COUNTS[number] if number < len(_COUNTS) else "many"


def listed(items: list[str]) -> str:
    """Join with commas and "and"."""
    if len(items) < 2:  # noqa: PLR2004 - one item needs no "and"
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def unique(lines: Iterable[str], limit: int = 12) -> list[str]:
    """Keep the first of lines that differ only in case, spaces and the final stop."""
    kept: dict[str, str] = {}
    for line in lines:
        text = clip(line)
        if text:
            kept.setdefault(text.casefold().rstrip(". "), text)
    return list(kept.values())[:limit]


def figures_in(text: str) -> frozenset[Decimal]:
    """Read the figures of a text as values; the digits of a handle such as T2 are none."""
    found = set()
    for match in _FIGURE.finditer(text):
        digits = match.group().replace(",", "")
        if digits.count(".") <= 1:
            found.add(Decimal(digits))
    return frozenset(found)
