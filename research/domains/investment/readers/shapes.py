"""Columns that their values tell, where the header does not: codes have shapes and check digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Final

from research.domains.investment.codes import cusip_valid, figi_valid, isin_valid, sedol_valid
from research.domains.investment.readers.columns import meaning
from research.domains.investment.readers.grid import Grid

_LOOKED_AT: Final = 200
_MOSTLY: Final = 0.8
_FEWEST: Final = 3
_SHAPES: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    ("isin", isin_valid),
    ("figi", figi_valid),
    ("cusip", cusip_valid),
    ("sedol", sedol_valid),
)


def _without_running_numbers(grid: Grid) -> Grid:
    """Take away a column of codes that only numbers the rows: 1, 2, 3."""
    if "code" not in grid.columns:
        return grid
    cells = [grid.cell(record, "code") for record in islice(grid.body(), _FEWEST)]
    if len(cells) < _FEWEST or cells != [str(number) for number in range(1, _FEWEST + 1)]:
        return grid
    columns = {role: at for role, at in grid.columns.items() if role != "code"}
    return replace(grid, columns=columns)


def completed(grid: Grid) -> Grid:
    """Return the table with the columns of codes that only their values tell."""
    grid = _without_running_numbers(grid)
    strange = [
        at
        for at, cell in enumerate(grid.header.cells)
        if not meaning(cell).role and at not in grid.columns.values()
    ]
    missing = [(role, fits) for role, fits in _SHAPES if role not in grid.columns]
    if not strange or not missing:
        return grid
    values: dict[int, list[str]] = {at: [] for at in strange}
    for record in islice(grid.body(), _LOOKED_AT):
        for at in strange:
            if at < len(record.cells) and record.cells[at]:
                values[at].append(record.cells[at])
    columns = dict(grid.columns)
    findings: list[str] = []
    for role, fits in missing:
        for at in strange:
            cells = values[at]
            if (
                len(cells) >= _FEWEST
                and role not in columns
                and sum(map(fits, cells)) >= _MOSTLY * len(cells)
            ):
                columns[role] = at
                findings.append(
                    f"The column {grid.header.cells[at]!r} holds {role.upper()}s by its "
                    f"values; its header does not say so."
                )
                values[at] = []
    if not findings:
        return grid
    return replace(grid, columns=columns, findings=(*grid.findings, *findings))
