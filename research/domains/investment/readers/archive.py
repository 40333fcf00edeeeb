"""A workbook's ZIP container, looked at before it is unpacked: how large it and its sheets become.

The library that reads sheets keeps room for every cell between the corners of a sheet; two cells
far apart would take all memory there is.  So the corners are looked up first.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import IO, Final

from research.domain import Unreadable
from research.domains.investment.readers.limits import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_PARTS,
    MAX_RATIO,
    MAX_ROWS,
    MAX_UNPACKED_BYTES,
)
from research.reading.containers import refusal

_CELL: Final = re.compile(rb"""\sr\s*=\s*["']\s*([A-Za-z]{0,8})([0-9]{1,12})\s*["']""")
_PIECE: Final = 1024 * 1024
_OVERLAP: Final = 64
_SMALL: Final = 64 * 1024  # a part this small may pack as well as it likes
_COLUMN_LETTERS: Final = 3


def check(raw: bytes) -> None:
    """Refuse a container that would take too much room.

    Raises:
        Unreadable: too many parts, too many bytes unpacked, too high a ratio, too large a sheet, or damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            parts = archive.infolist()
            _check_parts(parts)
            unpacked = 0
            for part in parts:
                with archive.open(part) as stream:
                    unpacked = _check_part(stream, part, unpacked)
    except Unreadable:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        RuntimeError,
        NotImplementedError,
    ) as error:
        raise refusal("an XLSX workbook that is damaged or encrypted", raw) from error


def _check_parts(parts: list[zipfile.ZipInfo]) -> None:
    if len(parts) > MAX_PARTS:
        raise Unreadable(
            f"the workbook has {len(parts):,} parts, more than the limit of {MAX_PARTS:,}"
        )
    said = sum(part.file_size for part in parts)
    if said > MAX_UNPACKED_BYTES:
        raise _too_large(said)
    for part in parts:
        _check_ratio(part, part.file_size)


def _check_part(stream: IO[bytes], part: zipfile.ZipInfo, unpacked: int) -> int:
    """Unpack a part piece by piece; what it says of its size is not believed."""
    sheet = part.filename.startswith("xl/worksheets/")
    size, rest, last_row, last_column = 0, b"", 0, 0
    while piece := stream.read(_PIECE):
        size += len(piece)
        if unpacked + size > MAX_UNPACKED_BYTES:
            raise _too_large(unpacked + size)
        _check_ratio(part, size)
        if sheet:
            last_row, last_column = _corner(rest + piece, last_row, last_column)
            rest = piece[-_OVERLAP:]
    check_corner(last_row, last_column, part.filename)
    return unpacked + size


def _corner(piece: bytes, row: int, column: int) -> tuple[int, int]:
    found = _CELL.findall(piece)
    for digits in {digits for _, digits in found}:
        row = max(row, int(digits))
    for letters in {letters for letters, _ in found if letters}:
        column = max(column, _column(letters))
    return row, column


def _column(letters: bytes) -> int:
    if len(letters) > _COLUMN_LETTERS:
        return MAX_COLUMNS + 1
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def check_corner(rows: int, columns: int, sheet: str) -> None:
    """Refuse a sheet whose furthest cell is too far away.

    Raises:
        Unreadable: naming the limit.
    """
    if rows > MAX_ROWS:
        raise Unreadable(
            f"the sheet {sheet} reaches to row {rows:,}: more than the limit of {MAX_ROWS:,} rows"
        )
    if columns > MAX_COLUMNS:
        raise Unreadable(
            f"the sheet {sheet} reaches to column {columns:,}: more than the limit of {MAX_COLUMNS} columns"
        )
    if rows * columns > MAX_CELLS:
        raise Unreadable(
            f"the sheet {sheet} has {rows * columns:,} cells between its corners, more than "
            f"the limit of {MAX_CELLS:,}"
        )


def _check_ratio(part: zipfile.ZipInfo, size: int) -> None:
    if size > _SMALL and size > part.compress_size * MAX_RATIO:
        raise Unreadable(
            f"the part {part.filename[:80]} of the workbook unpacks to more than {MAX_RATIO} "
            f"times its packed size "
            "(the limit): this is no table"
        )


def _too_large(size: int) -> Unreadable:
    return Unreadable(
        f"the workbook unpacks to {size:,} bytes or more, the limit is {MAX_UNPACKED_BYTES:,}"
    )
