"""Lists of what was bought and sold: no positions, and said so."""

from __future__ import annotations

import re
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers.columns import meaning
from research.domains.investment.readers.grid import Grid
from research.reading.dates import NOT_STATED, iso_date

_DATE: Final = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")


def refuse(grid: Grid, raw: bytes) -> Unreadable:
    """Say that a table holds transactions, and which of its dates cannot be."""
    columns = [at for at, cell in enumerate(grid.header.cells) if meaning(cell).role == "date"]
    count, impossible = 0, ""
    for record in grid.body():
        count += 1
        for at in columns:
            cell = record.cells[at] if at < len(record.cells) else ""
            if not impossible and _DATE.fullmatch(cell) and _cannot_be(cell):
                impossible = f"; row {record.row} has the impossible date {cell}"
    header = ", ".join(grid.header.filled)[:120]
    return Unreadable(
        f"this is a list of {count} transactions, not of positions (its header in row "
        f"{grid.header.row} reads: "
        f"{header}){impossible}; what is held cannot be told from it: export the positions",
        row=grid.header.row,
        first_bytes=raw,
    )


def _cannot_be(cell: str) -> bool:
    return all(iso_date(cell, month_first=order) == NOT_STATED for order in (True, False))
