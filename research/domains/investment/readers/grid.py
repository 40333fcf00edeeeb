"""The tables of a file: which one holds the positions, and what its other rows belong to.

A file may hold the same table twice, a summary above, a list of transactions below.  One table is read; each
row of the others is kept with the reason why it counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers import columns
from research.domains.investment.readers.columns import HeaderKind
from research.domains.investment.readers.limits import (
    MAX_ROWS,
    MAX_TABLES,
    SEARCHED_ROWS,
)
from research.domains.investment.readers.numbers import looks_numeric
from research.domains.investment.readers.sheets import Record, Sheet

_TABLE_CELLS: Final = 4  # so many filled cells above the header are a row of another table
Place = tuple[int, int]  # sheet, position in it


@dataclass(frozen=True, slots=True)
class Grid:
    """The table that is read, and every other row of the file.

    Shape:
        container: how the rows were stored, e.g. "csv"
        kind: what the table holds
        columns: role → index of the column
        unit: "percent" or "fraction" where the header of the weight column says so, else ""
        records: rows of the file, blank ones included
        findings: what a person should know about how the container was read
        zeros: role → length of its codes, where a spreadsheet took leading zeros from some
    """

    container: str
    sheets: tuple[Sheet, ...]
    kind: HeaderKind
    preamble: tuple[Record, ...]
    header: Record
    at: Place
    columns: dict[str, int]
    unit: str
    records: int
    delimiter: str = ""
    findings: tuple[str, ...] = ()
    reasons: dict[Place, str] = field(
        default_factory=dict
    )  # where another part begins → why it is not read
    zeros: dict[str, int] = field(default_factory=dict)

    def cell(self, record: Record, role: str) -> str:
        """Return the cell of this role, "" where the column or the cell is missing."""
        at = self.columns.get(role, -1)
        return record.cells[at] if 0 <= at < len(record.cells) else ""

    def body(self) -> Iterator[Record]:
        """Yield the rows of the table, blank ones left out."""
        return (record for record, reason in self.rows() if not reason)

    def rows(self) -> Iterator[tuple[Record, str]]:
        """Yield every row but the header and what stands above it, with why it is not read, or ""."""
        others = frozenset((record.sheet, record.row) for record in self.preamble)
        for number, sheet in enumerate(self.sheets):
            reason = _NO_TABLE
            for place, record in enumerate(sheet):
                here = (number, place)
                if here == self.at:
                    reason = ""
                    continue
                reason = self.reasons.get(here, reason)
                if not record.filled:
                    continue
                if (
                    number == self.at[0]
                    and place < self.at[1]
                    and (record.sheet, record.row) in others
                ):
                    continue
                yield record, reason

    def repeated_at(self) -> int:
        """Return the row in which the table begins again, 0 where it stands once."""
        again = (record.row for record, reason in self.rows() if reason.startswith(REPEATS))
        return next(again, 0)

    def numbered(self, role: str) -> int:
        """Return how many cells of this column were stored as numbers."""
        return self.sheets[self.at[0]].numbers.get(self.columns.get(role, -1), 0)


REPEATS: Final = "it repeats"
_NO_TABLE: Final = "it belongs to no table of positions"


@dataclass(slots=True)
class Found:
    """A header row, and where it stands."""

    at: Place
    header: Record
    kind: HeaderKind


class SeveralTables(Unreadable):
    """Two tables of positions in one file; `headers` are those of all its tables of their kind."""

    headers: tuple[Found, ...] = ()


def find(sheets: Sequence[Sheet], raw: bytes) -> Grid | None:
    """Return the table of positions of a file, None where no sheet has a header row.

    Raises:
        Unreadable: two different tables of positions, or too many rows.
    """
    found, records = _survey(sheets)
    if not found:
        return None
    kind = min(each.kind for each in found)
    same = [each for each in found if each.kind is kind]
    held = [_instruments(sheets, same, each) for each in same] if len(same) > 1 else [frozenset()]
    main = same[max(range(len(same)), key=lambda at: (len(held[at]), -at))]
    reasons = {each.at: _of_another(each) for each in found if each is not main}
    for other, instruments in zip(same, held, strict=True):
        if other is not main:
            first = held[same.index(main)]
            within = instruments <= first and bool(first)
            reasons[other.at] = _repeats(main, other, within, same, raw)
    sheet = sheets[main.at[0]]
    preamble = tuple(_above(sheet, main.at[1]))
    kept, strange = _parted(preamble)
    for place, reason in strange.items():
        reasons[main.at[0], place] = reason
    cells = main.header.cells
    roles = columns.roles_of(cells, main.header.row)
    return Grid(
        container=sheet.container,
        sheets=tuple(sheets),
        kind=kind,
        preamble=kept,
        header=main.header,
        at=main.at,
        columns=roles,
        unit=columns.weight_unit(cells[roles["weight"]]) if "weight" in roles else "",
        records=records,
        delimiter=sheet.delimiter,
        findings=(*sheet.findings, *_told(found, main, reasons, strange)),
        reasons=reasons,
    )


def nearest(sheets: Sequence[Sheet]) -> Record | None:
    """Return the first row that names two known columns without being a header."""
    for sheet in sheets:
        for place, record in enumerate(sheet):
            if place >= SEARCHED_ROWS:
                break
            if len(columns.known(record.cells)) > 1:
                return record
    return None


def _survey(sheets: Sequence[Sheet]) -> tuple[list[Found], int]:
    found: list[Found] = []
    records = 0
    for number, sheet in enumerate(sheets):
        headed = False
        for place, record in enumerate(sheet):
            records += 1
            if records > MAX_ROWS:
                raise Unreadable(
                    f"row {record.row}: the file has more than the limit of {MAX_ROWS:,} rows",
                    row=record.row,
                )
            if not headed and place >= SEARCHED_ROWS:
                continue
            kind = columns.kind_of(record.cells)
            if kind is not None:
                headed = True
                found.append(Found((number, place), record, kind))
                if len(found) > MAX_TABLES:
                    raise Unreadable(
                        f"row {record.row}: the file has more than the limit of {MAX_TABLES} tables",
                        row=record.row,
                    )
    return found, records


def _above(sheet: Sheet, end: int) -> Iterator[Record]:
    for place, record in enumerate(sheet):
        if place == end:
            return
        yield record


def _parted(preamble: tuple[Record, ...]) -> tuple[tuple[Record, ...], dict[int, str]]:
    """Take the rows of another table out of what stands above the header; its own header stays."""
    kept: list[Record] = []
    reasons: dict[int, str] = {}
    head: Record | None = None
    for place, record in enumerate(preamble):
        filled = record.filled
        if len(filled) < _TABLE_CELLS:
            head = None
        elif head is None:
            head = record if not any(map(looks_numeric, filled)) else None
        else:
            reasons[place] = (
                f"it belongs to another table (header in row {head.row}: {', '.join(head.filled)[:80]}), "
                "which holds no positions"
            )
            continue
        kept.append(record)
    return tuple(kept), reasons


def _of_another(other: Found) -> str:
    what = {
        HeaderKind.WEIGHTS: "weights",
        HeaderKind.TRANSACTIONS: "transactions",
        HeaderKind.VALUES: "values",
        HeaderKind.SECTORS: "sectors",
    }[other.kind]
    return f"it belongs to another table, of {what}, with the header in row {other.header.row}"


def _repeats(
    main: Found,
    other: Found,
    within: bool,  # noqa: FBT001
    same: Sequence[Found],
    raw: bytes,
) -> str:
    """Say that another table holds only instruments of the one that is read.

    Raises:
        SeveralTables: it holds others.
    """
    if within:
        return f"{REPEATS} the table with the header in row {main.header.row}"
    one, two = sorted((main, other), key=lambda each: each.at)
    of = f" of sheet {two.header.sheet!r}" if two.header.sheet else ""
    several = SeveralTables(
        f"two tables in one file: the header row of the first is row {one.header.row}, of the second "
        f"row {two.header.row}{of}, and they hold different positions; "
        "save each table as a file of its own",
        row=two.header.row,
        first_bytes=raw,
    )
    several.headers = tuple(same)
    raise several


def _instruments(
    sheets: Sequence[Sheet], same: Sequence[Found], of: Found
) -> frozenset[tuple[str, ...]]:
    """Return what identifies the rows of one table."""
    roles = columns.roles_of(of.header.cells, of.header.row)
    places = sorted(roles[role] for role in ("isin", "ticker", "code", "name") if role in roles)
    ends = {each.at[1] for each in same if each.at[0] == of.at[0]}
    found: set[tuple[str, ...]] = set()
    for place, record in enumerate(sheets[of.at[0]]):
        if place <= of.at[1]:
            continue
        if place in ends:
            break
        if len(record.filled) >= _TABLE_CELLS - 1:
            found.add(tuple(record.cells[at] for at in places if at < len(record.cells)))
    return frozenset(found)


def _told(
    found: Sequence[Found], main: Found, reasons: dict[Place, str], strange: dict[int, str]
) -> list[str]:
    told = [
        f"The table with the header in row {each.header.row}"
        + (f" of sheet {each.header.sheet!r}" if each.header.sheet else "")
        + f" was not read: {reasons[each.at]}."
        for each in found
        if each is not main
    ]
    if strange:
        told.append(f"Rows above the header that belong to another table: {len(strange)}.")
    return told
