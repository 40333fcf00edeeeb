"""The tool `list_sources`: what there is to read, and which file stands for which line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from research.domain import Json, SourceView, Tool, ToolResult
from research.domains.investment.labels import asset_group
from research.domains.investment.matching import Fund
from research.domains.investment.positions import (
    Holding,
    counted_rows,
    kind_beside_a_portfolio,
)
from research.domains.investment.tools.book import Book, book_of
from research.reading.arguments import Arguments, checked, parameters_of

_MOSTLY_PCT: Final = Decimal(80)


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    checked(arguments, Arguments)
    book = book_of(sources)
    shown = {
        "sources": [_source(book, each) for each in sources],
        "lines": [_line(fund) for fund in book.funds if fund.line],
        "candidates": [_candidate(book, fund) for fund in book.funds if not fund.line],
    }
    return ToolResult(shown=shown, used=frozenset(each.source_id for each in sources))


def _source(book: Book, source: SourceView) -> dict[str, Any]:
    return {
        "handle": source.handle,
        "kind": "portfolio" if source is book.portfolio else kind_beside_a_portfolio(source),
        "title": source.title,
        "as_of": source.reading.as_of,
        "rows": sum(1 for _ in counted_rows(source.reading)),
    }


def _line(fund: Fund) -> dict[str, Any]:
    line = fund.line
    if line is None:
        raise ValueError("this fund is no line")
    return {
        "line": line.number,
        "name": line.name,
        "isin": line.isin,
        "ticker": line.ticker,
        "weight_pct": f"{line.weight_pct:f}",
        "asset_class": line.asset_class,
        "holdings": fund.source.handle if fund.source else "",
        "met_by": fund.met_by.value,
    }


def _candidate(book: Book, fund: Fund) -> dict[str, Any]:
    return {
        "name": fund.name,
        "isin": fund.isin,
        "ticker": fund.ticker,
        "asset_class": _main_asset_class(book.rows_of(fund)),
        "holdings": fund.source.handle if fund.source else "",
    }


def _main_asset_class(rows: Sequence[Holding]) -> str:
    """Return the asset class that makes up at least four fifths of a fund, else ""."""
    weights: defaultdict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        weights[asset_group(row.asset_class)] += row.weight_pct
    group, weight = max(weights.items(), key=lambda item: item[1], default=("", Decimal(0)))
    return group if weight >= _MOSTLY_PCT else ""


LIST_SOURCES: Final = Tool(
    name="list_sources",
    version="1",
    description=(
        "List the sources you may read, the lines of the portfolio with the holdings file that "
        "stands for each, and the holdings files of funds that are not in the portfolio."
    ),
    parameters=parameters_of(Arguments),
    run=_run,
)
