"""One row of a fund's table: which class it is, and what it says.

Nothing is dropped: what is no position, cash or derivative is a subtotal, a footer, or rejected
with the reason.
"""

from __future__ import annotations

import re
from typing import Final

from research.domains.investment.codes import fund_like, stated
from research.domains.investment.labels import CASH, DERIVATIVES, asset_group
from research.domains.investment.readers import numbers, rows
from research.domains.investment.readers.grid import Grid, Record
from research.domains.investment.readers.limits import MAX_CELL_CHARACTERS
from research.domains.investment.readers.rows import Row, RowClass

_FOOTER_CELLS: Final = 2  # a row of words below a table fills no more cells than this
_CURRENCY_PAIR: Final = re.compile(r"\b[A-Z]{3}/[A-Z]{3}\b")
_CASH_NAME: Final = re.compile(r"(cash\b.*|.*\bcash)", re.IGNORECASE)


def holding(grid: Grid, record: Record, sign: str) -> Row:
    """Return the row with its class; a counted row has its weight as the cell states it."""
    found = rows.codes(grid, record)
    if rows.is_total(record.filled[0], found):
        return rows.words_only(record, RowClass.SUBTOTAL)
    cell = grid.cell(record, "weight")
    if not cell and len(record.filled) <= _FOOTER_CELLS and not (found["isin"] or found["code"]):
        return rows.words_only(record, RowClass.FOOTER)
    value = numbers.weight(cell, sign)
    name = grid.cell(record, "name")
    row_class = _class(grid, record, name)
    reason = _broken(grid, record, found, name)
    if not reason and value is None and (stated(cell) or row_class is RowClass.POSITION):
        reason = (
            f"the weight {cell[:40]!r} is no number" if stated(cell) else "no weight is stated"
        )
    if reason:
        return rows.words_only(record, RowClass.REJECTED, reason)
    row: Row = {
        "row": record.row,
        "class": row_class.value,
        "name": name,
        **found,
        "weight_pct": "" if value is None else numbers.text(value),
        "asset_class": grid.cell(record, "asset_class"),
        "sector": stated(grid.cell(record, "sector")),
        **_amounts(grid, record, sign),
    }
    if row_class is RowClass.POSITION and fund_like(name, row["asset_class"]):
        row["nested_fund"] = True
    return row


def _broken(grid: Grid, record: Record, found: dict[str, str], name: str) -> str:
    """Return why the row cannot be read, or ""."""
    if any(record.cells[len(grid.header.cells) :]):
        return f"it has {len(record.cells)} cells, the header {len(grid.header.cells)}"
    if max(map(len, record.cells)) > MAX_CELL_CHARACTERS:
        return f"a cell has more than the limit of {MAX_CELL_CHARACTERS:,} characters"
    if not (name or any(found.values())):
        return "it has neither a name nor a code"
    return ""


def _class(grid: Grid, record: Record, name: str) -> RowClass:
    """Tell positions from cash and derivatives by asset class, then sector, then name."""
    asset_class = stated(grid.cell(record, "asset_class"))
    label = asset_class or stated(grid.cell(record, "sector"))
    group = asset_group(label)
    if group == CASH and "derivative" in label.casefold():  # "Cash and/or Derivatives"
        group = DERIVATIVES if _derivative_name(name) else CASH
    if not label and _CASH_NAME.fullmatch(name):
        group = CASH
    return {CASH: RowClass.CASH, DERIVATIVES: RowClass.DERIVATIVE}.get(group, RowClass.POSITION)


def _derivative_name(name: str) -> bool:
    return asset_group(name) == DERIVATIVES or _CURRENCY_PAIR.search(name) is not None


def _amounts(grid: Grid, record: Record, sign: str) -> dict[str, str]:
    """Return market value and notional where the table has them, as exact numbers or as stated."""
    amounts: dict[str, str] = {}
    for role in ("market_value", "notional"):
        if role in grid.columns:
            cell = grid.cell(record, role)
            value = numbers.amount(cell, sign)
            amounts[role] = cell if value is None else numbers.text(value)
    return amounts
