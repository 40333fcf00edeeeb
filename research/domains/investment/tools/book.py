"""The caller's sources put together: the portfolio, its lines, and the holdings that meet them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.domain import SourceView, ToolRefused
from research.domains.investment.formulas.buckets import Dimension
from research.domains.investment.formulas.files import FileFacts, Files
from research.domains.investment.formulas.securities import SecurityIndex
from research.domains.investment.matching import Fund, FundIndex, match
from research.domains.investment.positions import (
    Holding,
    Line,
    codes_within,
    holdings,
    holdings_of,
    labels,
    lines,
    portfolio_of,
    sector_maps_of,
)
from research.domains.investment.tools.schema import Code
from research.reading.dates import NOT_STATED


@dataclass(frozen=True, slots=True)
class Book:
    """What the tools compute on.

    Shape:
        funds: one for each line, in order, then the holdings files that meet no line
        rows: handle → the weighted rows of that holdings file
        sources: the holdings files
        maps: the sector maps that state their date, the latest first
    """

    portfolio: SourceView | None
    lines: tuple[Line, ...]
    funds: tuple[Fund, ...]
    rows: Mapping[str, tuple[Holding, ...]]
    sources: tuple[SourceView, ...]
    maps: tuple[SourceView, ...] = ()

    def rows_of(self, fund: Fund) -> tuple[Holding, ...]:
        """Return what the fund holds, nothing where it has no holdings file."""
        return self.rows[fund.source.handle] if fund.source else ()

    def index(self) -> SecurityIndex:
        """Return the positions of all files, the latest file speaking first."""
        index = SecurityIndex()
        for source in sorted(self.sources, key=_date_known, reverse=True):
            index.add(source.handle, self.rows[source.handle])
        for line in self.lines:
            index.know(line.isin, codes_within(line.isin))
        for source in self.maps:
            index.add_map(source.handle, labels(source.reading))
        return index

    def files(self, dimension: Dimension) -> Files:
        """Return the holdings files for a computation in one dimension."""
        facts = {
            each.handle: FileFacts(
                each.reading.identity.get("name", "") or each.title or each.handle,
                each.reading.as_of,
            )
            for each in self.sources
        }
        return Files(dimension, self.rows, facts, self.index(), FundIndex(self.sources))

    def held(self) -> tuple[Fund, ...]:
        """Return the funds that are lines of the portfolio, in order."""
        return tuple(fund for fund in self.funds if fund.line)

    def needed_portfolio(self) -> SourceView:
        """Return the portfolio.

        Raises:
            ToolRefused: `no_portfolio`: there is none; `no_data`: its lines have no weight.
        """
        if self.portfolio is None:
            raise ToolRefused(
                Code.NO_PORTFOLIO, "there is no portfolio among the sources you may read"
            )
        if not any(line.weight_pct for line in self.lines):
            raise ToolRefused(Code.NO_DATA, "every line of the portfolio has the weight 0")
        return self.portfolio


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
        maps=sector_maps_of(sources),
    )


def _date_known(source: SourceView) -> str:
    return "" if source.reading.as_of == NOT_STATED else source.reading.as_of
