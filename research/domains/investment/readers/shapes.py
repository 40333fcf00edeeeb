"""Columns that their values tell, where the header does not: codes have shapes and check digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Final

from research.domains.investment.codes import cusip_valid, figi_valid, isin_valid, sedol_valid
from research.domains.investment.readers import identity
from research.domains.investment.readers.columns import meaning
from research.domains.investment.readers.grid import Grid

_LOOKED_AT: Final = 200
_MOSTLY: Final = 0.8
_FEWEST: Final = 3
_LENGTHS: Final = {"cusip": 9, "sedol": 7}
_ZEROS: Final = 3  # so many zeros at most are put back
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


def _with_zeros(grid: Grid) -> Grid:
    """Find columns whose numbers are codes without their leading zeros: every check digit must agree.

    One check digit in ten agrees by accident, so a single number needs a cell that a workbook stored as one,
    or a code of full length beside it.
    """
    zeros: dict[str, int] = {}
    findings: list[str] = []
    for role, length in _LENGTHS.items():
        if role not in grid.columns:
            continue
        cells = [grid.cell(record, role) for record in islice(grid.body(), _LOOKED_AT)]
        short = [cell for cell in cells if cell.isdigit() and 0 < length - len(cell) <= _ZEROS]
        sure = len(short) > 1 or grid.numbered(role) or any(len(cell) == length for cell in cells)
        if short and sure and all(identity.with_zeros(cell, role) for cell in short):
            zeros[role] = length
            findings.append(
                f"Leading zeros of codes in the column {grid.cell(grid.header, role)!r} were put back, "
                f"as their check digits say: {short[0]} is {identity.with_zeros(short[0], role)}."
            )
    return replace(grid, zeros=zeros, findings=(*grid.findings, *findings)) if zeros else grid


def completed(grid: Grid) -> Grid:
    """Return the table with the columns of codes that only their values tell."""
    grid = _with_zeros(_without_running_numbers(grid))
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
