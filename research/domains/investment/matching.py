"""Which holdings stand for which portfolio line: by ISIN, then ticker, else as a person assigned.

Two files for one line: the stronger kind of match wins, then the later date, then the first
handle.  A ticker does not overrule two ISINs that differ.  A row of a fund is itself a fund where its ISIN
is that of a holdings file; by ticker, and last by name, only where the row says that it is a fund.

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from research.domain import SourceView
from research.domains.investment.codes import name_key, ticker_key
from research.domains.investment.positions import Holding, Line
from research.reading.dates import NOT_STATED


class MetBy(StrEnum):
    """How a source met a line, the strongest first."""

    ISIN = "isin"
    TICKER = "ticker"
    ASSIGNED = "assigned"  # `--source LINE=FILE`
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class Fund:
    """Something whose weight can be raised: a line, a holdings file that meets none, or both."""

    name: str
    isin: str
    ticker: str
    line: Line | None
    source: SourceView | None
    met_by: MetBy = MetBy.NOTHING


def match(lines: Sequence[Line], sources: Sequence[SourceView]) -> tuple[Fund, ...]:
    """Return one Fund for each line in order, then one for each source that meets no line."""
    met = {source.handle: _meeting(lines, source) for source in sources}
    funds = [_line_fund(line, sources, met) for line in lines]
    candidates = [_candidate(source) for source in sources if not met[source.handle]]
    return (*funds, *candidates)


def resolve(funds: Sequence[Fund], wanted: str) -> tuple[Fund, ...]:
    """Return the funds that `wanted` names by handle, else ISIN, else ticker, else name."""
    for compared, keys in _KEYS:
        key = compared(wanted)
        found = tuple(fund for fund in funds if key and key in keys(fund))
        if found:
            return found
    return ()


def _handles(fund: Fund) -> set[str]:
    return {fund.source.handle} if fund.source else set()


def _isins(fund: Fund) -> set[str]:
    return {fund.isin} - {""} | _identity(fund, "isin")


def _tickers(fund: Fund) -> set[str]:
    return {ticker_key(each) for each in {fund.ticker} | _identity(fund, "ticker")} - {""}


def _names(fund: Fund) -> set[str]:
    titles = {fund.source.title} if fund.source else set()
    return {name_key(each) for each in {fund.name} | titles | _identity(fund, "name")} - {""}


def _identity(fund: Fund, name: str) -> set[str]:
    stated = fund.source.reading.identity.get(name, "") if fund.source else ""
    return {stated} - {""}


_KEYS: Final = (
    (str.strip, _handles),
    (str.upper, _isins),
    (ticker_key, _tickers),
    (name_key, _names),
)


def _meeting(lines: Sequence[Line], source: SourceView) -> dict[int, MetBy]:
    """Return line number → how this source meets it; only the strongest kind counts."""
    for kind in (MetBy.ISIN, MetBy.TICKER, MetBy.ASSIGNED):
        found = {line.number: kind for line in lines if _meets(line, source, kind)}
        if found:
            return found
    return {}


def _meets(line: Line, source: SourceView, kind: MetBy) -> bool:
    isin = source.reading.identity.get("isin", "")
    if kind is MetBy.ISIN:
        return bool(isin) and isin == line.isin
    if kind is MetBy.TICKER:
        ticker = ticker_key(source.reading.identity.get("ticker", ""))
        same = bool(ticker) and ticker == ticker_key(line.ticker)
        return same and not (isin and line.isin)
    wanted = source.assigned_to.strip()
    if not wanted:
        return False
    return (
        wanted == str(line.number)
        or wanted.upper() == line.isin
        or name_key(wanted) == name_key(line.name)
        or (bool(line.ticker) and ticker_key(wanted) == ticker_key(line.ticker))
    )


def _line_fund(
    line: Line, sources: Sequence[SourceView], met: dict[str, dict[int, MetBy]]
) -> Fund:
    order = list(MetBy)
    meeting = [source for source in sources if line.number in met[source.handle]]
    # sorted() is stable: of equals the first handle stays first.
    meeting.sort(key=_as_of, reverse=True)
    meeting.sort(key=lambda source: order.index(met[source.handle][line.number]))
    source = meeting[0] if meeting else None
    return Fund(
        name=line.name,
        isin=line.isin,
        ticker=line.ticker,
        line=line,
        source=source,
        met_by=met[source.handle][line.number] if source else MetBy.NOTHING,
    )


def _as_of(source: SourceView) -> str:
    return "" if source.reading.as_of == NOT_STATED else source.reading.as_of


def _candidate(source: SourceView) -> Fund:
    identity = source.reading.identity
    return Fund(
        name=identity.get("name", "") or source.title,
        isin=identity.get("isin", ""),
        ticker=identity.get("ticker", ""),
        line=None,
        source=source,
    )


class FundIndex:
    """The holdings files by what their funds are called, the latest file speaking first."""

    def __init__(self, sources: Sequence[SourceView]) -> None:
        """Index the identity of each file."""
        self._by_isin: dict[str, str] = {}
        self._by_ticker: dict[str, tuple[str, str]] = {}
        self._by_name: dict[str, tuple[str, str]] = {}
        for source in sorted(sources, key=_as_of, reverse=True):
            identity = source.reading.identity
            isin = identity.get("isin", "")
            if isin:
                self._by_isin.setdefault(isin, source.handle)
            if ticker := ticker_key(identity.get("ticker", "")):
                self._by_ticker.setdefault(ticker, (source.handle, isin))
            if name := name_key(identity.get("name", "")):
                self._by_name.setdefault(name, (source.handle, isin))

    def of_row(self, row: Holding) -> str:
        """Return the handle of the file that lists what this row holds, or ""."""
        if row.row_class != "position":
            return ""
        if row.isin in self._by_isin:
            return self._by_isin[row.isin]
        if not row.nested_fund:
            return ""
        for known, key in (
            (self._by_ticker, ticker_key(row.ticker)),
            (self._by_name, name_key(row.name)),
        ):
            handle, isin = known.get(key, ("", ""))
            if handle and not (isin and row.isin):  # two ISINs that differ are two funds
                return handle
        return ""
