"""Delimited text, any delimiter: rows as the csv module reads them, strictly."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers.limits import (
    HELD_BYTES,
    MAX_COLUMNS,
    MAX_ROWS,
    SEARCHED_ROWS,
)
from research.domains.investment.readers.sheets import Record, Sheet, replayed
from research.reading.encoding import Text

DELIMITERS: Final = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
    "^": "caret",
    "~": "tilde",
}
_TABLE_ROWS: Final = 3  # so many rows alike, with so many cells, are a table and no prose
_TABLE_CELLS: Final = 3


def sheet_of(text: Text, sign: str) -> Sheet:
    """Return the text as one sheet under this delimiter."""
    quote = _quote_of(text, sign)

    def rows() -> Iterator[Record]:
        return _records(text, sign, quote)

    return Sheet(
        container="csv",
        rows=replayed(rows) if len(text.raw) <= HELD_BYTES else rows,
        delimiter=DELIMITERS[sign],
        findings=text.findings,
    )


def tabular(text: Text) -> bool:
    """Whether some delimiter parts the text into rows alike, as no prose is."""
    for sign in DELIMITERS:
        alike, before = 0, 0
        try:
            for record in islice(_records(text, sign), SEARCHED_ROWS):
                cells = len(record.cells)
                alike = alike + 1 if cells == before and cells >= _TABLE_CELLS else 1
                before = cells
                if alike >= _TABLE_ROWS and not _prose(record):
                    return True
        except Unreadable:
            continue
    return False


def _prose(record: Record) -> bool:
    """Whether these cells are clauses of a sentence rather than cells."""
    return any(len(cell.split()) > 8 for cell in record.cells)  # noqa: PLR2004 - words of a clause


def _quote_of(text: Text, sign: str) -> str:
    """Return the single quote where whole cells stand in it and no double quote occurs."""
    head = text.head()
    cell = rf"(?:^|{re.escape(sign)})'[^'\n]+'(?=\r?$|{re.escape(sign)})"
    quoted = re.findall(cell, head, re.MULTILINE) if '"' not in head and "'" in head else []
    return "'" if len(quoted) >= _TABLE_CELLS else '"'


def _records(text: Text, sign: str, quote: str = '"') -> Iterator[Record]:
    with text.stream() as stream:
        reader = csv.reader(
            stream, delimiter=sign, quotechar=quote, strict=True, skipinitialspace=True
        )
        row, read = 1, 0
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise Unreadable(
                    f"row {row}: {_explained(str(error))}", row=row, first_bytes=text.raw
                ) from error
            read += 1
            if read > MAX_ROWS:
                raise Unreadable(
                    f"row {row}: the file has more than the limit of {MAX_ROWS:,} rows", row=row
                )
            if len(cells) > MAX_COLUMNS:
                raise Unreadable(
                    f"row {row} has {len(cells):,} cells, more than the limit of {MAX_COLUMNS}",
                    row=row,
                )
            yield Record(row, tuple([cell.strip() for cell in cells]))
            row = reader.line_num + 1


def _explained(error: str) -> str:
    """Put the csv module's words into those of somebody who looks at the file."""
    if "field larger" in error:
        limit = csv.field_size_limit()
        return f"a cell is longer than {limit:,} characters, or its quote is never closed"
    if "unexpected end" in error:
        return "a quote opens here and is never closed"
    return f"broken quoting ({error})"
