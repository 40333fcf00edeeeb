"""Portfolio lines and holdings as the formulas see them, made from the rows of a `Reading`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from research.domain import Json, Reading, SourceView

_COUNTED: Final = frozenset({"position", "cash", "derivative"})
_ZERO: Final = Decimal(0)


class Line(NamedTuple):
    """One line of the portfolio; `weighted` is false where its file states a value and no weight."""

    number: int
    row_class: str
    name: str
    isin: str
    ticker: str
    weight_pct: Decimal
    asset_class: str
    sector: str
    row: int = 0
    weighted: bool = True
    value: Decimal | None = None
    currency: str = ""
    expense_ratio_pct: Decimal | None = None


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
    below_pct: Decimal = _ZERO  # of a weight stated as "<0.01 %": it lies between 0 and this


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
            Decimal(row["weight_pct"] or 0),
            row["asset_class"],
            row["sector"],
            row["row"],
            bool(row["weight_pct"]),
            stated_number(row.get("market_value")),
            row.get("currency") or "",
            stated_number(row.get("expense_ratio_pct")),
        )
        for row in counted_rows(reading)
    )


def stated_number(text: object) -> Decimal | None:
    """Return the number a reader wrote, or None where the file states none."""
    try:
        value = Decimal(text) if isinstance(text, str) else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() else None


def holdings(reading: Reading) -> tuple[Holding, ...]:
    """Return the rows of a fund that state a weight, or how small it is."""
    return tuple(
        Holding(
            row["row"],
            row["class"],
            row["name"],
            row["isin"],
            row["ticker"],
            Decimal(row["weight_pct"]) if row["weight_pct"] else _ZERO,
            row["asset_class"],
            row["sector"],
            row.get("nested_fund", False),
            Decimal(row["weight_below_pct"]) if row.get("weight_below_pct") else _ZERO,
        )
        for row in reading.rows
        if row["class"] in _COUNTED and (row["weight_pct"] or row.get("weight_below_pct"))
    )


def portfolio_of(sources: Sequence[SourceView]) -> SourceView | None:
    """Return the portfolio: the first source of that kind which is not assigned to a line."""
    return next(
        (each for each in sources if each.reading.kind == "portfolio" and not each.assigned_to),
        None,
    )


def holdings_of(sources: Sequence[SourceView]) -> tuple[SourceView, ...]:
    """Return every other source; a table of lines assigned to a line is what that fund holds."""
    portfolio = portfolio_of(sources)
    return tuple(each for each in sources if each is not portfolio)
