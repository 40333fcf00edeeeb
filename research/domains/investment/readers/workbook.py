"""XLSX and XLS workbooks: every cell as text, as exact as it is stored."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum

from research.domain import Unreadable
from research.domains.investment.readers import archive, biff
from research.domains.investment.readers.limits import HELD_CELLS, MAX_SHEETS
from research.domains.investment.readers.sheets import Record, Sheet, clean, replayed
from research.reading.containers import Container, refusal

Cell = int | float | str | bool | time | date | datetime | timedelta
_PANIC: Final = "PanicException"
_EXACT: Final = 1e15  # whole numbers below it are stored exactly


def sheets(raw: bytes, container: Container) -> list[Sheet]:
    """Return the sheets of a workbook that hold cells, hidden ones included.

    Raises:
        Unreadable: damaged, encrypted, or past a limit.
    """
    (archive if container is Container.XLSX else biff).check(raw)
    try:
        return list(_sheets(raw, container))
    except (CalamineError, ValueError, OSError, IndexError, OverflowError) as error:
        if isinstance(error, Unreadable):
            raise
        raise _damaged(raw, container, error) from error
    except BaseException as error:
        # The library is written in Rust: what it did not foresee comes as a panic, which is no Exception.
        if type(error).__name__ == _PANIC:
            raise _damaged(raw, container, error) from error
        raise


def _sheets(raw: bytes, container: Container) -> Iterator[Sheet]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    names = [each.name for each in book.sheets_metadata if each.typ is SheetTypeEnum.WorkSheet]
    if len(names) > MAX_SHEETS:
        raise Unreadable(
            f"the workbook has {len(names):,} sheets, more than the limit of {MAX_SHEETS}"
        )
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.height and sheet.width:
            yield _sheet(sheet, container, name if len(names) > 1 else "")


def _sheet(sheet: CalamineSheet, container: Container, name: str) -> Sheet:
    numbers: dict[int, int] = {}

    def rows() -> Iterator[Record]:
        numbers.clear()
        first, left = sheet.start or (0, 0)
        # Rows and columns are those of the sheet, also where its first cells are blank.
        for row in range(1, first + 1):
            yield Record(row, (), name)
        for row, cells in enumerate(sheet.iter_rows(), start=first + 1):
            yield Record(row, ("",) * left + _texts(cells, left, numbers), name)

    small = sheet.height * sheet.width <= HELD_CELLS
    return Sheet(
        container=container.value,
        rows=replayed(rows) if small else rows,
        name=name,
        numbers=numbers,
    )


def _texts(cells: list[Cell], left: int, numbers: dict[int, int]) -> tuple[str, ...]:
    texts: list[str] = []
    for at, cell in enumerate(cells, start=left):
        if isinstance(cell, str):
            texts.append(clean(cell))
            continue
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            numbers[at] = numbers.get(at, 0) + 1
        texts.append(text_of(cell))
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


def text_of(cell: Cell) -> str:
    """Return a cell as text: 600519.0 is 600519, a date at midnight is that day."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        if cell.is_integer() and abs(cell) < _EXACT:
            return str(int(cell))
        return format(Decimal(repr(cell)), "f")
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    return cell.isoformat() if isinstance(cell, date | time) else str(cell)


def _damaged(raw: bytes, container: Container, error: BaseException) -> Unreadable:
    words = " ".join(str(error).split())[:120]
    return refusal(
        f"an {container.value.upper()} workbook that is damaged or encrypted ({words})", raw
    )
