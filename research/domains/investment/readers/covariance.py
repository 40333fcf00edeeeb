"""Covariance matrices: a square table of numbers, the same on both sides of its diagonal."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from research.domain import Reading
from research.domains.investment.readers import numbers
from research.domains.investment.readers.limits import MAX_COLUMNS
from research.domains.investment.readers.rows import RowClass
from research.domains.investment.readers.sheets import Record, Sheet
from research.reading.dates import NOT_STATED

_SMALLEST: Final = 2


def read(sheet: Sheet) -> Reading | None:
    """Read a matrix whose first row and first column name the same things, or return None."""
    records: list[Record] = []
    for record in sheet:
        if record.filled:
            records.append(record)
        if len(records) > MAX_COLUMNS:
            return None
    names = records[0].cells[1:] if records and not records[0].cells[0] else ()
    if len(names) < _SMALLEST or names != tuple(record.cells[0] for record in records[1:]):
        return None
    values = [_values(record, len(names)) for record in records[1:]]
    if any(None in line for line in values):
        return None
    findings, symmetric = _findings(names, values)
    return Reading(
        kind="covariance",
        reader=f"covariance_{sheet.container}/1",
        as_of=NOT_STATED,
        identity={"name": "", "isin": "", "ticker": ""},
        counts={RowClass.SERIES.value: len(names)},
        findings=(*sheet.findings, *findings),
        rows=tuple(
            {
                "row": record.row,
                "class": RowClass.SERIES.value,
                "name": record.cells[0],
                "values": [numbers.text(value) for value in line if value is not None],
            }
            for record, line in zip(records[1:], values, strict=True)
        ),
        summary={
            "recognised_as": "a covariance matrix",
            "names": str(len(names)),
            "symmetric": "yes" if symmetric else "no",
            "header_row": str(records[0].row),
        },
    )


def _findings(
    names: tuple[str, ...], values: list[list[Decimal | None]]
) -> tuple[list[str], bool]:
    """Return what a person should know, and whether both sides of the diagonal agree."""
    places = range(len(names))
    uneven = [
        (one, two) for one in places for two in range(one) if values[one][two] != values[two][one]
    ]
    wrong = [name for at, name in enumerate(names) if (values[at][at] or Decimal(0)) < 0]
    told = ["The matrix does not state over which period, and whether its figures are of a year."]
    if uneven:
        one, two = uneven[0]
        pair = f"({names[two]}, {names[one]} first)"
        told.append(f"Pairs that differ across the diagonal: {len(uneven)} {pair}.")
    if wrong:
        told.append(f"Negative variances: {', '.join(wrong[:5])}.")
    return told, not uneven


def _values(record: Record, count: int) -> list[Decimal | None]:
    cells = record.cells[1:]
    if len(cells) != count:
        return [None]
    return [numbers.amount(cell, ".") for cell in cells]
