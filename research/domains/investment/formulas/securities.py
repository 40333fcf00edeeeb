"""Which rows of different files are one security, and what other files say of it.

ISIN first, then CUSIP, SEDOL and FIGI, then the ticker, the name last.  Codes of one row are one security,
unless they lead to two ISINs; a ticker stands for a code only where the files give it exactly one security.
Funds inside funds are left out: their labels are the wrapper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from research.domains.investment.codes import name_key, ticker_key
from research.domains.investment.labels import BONDS, asset_group
from research.domains.investment.positions import Holding, Label


class Found(NamedTuple):
    """What a holdings file says of a security."""

    handle: str
    sector: str


class SecurityIndex:
    """The positions of all holdings files, by ISIN and by ticker; the file added first speaks."""

    def __init__(self) -> None:
        self._by_isin: dict[str, Found] = {}
        self._by_ticker: dict[str, Found] = {}
        self._coded: dict[str, set[str]] = {}  # ticker → strongest codes of its rows
        self._joined: dict[str, str] = {}  # code → a code of the same security
        self._isin: dict[str, str] = {}  # code at the end of that way → its ISIN
        self._mapped: dict[str, Found] = {}  # by ISIN, by another code, by "ticker:…"
        self._labels: dict[str, str] = {}

    def add(self, handle: str, rows: Iterable[Holding]) -> None:
        """Index the positions of one file."""
        for row in rows:
            if row.row_class != "position" or row.nested_fund:
                continue
            found = Found(handle, row.sector)
            if row.isin:
                _keep(self._by_isin, row.isin, found)
            codes = (row.isin, *row.codes) if row.isin else row.codes
            if codes:
                self._join(row.isin, codes)
            if row.ticker and asset_group(row.asset_class) != BONDS:
                ticker = ticker_key(row.ticker)
                _keep(self._by_ticker, ticker, found)
                if codes:
                    self._coded.setdefault(ticker, set()).add(codes[0])

    def add_map(self, handle: str, rows: Iterable[Label]) -> None:
        """Index a sector map; the map added first speaks."""
        for row in rows:
            found = Found(handle, row.sector)
            for key in (row.isin, *row.codes, f"ticker:{ticker_key(row.ticker)}"):
                if key and key != "ticker:":
                    self._mapped.setdefault(key, found)

    def mapped(self, row: Holding) -> Found | None:
        """Return what a sector map says of a row: by ISIN, by another code, last by ticker."""
        if not self._mapped:
            return None
        keys = (row.isin, *row.codes, f"ticker:{ticker_key(row.ticker)}")
        return next((self._mapped[key] for key in keys if key in self._mapped), None)

    def find(self, isin: str, ticker: str) -> Found | None:
        """Return what the files say of a security, by ISIN, else by an uncontradicted ticker."""
        if isin in self._by_isin:
            return self._by_isin[isin]
        ticker = ticker_key(ticker)
        ends = (self._end(code) for code in self._coded.get(ticker, ()))
        if not ticker or (isin and any(self._isin.get(end, isin) != isin for end in ends)):
            return None
        return self._by_ticker.get(ticker)

    def know(self, isin: str, codes: Sequence[str]) -> None:
        """Note which codes a line of the portfolio has, so that rows without its ISIN meet it."""
        if isin and codes:
            self._join(isin, (isin, *codes))

    def key(
        self,
        isin: str,
        ticker: str,
        name: str,
        asset_class: str,
        codes: Sequence[str] = (),
    ) -> str:
        """Return the key under which a security is added up."""
        if isin:
            return isin
        if codes:
            return self._one(codes[0])
        ticker = ticker_key(ticker)
        if not ticker or asset_group(asset_class) == BONDS:  # an issuer's bonds share its ticker
            return f"name:{name_key(name)}"
        coded = self._coded.get(ticker)
        if not coded:
            return f"ticker:{ticker}"
        known = {self._one(code) for code in coded}
        return next(iter(known)) if len(known) == 1 else f"ticker:{ticker}"

    def _join(self, isin: str, codes: Sequence[str]) -> None:
        """Note that these codes are one security, unless two ISINs would become one."""
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

    def _end(self, code: str) -> str:
        while code in self._joined:
            code = self._joined[code]
        return code

    def _one(self, code: str) -> str:
        """Return the name that all codes of one security have in common: its ISIN, where a file states it."""
        end = self._end(code)
        return self._isin.get(end, end)

    def label(self, key: str, name: str) -> str:
        """Return the name under which this key was seen first."""
        return self._labels.setdefault(key, name)


def _keep(known: dict[str, Found], code: str, found: Found) -> None:
    if code not in known or (found.sector and not known[code].sector):
        known[code] = found
