"""The portfolio layout: one line for each fund or security a person holds, with its weight.

A portfolio must be whole: a line that cannot be read is an error here and never a rejected row.

Source: design.md D16.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.codes import stated
from research.domains.investment.labels import CASH, DERIVATIVES, asset_group
from research.domains.investment.readers import expense_ratios, identity, numbers, rows
from research.domains.investment.readers.columns import HeaderKind
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.limits import MAX_CELL_CHARACTERS, MAX_LINES
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row, RowClass
from research.domains.investment.readers.sheets import Record
from research.reading.dates import NOT_STATED, iso_date

_CODES: Final = frozenset({"isin", "ticker", "code", "cusip", "sedol", "figi"})
TOLERANCE: Final = Decimal("0.5")  # percent points: lines rounded to one decimal stay within it


def recognises(grid: Grid, preamble: Preamble) -> bool:
    """Whether the table is a portfolio: asset classes and codes, and nothing that names a fund."""
    if grid.kind is not HeaderKind.WEIGHTS or preamble.names_a_fund:
        return False
    if grid.columns.keys() & {"fund_ticker", "notional"}:
        return False
    has_code = bool(grid.columns.keys() & _CODES)
    return preamble.names_a_portfolio or ("asset_class" in grid.columns and has_code)


def read(grid: Grid, preamble: Preamble) -> Reading:
    """Read every line of the portfolio.

    Raises:
        Unreadable: a column is missing, a line cannot be read, or the weights are not a whole.
    """
    if preamble.names_a_portfolio or "asset_class" in grid.columns:
        _check_columns(grid)
    _check_once(grid)
    found = _lines(grid)
    lines = [row for row in found if row["class"] in rows.COUNTED]
    if not lines:
        raise Unreadable(
            f"row {grid.header.row} is a header, but no line follows it", row=grid.header.row
        )
    first, last = lines[0]["row"], lines[-1]["row"]
    stated = sum((Decimal(line["weight_pct"]) for line in lines), Decimal(0))
    factor, unit_findings = rows.percent_factor(
        stated, grid.unit, TOLERANCE, f"rows {first} to {last}", last
    )
    total = rows.scaled(lines, factor)
    unit_findings += expense_ratios.put(grid, lines)
    as_of = iso_date(preamble.as_of)
    sectors = {line["sector"] for line in lines if line["sector"]}
    return Reading(
        kind="portfolio",
        reader=f"portfolio_{grid.container}/1",
        as_of=as_of,
        identity={"name": preamble.values.get("portfolio", ""), "isin": "", "ticker": ""},
        counts=rows.counts(found),
        findings=(*grid.findings, *unit_findings, *_findings(lines, as_of)),
        rows=tuple(found),
        summary={
            "recognised_as": "a portfolio with weights",
            **rows.summary(grid, found, total, "fractions" if factor > 1 else "percent", sectors),
        },
    )


def _check_once(grid: Grid) -> None:
    again = grid.repeated_at()
    if again:
        raise Unreadable(
            "two tables in one file: the header row of the first is row "
            f"{grid.header.row}, of the second row {again}; which of them is the portfolio?",
            row=again,
        )


def _check_columns(grid: Grid) -> None:
    missing = [name for name in ("name", "asset_class") if name not in grid.columns]
    if not grid.columns.keys() & _CODES:
        missing.append("isin or ticker")
    if missing:
        raise Unreadable(
            f"the header in row {grid.header.row} has no column for: "
            f"{', '.join(missing).replace('_', ' ')}; "
            "a portfolio has name, ISIN or ticker, weight and asset class",
            row=grid.header.row,
        )


def _lines(grid: Grid) -> list[Row]:
    sign = rows.decimal_sign_of(grid, "weight")
    found: list[Row] = []
    number = 0
    for record, reason in grid.rows():
        row = rows.elsewhere(record, reason) if reason else _line(grid, record, sign)
        if row["class"] in rows.COUNTED:
            number += 1
            row["line"] = number
        found.append(row)
    if number > MAX_LINES:
        raise Unreadable(
            f"the portfolio has {number:,} lines, more than the limit of {MAX_LINES}; if this is "
            "what a fund holds, put a line `Fund,<name>` above the header",
            row=found[-1]["row"],
        )
    return found


def _line(grid: Grid, record: Record, sign: str) -> Row:
    found = identity.codes(grid, record)
    cell = grid.cell(record, "name")
    name = cell if stated(cell) or not cell else found["ticker"]  # "--" names nothing
    label = record.filled[0]
    if rows.is_total(label, found):
        return rows.words_only(record, RowClass.SUBTOTAL)
    if len(record.cells) == 1 or (grid.container != "csv" and len(record.filled) == 1):
        return rows.words_only(record, RowClass.FOOTER)
    _check_cells(grid, record, name)
    cell = grid.cell(record, "weight")
    value = numbers.weight(cell, sign)
    if value is None:
        raise Unreadable(
            f"row {record.row}: the weight {cell[:40]!r} of {name[:80]!r} is no number between "
            f"-{numbers.WEIGHT_LIMIT} and {numbers.WEIGHT_LIMIT}",
            row=record.row,
        )
    group = asset_group(grid.cell(record, "asset_class"))
    row_class = {CASH: RowClass.CASH, DERIVATIVES: RowClass.DERIVATIVE}.get(
        group, RowClass.POSITION
    )
    return {
        "row": record.row,
        "class": row_class.value,
        "name": name,
        **found,
        "weight_pct": numbers.text(value),
        "asset_class": grid.cell(record, "asset_class"),
        "sector": grid.cell(record, "sector"),
    }


def _check_cells(grid: Grid, record: Record, name: str) -> None:
    problem = ""
    if any(record.cells[len(grid.header.cells) :]):
        problem = (
            f"has {len(record.cells)} cells, the header {len(grid.header.cells)}: "
            "a value with a delimiter in it needs quotes"
        )
    elif max(map(len, record.cells)) > MAX_CELL_CHARACTERS:
        problem = f"has a cell of more than the limit of {MAX_CELL_CHARACTERS:,} characters"
    elif not name:
        problem = "has no name"
    if problem:
        raise Unreadable(f"row {record.row} {problem}", row=record.row)


def _findings(lines: list[Row], as_of: str) -> list[str]:
    found = identity.of_codes(lines)
    found += [
        f"Line {line['line']} has a negative weight: {line['weight_pct']}."
        for line in lines
        if Decimal(line["weight_pct"]) < 0
    ]
    found += [
        f"Line {line['line']} has neither ISIN nor ticker: holdings meet it only if assigned."
        for line in lines
        if line["class"] == RowClass.POSITION and not (line["isin"] or line["ticker"])
    ]
    found += [
        f"Line {line['line']} states no asset class that is known here: "
        f"{line['asset_class'] or 'nothing'}."
        for line in lines
        if not asset_group(line["asset_class"])
    ]
    if as_of == NOT_STATED:
        found.append("The file does not state the date of the weights.")
    return found
