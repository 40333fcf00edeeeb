"""Portfolio lines and holdings as the formulas see them, made from the rows of a `Reading`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from research.domain import Json, Reading, SourceView
from research.reading.dates import NOT_STATED

_TABLES: Final = frozenset({"portfolio", "holdings"})  # other kinds hold no positions
_COUNTED: Final = frozenset({"position", "cash", "derivative"})
_ZERO: Final = Decimal(0)
_WITH_CUSIP: Final = frozenset({"US", "CA"})
_CUSIP_WITHOUT_CHECK: Final = 8


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
    row: int = 0
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
    codes: tuple[str, ...] = ()  # further codes of the security, each with its kind before it


class Label(NamedTuple):
    """One row of a sector map."""

    isin: str
    ticker: str
    codes: tuple[str, ...]
    sector: str


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
            row["row"],
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
    found: list[Holding] = []
    for row in reading.rows:
        if row["class"] not in _COUNTED:
            continue
        weight, below = row["weight_pct"], row.get("weight_below_pct")
        if not (weight or below):
            continue
        found.append(
            Holding(
                row["row"],
                row["class"],
                row["name"],
                row["isin"],
                row["ticker"],
                Decimal(weight) if weight else _ZERO,
                row["asset_class"],
                row["sector"],
                row.get("nested_fund", False),
                Decimal(below) if below else _ZERO,
                _codes(row),
            )
        )
    return tuple(found)


def labels(reading: Reading) -> tuple[Label, ...]:
    """Return the rows of a sector map that state a sector."""
    return tuple(
        Label(row.get("isin", ""), row.get("ticker", ""), _codes(row), row["sector"])
        for row in reading.rows
        if row.get("sector")
    )


def _codes(row: Json) -> tuple[str, ...]:
    """Return CUSIP, SEDOL and FIGI of a row; a CUSIP is its first eight characters, the ninth checks them."""
    isin = row.get("isin", "")
    cusip = row.get("cusip", "")
    found = (f"cusip:{cusip[:_CUSIP_WITHOUT_CHECK]}",) if cusip else codes_within(isin)
    if "sedol" in row or "figi" in row:
        found += tuple(f"{kind}:{row[kind]}" for kind in ("sedol", "figi") if row.get(kind))
    code = row.get("code", "")
    if code and not (isin or found or row.get("ticker")):
        found = (f"code:{code}",)  # of a kind that its file does not name
    return found


def codes_within(isin: str) -> tuple[str, ...]:
    """Return the CUSIP that an ISIN of the United States or Canada holds, as `codes` has it."""
    return (f"cusip:{isin[2:10]}",) if isin[:2] in _WITH_CUSIP else ()


def sector_maps_of(sources: Sequence[SourceView]) -> tuple[SourceView, ...]:
    """Return the sector maps that state their date, the latest first; one without a date says nothing."""
    maps = [
        each
        for each in sources
        if each.reading.kind == "sector_map" and each.reading.as_of != NOT_STATED
    ]
    return tuple(sorted(maps, key=lambda each: each.reading.as_of, reverse=True))


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
