"""Portfolio lines and holdings as the formulas see them, made from the rows of a `Reading`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from research.domain import Json, Reading, SourceView

_TABLES: Final = frozenset({"portfolio", "holdings"})  # other kinds hold no positions
_COUNTED: Final = frozenset({"position", "cash", "derivative"})


class Line(NamedTuple):
    """One line of the portfolio."""

    number: int
    row_class: str
    name: str
    isin: str
    ticker: str
    weight_pct: Decimal
    asset_class: str
    sector: str


class Holding(NamedTuple):
    """One weighted row of what a fund holds; `weight_pct` is percent of that fund."""

    row: int
    row_class: str
    name: str
    isin: str
    ticker: str
    weight_pct: Decimal
    asset_class: str
    sector: str
    nested_fund: bool


def counted_rows(reading: Reading) -> Iterator[Json]:
    """Yield the rows that are positions, cash or derivatives."""
    return (row for row in reading.rows if row["class"] in _COUNTED)


def lines(reading: Reading) -> tuple[Line, ...]:
    """Return the lines of a portfolio in the order of the file."""
    return tuple(
        Line(
            row["line"],
            row["class"],
            row["name"],
            row["isin"],
            row["ticker"],
            Decimal(row["weight_pct"]),
            row["asset_class"],
            row["sector"],
        )
        for row in counted_rows(reading)
    )


def holdings(reading: Reading) -> tuple[Holding, ...]:
    """Return the rows of a fund that state a weight."""
    return tuple(
        Holding(
            row["row"],
            row["class"],
            row["name"],
            row["isin"],
            row["ticker"],
            Decimal(row["weight_pct"]),
            row["asset_class"],
            row["sector"],
            row.get("nested_fund", False),
        )
        for row in counted_rows(reading)
        if row["weight_pct"]
    )


def portfolio_of(sources: Sequence[SourceView]) -> SourceView | None:
    """Return the portfolio: the first source of that kind which is not assigned to a line."""
    return next(
        (each for each in sources if each.reading.kind == "portfolio" and not each.assigned_to),
        None,
    )


def holdings_of(sources: Sequence[SourceView]) -> tuple[SourceView, ...]:
    """Return every other table of positions; lines that are assigned to a line are what that fund holds."""
    portfolio = portfolio_of(sources)
    return tuple(
        each for each in sources if each is not portfolio and each.reading.kind in _TABLES
    )


def kind_beside_a_portfolio(source: SourceView) -> str:
    """Return what a source is to a question that has its portfolio: a second table of lines is holdings."""
    return "holdings" if source.reading.kind in _TABLES else source.reading.kind
