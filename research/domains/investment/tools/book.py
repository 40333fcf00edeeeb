"""The caller's sources put together: the portfolio, its lines, and the holdings that meet them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.domain import SourceView
from research.domains.investment.dates import NOT_STATED
from research.domains.investment.formulas.securities import SecurityIndex
from research.domains.investment.matching import Fund, match
from research.domains.investment.positions import (
    Holding,
    Line,
    holdings,
    holdings_of,
    lines,
    portfolio_of,
)


@dataclass(frozen=True, slots=True)
class Book:
    """What the tools compute on.

    Shape:
        funds: one for each line, in order, then the holdings files that meet no line
        rows: handle → the weighted rows of that holdings file
    """

    portfolio: SourceView | None
    lines: tuple[Line, ...]
    funds: tuple[Fund, ...]
    rows: Mapping[str, tuple[Holding, ...]]
    sources: tuple[SourceView, ...]

    def rows_of(self, fund: Fund) -> tuple[Holding, ...]:
        """Return what the fund holds, nothing where it has no holdings file."""
        return self.rows[fund.source.handle] if fund.source else ()

    def index(self) -> SecurityIndex:
        """Return the positions of all files, the latest file speaking first."""
        index = SecurityIndex()
        for source in sorted(self.sources, key=_date_known, reverse=True):
            index.add(source.handle, self.rows[source.handle])
        return index


def book_of(sources: Sequence[SourceView]) -> Book:
    """Put the sources a caller may read together."""
    portfolio = portfolio_of(sources)
    own = lines(portfolio.reading) if portfolio else ()
    others = holdings_of(sources)
    return Book(
        portfolio=portfolio,
        lines=own,
        funds=match(own, others),
        rows={each.handle: holdings(each.reading) for each in others},
        sources=others,
    )


def _date_known(source: SourceView) -> str:
    return "" if source.reading.as_of == NOT_STATED else source.reading.as_of
