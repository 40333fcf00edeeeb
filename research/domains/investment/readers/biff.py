"""An XLS workbook's streams, looked at before it is read: where its furthest cells are.

See `archive.py` for the reason.  Only what is needed is understood: the chain of sectors of the workbook's
stream, and the row and column of each record that holds cells.

Source: [MS-CFB] (compound files), [MS-XLS] (records).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from research.domains.investment.readers.archive import check_corner
from research.reading.containers import refusal

_HEADER_BYTES: Final = 512
_END: Final = 0xFFFFFFFA  # sector numbers from here on are marks
_ENTRY_BYTES: Final = 128
_SECTOR_SHIFTS: Final = (9, 12)
_MINI_SHIFT: Final = 6
_NAMES: Final = ("Workbook", "Book")
_ENCRYPTED: Final = "EncryptedPackage"
_CELLS: Final = frozenset(  # records that begin with a row and a column
    {0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x007E, 0x00D6, 0x00FD, 0x0201, 0x0203, 0x0204, 0x0205,
     0x027E,      0x0206, 0x0406}
)  # fmt: skip
_MANY: Final = frozenset(
    {0x00BD, 0x00BE}
)  # several cells of one row; the last column ends the record
_BEGIN: Final = 0x0809


def check(raw: bytes) -> None:
    """Refuse an OLE file that is no workbook, or one whose sheets are too large.

    Raises:
        Unreadable: naming what it is.
    """
    try:
        stream = _workbook(raw)
        for number, (rows, columns) in enumerate(_corners(stream), start=1):
            check_corner(rows, columns, f"{number}")
    except (struct.error, IndexError) as error:
        raise refusal("an OLE container that is damaged (cut off, perhaps)", raw) from error


def _workbook(raw: bytes) -> bytes:
    shift, mini_shift = struct.unpack_from("<HH", raw, 30)
    if shift not in _SECTOR_SHIFTS or mini_shift != _MINI_SHIFT:
        raise refusal("an OLE container that is damaged (its sectors have no known size)", raw)
    size = 1 << shift
    fat = _allocation(raw, size)
    directory = _chain(raw, size, fat, struct.unpack_from("<I", raw, 48)[0])
    entries = {name: (start, length) for name, start, length in _entries(directory)}
    found = next((entries[name] for name in _NAMES if name in entries), None)
    if found is None:
        what = (
            "an encrypted workbook"
            if _ENCRYPTED in entries
            else "an OLE file that is no workbook (an old Office file)"
        )
        raise refusal(what, raw)
    start, length = found
    if length >= struct.unpack_from("<I", raw, 56)[0]:
        return _chain(raw, size, fat, start)[:length]
    root_start = next(
        (start for name, start, _ in _entries(directory) if name == "Root Entry"), _END
    )
    minis = _chain(raw, size, fat, root_start)
    table = _chain(raw, size, fat, struct.unpack_from("<I", raw, 60)[0])
    mini_fat = struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4])
    return _chain(minis, 1 << _MINI_SHIFT, mini_fat, start, header=0)[:length]


def _allocation(raw: bytes, size: int) -> tuple[int, ...]:
    """Return the table that says which sector follows which."""
    sectors = list(struct.unpack_from("<109I", raw, 76))
    more = struct.unpack_from("<I", raw, 68)[0]
    seen: set[int] = set()
    while more < _END and more not in seen:
        seen.add(more)
        numbers = struct.unpack_from(f"<{size // 4}I", raw, _at(more, size))
        sectors += numbers[:-1]
        more = numbers[-1]
    table: list[int] = []
    for sector in sectors:
        if sector < _END:
            table += struct.unpack_from(f"<{size // 4}I", raw, _at(sector, size))
    return tuple(table)


def _at(sector: int, size: int) -> int:
    return max(_HEADER_BYTES, size) + sector * size


def _chain(
    raw: bytes, size: int, table: tuple[int, ...], sector: int, header: int | None = None
) -> bytes:
    first = max(_HEADER_BYTES, size) if header is None else header
    parts: list[bytes] = []
    seen: set[int] = set()
    while sector < _END:
        if sector in seen or first + sector * size > len(raw):
            raise IndexError(sector)
        seen.add(sector)
        parts.append(raw[first + sector * size : first + (sector + 1) * size])
        sector = table[sector]
    return b"".join(parts)


def _entries(directory: bytes) -> Iterator[tuple[str, int, int]]:
    for at in range(0, len(directory) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
        length = struct.unpack_from("<H", directory, at + 64)[0]
        name = directory[at : at + max(min(length, 64) - 2, 0)].decode("utf-16-le", "replace")
        start, size = struct.unpack_from("<II", directory, at + 116)
        if name:
            yield name, start, size


def _corners(stream: bytes) -> Iterator[tuple[int, int]]:
    """Yield rows and columns up to the furthest cell of each substream."""
    at, row, column = 0, -1, -1
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        if kind == _BEGIN:
            yield row + 1, column + 1
            row, column = -1, -1
        elif kind in _CELLS and length >= 4:  # noqa: PLR2004 - a row and a column
            here = struct.unpack_from("<HH", stream, at + 4)
            row, column = max(row, here[0]), max(column, here[1])
        elif kind in _MANY and length >= 6:  # noqa: PLR2004
            first_row = struct.unpack_from("<H", stream, at + 4)[0]
            last = struct.unpack_from("<H", stream, at + 4 + length - 2)[0]
            row, column = max(row, first_row), max(column, last)
        at += 4 + length
    yield row + 1, column + 1
