"""How large a table may be: past each limit it is refused, with the limit named.

A file at the limit of bytes is read in less than 200 MB of memory: rows are taken one at a time,
and what would have to be held whole (JSON, the sheets of a workbook) has a lower limit of its own.
"""

from __future__ import annotations

from typing import Final

MAX_ROWS: Final = 50_000  # of all tables and sheets of a file
MAX_COLUMNS: Final = 200
MAX_TABLES: Final = 30  # header rows in one file
MAX_LINES: Final = 500  # lines of one portfolio
MAX_CELL_CHARACTERS: Final = 1_000  # in a row of a table; footers may be longer
SEARCHED_ROWS: Final = 200  # a header row is looked for in these first rows
SHOWN_TEXT_CHARACTERS: Final = 200  # of a footer or a rejected row

HELD_BYTES: Final = 2 * 1024 * 1024  # a smaller text is taken apart once and its rows held
HELD_CELLS: Final = 100_000  # and so is a sheet with fewer cells

MAX_JSON_BYTES: Final = 8 * 1024 * 1024  # a JSON document is held whole, about ten times its size
MAX_DEPTH: Final = 32  # elements of XML, or arrays and objects of JSON, within each other
MAX_ELEMENTS: Final = 5_000_000  # of one XML document

MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024  # all parts of a workbook together
MAX_RATIO: Final = 200  # unpacked bytes for each packed one; a table packs ten to thirty times
MAX_PARTS: Final = 2_000  # files in a workbook
MAX_SHEETS: Final = 50
MAX_CELLS: Final = 1_000_000  # of one sheet, blank ones within its corners counted
