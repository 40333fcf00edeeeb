"""Rows of cells, whatever container they came from, and the delimited text container.

The layout readers (`portfolio.py`, `issuer.py`) see only a `Grid`; another container needs only
another function that makes one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers import columns
from research.domains.investment.readers.limits import MAX_COLUMNS, MAX_ROWS, SEARCHED_ROWS

DELIMITERS: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


@dataclass(frozen=True, slots=True)
class Record:
    """One row: its number in the file (1-based, the line it begins on) and its cells, trimmed."""

    row: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> tuple[str, ...]:
        """The cells that are not blank."""
        return tuple(cell for cell in self.cells if cell)


@dataclass(frozen=True, slots=True)
class Grid:
    """A file with one table: what stands above it, its header, and everything below.

    Shape:
        container: how the rows were stored, e.g. "csv"
        columns: role → index of the column
        unit: "percent" where the header of the weight column says so, else ""
        delimiter: its name, where the container has one
        findings: what a person should know about how the container was read
    """

    container: str
    preamble: tuple[Record, ...]
    header: Record
    columns: dict[str, int]
    unit: str
    body: tuple[Record, ...]
    delimiter: str
    findings: tuple[str, ...]

    def cell(self, record: Record, role: str) -> str:
        """Return the cell of this role, "" where the column or the cell is missing."""
        at = self.columns.get(role, -1)
        return record.cells[at] if 0 <= at < len(record.cells) else ""


def csv_grid(text: str, raw: bytes, findings: list[str]) -> Grid:
    """Read delimited text that holds exactly one table with a column of weights.

    Raises:
        Unreadable: broken quoting, no header row, two tables, too many rows or columns.
    """
    sign, header = _find_header(text, raw)
    found = columns.roles_of(header.cells, header.row)
    before: list[Record] = []
    after: list[Record] = []
    for record in _records(text, sign, raw):
        if record.row == header.row:
            continue
        if record.row > header.row and columns.is_header(record.cells):
            raise Unreadable(
                f"two tables in one file: the header row of the first is row {header.row}, "
                f"of the second row {record.row}; save each table as a file of its own",
                row=record.row,
                first_bytes=raw,
            )
        (before if record.row < header.row else after).append(record)
        if len(before) + len(after) > MAX_ROWS:
            raise Unreadable(
                f"row {record.row}: the file has more than the limit of {MAX_ROWS:,} rows",
                row=record.row,
            )
    return Grid(
        container="csv",
        preamble=tuple(before),
        header=header,
        columns=found,
        unit=columns.weight_unit(header.cells[found["weight"]]),
        body=tuple(after),
        delimiter=DELIMITERS[sign],
        findings=tuple(findings),
    )


def _find_header(text: str, raw: bytes) -> tuple[str, Record]:
    """Return the delimiter under which a header row is seen best, and that row."""
    best: tuple[int, str, Record] | None = None
    nearest: Record | None = None
    broken: list[Unreadable] = []
    for sign in DELIMITERS:
        try:
            for record in islice(_records(text, sign, raw), SEARCHED_ROWS):
                if columns.is_header(record.cells):
                    score = len(columns.known(record.cells))
                    if best is None or score > best[0]:
                        best = (score, sign, record)
                    break
                if nearest is None and len(columns.known(record.cells)) > 1:
                    nearest = record
        except Unreadable as problem:
            broken.append(problem)
    if best is not None:
        return best[1], best[2]
    if len(broken) == len(DELIMITERS):
        raise broken[0]
    raise _no_header(nearest, broken, raw)


def _no_header(nearest: Record | None, broken: Sequence[Unreadable], raw: bytes) -> Unreadable:
    if nearest is None:
        also = "".join(f"; {each.problem}" for each in broken[:1])
        return Unreadable(
            f"no header row found in the first {SEARCHED_ROWS} rows: a table needs a column of "
            "weights and columns such as name, ISIN or ticker, asset class; "
            f"the file begins with {raw[:40]!r}{also}",
            first_bytes=raw,
        )
    missing = [name for name in ("weight", "name") if name not in columns.known(nearest.cells)]
    return Unreadable(
        f"the header in row {nearest.row} has no column for: {' and '.join(missing) or 'weight'}; "
        f"it reads: {', '.join(nearest.filled)[:200]}",
        row=nearest.row,
        first_bytes=raw,
    )


def _records(text: str, sign: str, raw: bytes) -> Iterator[Record]:
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=sign, strict=True, skipinitialspace=True
    )
    row = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Unreadable(
                f"row {row}: {_explained(str(error))}", row=row, first_bytes=raw
            ) from error
        if len(cells) > MAX_COLUMNS:
            raise Unreadable(
                f"row {row} has {len(cells):,} cells, more than the limit of {MAX_COLUMNS}",
                row=row,
            )
        yield Record(row, tuple(cell.strip() for cell in cells))
        row = reader.line_num + 1


def _explained(error: str) -> str:
    """Put the csv module's words into those of somebody who looks at the file."""
    if "field larger" in error:
        limit = csv.field_size_limit()
        return f"a cell is longer than {limit:,} characters, or its quote is never closed"
    if "unexpected end" in error:
        return "a quote opens here and is never closed"
    return f"broken quoting ({error})"
