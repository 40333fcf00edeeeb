"""Rows of cells, whatever container they came from.

Each container makes `Sheet`s; the layouts see only those and the `Grid` made of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

_UNTEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Record:
    """One row: its number in its sheet (1-based) and its cells, trimmed; `sheet` where there are several."""

    row: int
    cells: tuple[str, ...]
    sheet: str = ""

    @property
    def filled(self) -> tuple[str, ...]:
        """The cells that are not blank."""
        return tuple(cell for cell in self.cells if cell)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sequence of rows that can be gone through again and again.

    Shape:
        container: how the rows were stored, e.g. "csv"
        rows: begins a new pass
        delimiter: its name, where the container has one
        numbers: column → cells of it that were stored as numbers and not as text, from the last pass
    """

    container: str
    rows: Callable[[], Iterator[Record]]
    name: str = ""
    delimiter: str = ""
    findings: tuple[str, ...] = ()
    numbers: dict[int, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Record]:
        return self.rows()


def clean(cell: str) -> str:
    """Return a cell, trimmed, with a mark in the place of what no text may hold (NUL, half a pair)."""
    return cell.strip() if cell.isprintable() else _UNTEXT.sub("\ufffd", cell).strip()


def replayed(rows: Callable[[], Iterator[Record]]) -> Callable[[], Iterator[Record]]:
    """Keep the rows of the first whole pass, for sheets small enough to be held."""
    held: list[list[Record]] = []

    def again() -> Iterator[Record]:
        if held:
            yield from held[0]
            return
        taken: list[Record] = []
        for record in rows():
            taken.append(record)
            yield record
        held.append(taken)

    return again
