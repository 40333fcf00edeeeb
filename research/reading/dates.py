"""Dates as publishers write them, in six languages.

A date such as 05/06/2023 is told only by a publisher who is known to write the month first;
otherwise it stays "not stated".
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Final

NOT_STATED: Final = "not stated"
_MONTH_STARTS: Final = (  # English, German, French, Italian, Spanish; accents are taken off
    ("jan", 1), ("ene", 1), ("gen", 1), ("feb", 2), ("fev", 2), ("mar", 3), ("apr", 4), ("avr", 4),
    ("abr", 4),
    ("may", 5), ("mai", 5), ("mag", 5), ("juin", 6), ("jun", 6), ("giu", 6), ("juil", 7), ("jul", 7),
    ("lug", 7),
    ("aug", 8), ("aou", 8), ("ago", 8), ("sep", 9), ("set", 9), ("oct", 10), ("okt", 10), ("ott", 10),
    ("nov", 11), ("dec", 12), ("dez", 12), ("dic", 12),
)  # fmt: skip
_YEAR_FIRST: Final = re.compile(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)")
_COMPACT: Final = re.compile(r"\b((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
_MONTH_NAME_FIRST: Final = re.compile(r"\b([^\W\d_]{3,12})\.? (\d{1,2}),? (\d{4})\b")
_DAY_FIRST_NAMED: Final = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|er)?[-. ]{1,2}(?:de )?([^\W\d_]{3,12})(?: de )?[-. ,]*(\d{4})\b"
)
_NUMBERS: Final = re.compile(r"\b(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\b")
_MONTHS_IN_A_YEAR: Final = 12


def iso_date(text: str, *, month_first: bool | None = None) -> str:
    """Return the ISO date that the text states, or "not stated".

    Args:
        text: may hold words around the date.
        month_first: the order a publisher is known to use in all-number dates; None where unknown.
    """
    for pattern in (_YEAR_FIRST, _COMPACT):
        if found := pattern.search(text):
            return _checked(int(found[1]), int(found[2]), int(found[3]))
    if found := _MONTH_NAME_FIRST.search(text):
        return _checked(int(found[3]), _month(found[1]), int(found[2]))
    if found := _DAY_FIRST_NAMED.search(text):
        return _checked(int(found[3]), _month(found[2]), int(found[1]))
    if found := _NUMBERS.search(text):
        return _numbers(found, month_first=month_first)
    return NOT_STATED


def _month(word: str) -> int:
    """Return the month a word names, 0 where it names none."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return next((number for start, number in _MONTH_STARTS if plain.startswith(start)), 0)


def _numbers(found: re.Match[str], *, month_first: bool | None) -> str:
    one, sign, two, year = int(found[1]), found[2], int(found[3]), int(found[4])
    if month_first is None:
        if sign == "." or one > _MONTHS_IN_A_YEAR:
            month_first = False  # points are a day-first notation
        elif two > _MONTHS_IN_A_YEAR or one == two:
            month_first = True
        else:
            return NOT_STATED
    return _checked(year, one, two) if month_first else _checked(year, two, one)


def _checked(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return NOT_STATED
