"""Dates as publishers write them.

A date such as 05/06/2023 is told only by a publisher who is known to write the month first;
otherwise it stays "not stated".
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

NOT_STATED: Final = "not stated"
_MONTH_NAMES: Final = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_YEAR_FIRST: Final = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT: Final = re.compile(r"\b((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
_MONTH_NAME_FIRST: Final = re.compile(r"\b([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})\b")
_DAY_FIRST_NAMED: Final = re.compile(r"\b(\d{1,2})[-. ]([A-Za-z]{3})[a-z]*[-. ,]+(\d{4})\b")
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
        return _checked(int(found[3]), _MONTHS.get(found[1].casefold(), 0), int(found[2]))
    if found := _DAY_FIRST_NAMED.search(text):
        return _checked(int(found[3]), _MONTHS.get(found[2].casefold(), 0), int(found[1]))
    if found := _NUMBERS.search(text):
        return _numbers(found, month_first=month_first)
    return NOT_STATED


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
