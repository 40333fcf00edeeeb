"""Codes that name one security: those of one row, and through them those of other rows.

Codes of one row are one security, unless they lead to two ISINs.  A ticker stands for a code only where the
files give it exactly one security.

Source: design.md D16 (identity by ISIN, CUSIP, SEDOL or FIGI before ticker).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_NONE: Final[frozenset[str]] = frozenset()


class Identities:
    """Sets of codes, each one security; a set is known by its ISIN where a file states it."""

    def __init__(self) -> None:
        self._joined: dict[str, str] = {}  # code → a code of the same security
        self._isin: dict[str, str] = {}  # code at the end of that way → its ISIN
        self._of_ticker: dict[str, set[str]] = {}

    def join(self, isin: str, codes: Sequence[str], ticker: str = "") -> None:
        """Note that these codes, an ISIN first among them if there is one, are one security."""
        first = self._end(codes[0])
        if isin:
            self._isin[first] = isin
        for code in codes[1:]:
            other = self._end(code)
            isins = {self._isin.get(first, ""), self._isin.get(other, "")} - {""}
            if other == first or len(isins) > 1:
                continue
            self._joined[other] = first
            if isins:
                self._isin[first] = next(iter(isins))
        if ticker:
            self._of_ticker.setdefault(ticker, set()).add(codes[0])

    def one(self, code: str) -> str:
        """Return the name that all codes of one security have in common."""
        end = self._end(code)
        return self._isin.get(end, end)

    def of_ticker(self, ticker: str) -> frozenset[str]:
        """Return the securities that rows with this ticker are."""
        codes = self._of_ticker.get(ticker)
        return frozenset(map(self.one, codes)) if codes else _NONE

    def other_isin(self, ticker: str, isin: str) -> bool:
        """Whether some row gives this ticker to another ISIN."""
        ends = map(self._end, self._of_ticker.get(ticker, ()))
        return any(self._isin.get(end, isin) != isin for end in ends)

    def _end(self, code: str) -> str:
        while code in self._joined:
            code = self._joined[code]
        return code
