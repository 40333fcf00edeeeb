"""Which rows of different files are one security, and what other files say of it.

ISIN first, then CUSIP, SEDOL and FIGI, then the ticker, the name last.  Funds inside funds are left out:
their labels are the wrapper's.  What nobody asks for is not built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from research.domains.investment.codes import name_key, ticker_key
from research.domains.investment.formulas.identities import Identities
from research.domains.investment.labels import BONDS, asset_group
from research.domains.investment.positions import Holding, Label


class Found(NamedTuple):
    """What a file says of a security."""

    handle: str
    sector: str


class SecurityIndex:
    """The positions of all holdings files, by ISIN and by ticker; the file added first speaks."""

    def __init__(self) -> None:
        self._files: list[tuple[str, Sequence[Holding]]] = []
        self._lines: list[tuple[str, Sequence[str]]] = []
        self._mapped: dict[str, Found] = {}  # by ISIN, by another code, by "ticker:…"
        self._labels: dict[str, str] = {}

    def add(self, handle: str, rows: Sequence[Holding]) -> None:
        """Add the rows of one file, before anything is asked."""
        self._files.append((handle, rows))

    def know(self, isin: str, codes: Sequence[str]) -> None:
        """Note which codes a line of the portfolio has, so that rows without its ISIN meet it."""
        if isin and codes:
            self._lines.append((isin, codes))

    def add_map(self, handle: str, rows: Iterable[Label]) -> None:
        """Add a sector map; the map added first speaks."""
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
        by_isin, by_ticker = self._stated
        if isin in by_isin:
            return by_isin[isin]
        ticker = ticker_key(ticker)
        if not ticker or (isin and self._identities.other_isin(ticker, isin)):
            return None
        return by_ticker.get(ticker)

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
            return self._identities.one(codes[0])
        ticker = ticker_key(ticker)
        if not ticker or asset_group(asset_class) == BONDS:  # an issuer's bonds share its ticker
            return f"name:{name_key(name)}"
        known = self._identities.of_ticker(ticker)
        return next(iter(known)) if len(known) == 1 else f"ticker:{ticker}"

    def label(self, key: str, name: str) -> str:
        """Return the name under which this key was seen first."""
        return self._labels.setdefault(key, name)

    @cached_property
    def _identities(self) -> Identities:
        found = Identities()
        for _, row in self._positions():
            codes = (row.isin, *row.codes) if row.isin else row.codes
            if codes:
                named = row.ticker and asset_group(row.asset_class) != BONDS
                found.join(row.isin, codes, ticker_key(row.ticker) if named else "")
        for isin, further in self._lines:
            found.join(isin, (isin, *further))
        return found

    @cached_property
    def _stated(self) -> tuple[dict[str, Found], dict[str, Found]]:
        by_isin: dict[str, Found] = {}
        by_ticker: dict[str, Found] = {}
        for handle, row in self._positions():
            found = Found(handle, row.sector)
            if row.isin:
                _keep(by_isin, row.isin, found)
            if row.ticker and asset_group(row.asset_class) != BONDS:
                _keep(by_ticker, ticker_key(row.ticker), found)
        return by_isin, by_ticker

    def _positions(self) -> Iterator[tuple[str, Holding]]:
        for handle, rows in self._files:
            for row in rows:
                if row.row_class == "position" and not row.nested_fund:
                    yield handle, row


def _keep(known: dict[str, Found], code: str, found: Found) -> None:
    if code not in known or (found.sector and not known[code].sector):
        known[code] = found
