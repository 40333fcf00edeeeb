"""Row numbers in few words: 7, 8, 9 and 12 are "7-9, 12"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

_MOST: Final = 40  # ranges written out


def ranges(numbers: Iterable[int]) -> str:
    """Write row numbers as ranges, the first forty of them."""
    ordered = sorted(set(numbers))
    runs = []
    for _, run in groupby(enumerate(ordered), key=lambda each: each[1] - each[0]):
        rows = [number for _, number in run]
        runs.append(str(rows[0]) if len(rows) == 1 else f"{rows[0]}-{rows[-1]}")
    more = len(runs) - _MOST
    return ", ".join(runs[:_MOST]) + (f" and {more} more ranges" if more > 0 else "")
