"""Bytes to rows: what the file is, is told by its content and never by its name.

The way of a file: `nondata` refuses what is no table, `encoding` makes text, `grid` finds the
delimiter and the header, and the first layout that recognises the table reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.readers import issuer, portfolio
from research.domains.investment.readers.encoding import decode
from research.domains.investment.readers.grid import Grid, csv_grid
from research.domains.investment.readers.nondata import refuse_bytes, refuse_text
from research.domains.investment.readers.preamble import Preamble, read_preamble

Layout = tuple[Callable[[Grid, Preamble], bool], Callable[[Grid, Preamble], Reading]]
LAYOUTS: Final[tuple[Layout, ...]] = (
    (issuer.recognises, issuer.read),
    (portfolio.recognises, portfolio.read),
)


def read(raw: bytes, title: str) -> Reading:  # noqa: ARG001 - a file is what it holds, not its name
    """Read a file of this domain.

    Raises:
        Unreadable: the bytes are nothing that is read here; the message says what they are.
    """
    refuse_bytes(raw)
    text, findings = decode(raw)
    refuse_text(text, raw)
    grid = csv_grid(text, raw, findings)
    preamble = read_preamble(grid.preamble)
    for recognises, read_layout in LAYOUTS:
        if recognises(grid, preamble):
            return read_layout(grid, preamble)
    raise Unreadable(
        f"the table with the header in row {grid.header.row} is neither a portfolio (name, ISIN "
        "or ticker, weight, asset class) nor names a fund (a line `Fund,<name>` above the header)",
        row=grid.header.row,
        first_bytes=raw,
    )
