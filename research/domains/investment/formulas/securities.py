"""Which rows of different files are one security, and what other files say of it.

ISIN first, then CUSIP, SEDOL and FIGI, then the ticker, the name last.  Another code stands for an ISIN
only where the files give it exactly one.  Funds inside funds are left out: their labels are the wrapper's.
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
        self._isins: dict[str, set[str]] = {}  # of a ticker, or of another code
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
                for code in row.codes:
                    self._isins.setdefault(code, set()).add(row.isin)
            if row.ticker and asset_group(row.asset_class) != BONDS:
                ticker = ticker_key(row.ticker)
                _keep(self._by_ticker, ticker, found)
                if row.isin:
                    self._isins.setdefault(ticker, set()).add(row.isin)

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
        if not ticker or (isin and ticker in self._isins):
            return None
        return self._by_ticker.get(ticker)

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
        for code in codes:
            known = self._isins.get(code, ())
            return next(iter(known)) if len(known) == 1 else code
        ticker = ticker_key(ticker)
        if not ticker or asset_group(asset_class) == BONDS:  # an issuer's bonds share its ticker
            return f"name:{name_key(name)}"
        isins = self._isins.get(ticker)
        return next(iter(isins)) if isins and len(isins) == 1 else f"ticker:{ticker}"

    def label(self, key: str, name: str) -> str:
        """Return the name under which this key was seen first."""
        return self._labels.setdefault(key, name)


def _keep(known: dict[str, Found], code: str, found: Found) -> None:
    if code not in known or (found.sector and not known[code].sector):
        known[code] = found
