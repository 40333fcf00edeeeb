"""How large a file may be: past each limit it is refused, with the limit named."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 50 * 1024 * 1024
MAX_ROWS: Final = 100_000
MAX_COLUMNS: Final = 200
MAX_LINES: Final = 500  # lines of one portfolio
MAX_CELL_CHARACTERS: Final = 1_000  # in a row of a table; footers may be longer
SEARCHED_ROWS: Final = 200  # a header row is looked for in these first rows
SHOWN_TEXT_CHARACTERS: Final = 200  # of a footer or a rejected row
