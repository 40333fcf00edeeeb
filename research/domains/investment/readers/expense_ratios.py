"""Expense ratios that a file states: a column of a portfolio, or a line above an issuer's table.

A ratio is percent a year.  Where neither header nor cell says percent, figures that would be percent are
told from fractions of 1 by their size; below what nearly every fund costs nobody can, and they are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domains.investment.codes import stated
from research.domains.investment.readers import identity, numbers, rows
from research.domains.investment.readers.columns import weight_unit
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row

ROLE: Final = "expense_ratio"
KEY: Final = "expense_ratio_pct"
_MOST: Final = Decimal(20)  # percent a year: more is another figure
_TOO_SMALL: Final = (
    "The column {!r} does not say whether its figures are percent, and they are too small to tell: they were "
    "not read."
)
_AMBIGUOUS_BELOW: Final = Decimal("0.03")  # 0.02 may be 0.02 % or 2 %


def put(grid: Grid, lines: Sequence[Row]) -> list[str]:
    """Give each line the ratio that its row states, and say which were not read."""
    if ROLE not in grid.columns:
        return []
    header = grid.cell(grid.header, ROLE)
    sign = rows.decimal_sign_of(grid, ROLE)
    cells = {(one.sheet, one.row): stated(grid.cell(one, ROLE)) for one in grid.body()}
    said = [(line, cells.get((line.get("sheet", ""), line["row"]), "")) for line in lines]
    values = [(line, cell, _ratio(cell, sign)) for line, cell in said if cell]
    known = [(line, cell, value) for line, cell, value in values if value is not None]
    percent = bool(weight_unit(header)) or any("%" in cell for _, cell, _ in known)
    if not percent and known and max(value for *_, value in known) < _AMBIGUOUS_BELOW:
        return [_TOO_SMALL.format(header)]
    for line, _, value in known:
        line[KEY] = numbers.text(value)
    return identity.shortened(
        [
            f"Row {line['row']}: {cell[:40]!r} in the column {header!r} is no expense ratio of 0 to "
            f"{_MOST} percent; it was not read."
            for line, cell, value in values
            if value is None
        ],
        "cells without an expense ratio",
    )


def of_preamble(preamble: Preamble) -> dict[str, str]:
    """Return the ratio that the lines above a table state, if it is told from a fraction."""
    cell = preamble.values.get(ROLE, "")
    value = _ratio(cell, "," if "," in cell else ".")
    if value is None or ("%" not in cell and value < _AMBIGUOUS_BELOW):
        return {}
    return {KEY: numbers.text(value)}


def _ratio(cell: str, sign: str) -> Decimal | None:
    value = numbers.weight(cell.strip(), sign)
    return value if value is not None and 0 <= value <= _MOST else None
