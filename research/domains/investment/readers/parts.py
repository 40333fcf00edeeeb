"""One table in several parts on one sheet: shares first, bonds below, each part under a header of its own.

Two tables are one only where their weights say so: no part is a whole, and all of them together are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from research.domains.investment.readers import columns, grid, identity, numbers, rows
from research.domains.investment.readers.columns import HeaderKind
from research.domains.investment.readers.grid import Found, Grid, SeveralTables
from research.domains.investment.readers.preamble import read_preamble
from research.domains.investment.readers.sheets import Record, Sheet

_KEY_AND_VALUE: Final = 2
_NAMES: Final = frozenset({"fund", "portfolio", "isin", "ticker"})
_WHOLES: Final = (Decimal(100), Decimal(1))
_ROUNDING: Final = Decimal("0.005")  # of a whole: weights rounded to one decimal stay within it


def find(sheets: Sequence[Sheet], raw: bytes) -> Grid | None:
    """Return the table of positions of a file, its parts joined, None where no sheet has a header row.

    Raises:
        Unreadable: two different tables of positions that are no parts of one, or too many rows.
    """
    try:
        return grid.find(sheets, raw)
    except SeveralTables as several:
        whole = _whole(sheets, several.headers, raw)
        if whole is None:
            raise
        return whole


def _whole(sheets: Sequence[Sheet], headers: Sequence[Found], raw: bytes) -> Grid | None:
    at = headers[0].at[0]
    if any(each.at[0] != at or each.kind is not HeaderKind.WEIGHTS for each in headers):
        return None
    if _begins_again(sheets[at], headers):
        return None
    layouts = [columns.roles_of(each.header.cells, each.header.row) for each in headers]
    pairs = zip(headers, layouts, strict=True)
    if len({columns.weight_unit(each.header.cells[roles["weight"]]) for each, roles in pairs}) > 1:
        return None
    joined = list(sheets)
    joined[at] = _joined(sheets[at], headers, layouts)
    found = grid.find(joined, raw)
    return found if found and _is_whole(found) else None


def _begins_again(sheet: Sheet, headers: Sequence[Found]) -> bool:
    """Whether a line between the headers names another fund or portfolio."""
    first, last = headers[0].at[1], headers[-1].at[1]
    between = (record for place, record in enumerate(sheet) if first < place < last)
    names = (read_preamble([each]) for each in between if 0 < len(each.filled) <= _KEY_AND_VALUE)
    return any(each.values.keys() & _NAMES for each in names)


def _is_whole(found: Grid) -> bool:
    """Whether the weights of the rows that sum up no others are 100 percent, and no row stands twice."""
    sign = rows.decimal_sign_of(found, "weight")
    total = Decimal(0)
    seen: set[tuple[str, ...]] = set()
    for record in found.body():
        codes = identity.codes(found, record)
        weight = numbers.weight(found.cell(record, "weight"), sign)
        if weight is None or rows.is_total(record.filled[0], codes):
            continue
        total += weight
        key = tuple(codes.values())
        if any(key) and key in seen:
            return False
        seen.add(key)
    return any(abs(total - whole) <= whole * _ROUNDING for whole in _WHOLES)


def _joined(sheet: Sheet, headers: Sequence[Found], layouts: Sequence[dict[str, int]]) -> Sheet:
    """Return the sheet with the columns of each part where the first has them, all others behind."""
    head = list(headers[0].header.cells)
    moves: dict[int, dict[int, int]] = {}
    first = dict(layouts[0])
    for part, roles in zip(headers[1:], layouts[1:], strict=True):
        named = {at: role for role, at in roles.items()}
        move: dict[int, int] = {}
        for at, cell in enumerate(part.header.cells):
            role = named.get(at, "")
            if role not in first:
                head.append(cell if role or not columns.meaning(cell).role else "")
                if role:
                    first[role] = len(head) - 1
                move[at] = len(head) - 1
            else:
                move[at] = first[role]
        moves[part.at[1]] = move
    said = (
        f"The table stands in {len(headers)} parts, with headers in rows "
        f"{', '.join(str(each.header.row) for each in headers)}; they were read as one, because "
        "their weights are a whole only together."
    )

    def moved() -> Iterator[Record]:
        move: dict[int, int] | None = None
        for place, record in enumerate(sheet):
            if place == headers[0].at[1]:
                yield replace(record, cells=tuple(head))
            elif place in moves:
                move = moves[place]
                yield replace(record, cells=(" | ".join(record.filled),))
            else:
                yield (
                    record if move is None else replace(record, cells=_placed(record, move, head))
                )

    return replace(sheet, rows=moved, findings=(*sheet.findings, said))


def _placed(record: Record, move: dict[int, int], head: Sequence[str]) -> tuple[str, ...]:
    if len(record.filled) <= 1:
        return record.filled
    cells = [""] * len(head)
    for at, cell in enumerate(record.cells):
        to = move.get(at, len(cells) if cell else -1)
        if to >= len(cells):  # more cells than the header: such a row is rejected by its number
            cells.append(cell)
        elif to >= 0:
            cells[to] = cell
    return tuple(cells)
