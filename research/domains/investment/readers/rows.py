"""What all table layouts share: the class of a row, its weight, and the check of the sum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from research.domain import Unreadable
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.labels import taxonomy
from research.domains.investment.readers import numbers
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.limits import SHOWN_TEXT_CHARACTERS
from research.domains.investment.readers.sheets import Record
from research.reading import document

Row = dict[str, Any]
_TOTAL: Final = re.compile(
    r"(sub-?|grand |account |portfolio |fund )?totals?\b(?! return).*|sub-?total of\b.*|sum( of\b.*)?|net "
    r"assets\b.*|gesamt(summe)?\b.*|summe\b.*|insgesamt\b.*"
    r"|zwischensumme\b.*|((netto|teil)?fonds|netto)verm[oö]gen\b.*"
    r"|total general\b.*|(sub)?totale\b.*|sous-total\b.*|actif net\b.*|patrimonio nett?o\b.*"
    r"|合计.*|总计.*|小计.*|合計.*|(基金)?资产净值.*",
    re.IGNORECASE,
)
_FOOTER_CELLS: Final = 2  # a row of words below a table fills no more cells than this


class RowClass(StrEnum):
    """What a row is; every row below a header that is not blank has exactly one."""

    POSITION = "position"  # a security or a fund
    CASH = "cash"  # cash, money market, collateral
    DERIVATIVE = "derivative"  # futures, forwards, swaps, options
    SUBTOTAL = "subtotal"  # a sum of other rows: never counted
    FOOTER = "footer"  # words below the table
    REJECTED = "rejected"  # not understood: the row says why
    # In files that hold no positions:
    PASSAGE = document.PASSAGE  # a paragraph of a document
    LABEL = "label"  # a security with its sector
    SERIES = "series"  # one line of a covariance matrix


COUNTED: Final = (RowClass.POSITION, RowClass.CASH, RowClass.DERIVATIVE)
_OF_TABLES: Final = (*COUNTED, RowClass.SUBTOTAL, RowClass.FOOTER, RowClass.REJECTED)


def is_total(label: str, found: Mapping[str, str]) -> bool:
    """Whether a row is a sum of others; a company named TOTAL has a code and is none."""
    if found["isin"] or any(
        found[role].casefold() not in ("", label.casefold()) for role in ("code", "ticker")
    ):
        return False
    return _TOTAL.fullmatch(label) is not None


def words_only(record: Record, row_class: RowClass, reason: str = "") -> Row:
    """Keep a row that carries no position: its class, how it begins, and why it is no position."""
    row: Row = {
        "row": record.row,
        "class": row_class.value,
        "text": " | ".join(record.filled)[:SHOWN_TEXT_CHARACTERS],
    }
    if record.sheet:
        row["sheet"] = record.sheet
    return row | {"reason": reason} if reason else row


def elsewhere(record: Record, reason: str) -> Row:
    """Keep a row that belongs to no table that is read: words are a footer, cells are rejected."""
    if len(record.filled) <= _FOOTER_CELLS:
        return words_only(record, RowClass.FOOTER)
    return words_only(record, RowClass.REJECTED, reason)


def decimal_sign_of(grid: Grid, role: str) -> str:
    """Return the decimal sign of a column.

    Raises:
        Unreadable: one row uses a comma and another a point.
    """
    cells = ((record.row, grid.cell(record, role)) for record in grid.body())
    find = numbers.decimal_sign if role == "weight" else numbers.amount_sign
    sign, clash = find(cells)
    if clash:
        raise Unreadable(
            f"the {role.replace('_', ' ')} column mixes decimal signs: a point in row {clash[0]}, a comma in "
            f"row {clash[1]}",
            row=max(clash),
        )
    return sign


def unit_of_cells(grid: Grid) -> str:
    """Return "percent" where the weights carry the sign themselves, else ""."""
    cells = [cell for record in islice(grid.body(), 50) if (cell := grid.cell(record, "weight"))]
    return "percent" if cells and sum("%" in cell for cell in cells) * 2 > len(cells) else ""


def percent_factor(
    total: Decimal, unit: str, tolerance: Decimal, where: str, row: int, *, whole: bool = True
) -> tuple[int, list[str]]:
    """Return 1 where the weights are percent, 100 where they are fractions; the sum must agree.

    Args:
        total: the sum of the weights as stated.
        unit: what the header or the publisher says, "percent", "fraction" or "".
        tolerance: how far from 100 the sum may be, in percent points.
        where: the rows, for the message.
        row: the last row of the table.
        whole: False where a stated unit makes a list of some holdings readable too.

    Raises:
        Unreadable: the sum is near neither 100 nor 1.
    """
    if unit == "fraction":
        return _of_fractions(total, tolerance, where, row, whole=whole)
    if abs(total - 100) <= tolerance:
        said = [] if unit else [_UNIT_FROM_SUM.format(total=f"{total:f}")]
        return 1, said if not whole else []
    if abs(total - 1) * 100 <= tolerance:
        said_percent = ", although the header of the column says percent" if unit else ""
        return 100, [
            f"The weights sum to {total:f} and were read as fractions of 1{said_percent}."
        ]
    if unit and not whole and 0 < total < 100:  # noqa: PLR2004 - percent
        return 1, [
            f"The weights sum to {total:f} percent only: the file lists some of the holdings."
        ]
    raise Unreadable(
        f"the weights of {where} sum to {total:f}, which is neither 100 nor 1 "
        f"(tolerance {tolerance:f} of 100): rows are missing or stand twice",
        row=row,
    )


def _of_fractions(
    total: Decimal, tolerance: Decimal, where: str, row: int, *, whole: bool
) -> tuple[int, list[str]]:
    if abs(total - 1) * 100 <= tolerance:
        return 100, []
    if not whole and 0 < total < 1:
        return 100, [f"The fractions sum to {total:f} only: the file lists some of the holdings."]
    raise Unreadable(
        f"the weights of {where} sum to {total:f}, although the header of the column says that they are "
        "fractions of 1: the unit contradicts the sum",
        row=row,
    )


_UNIT_FROM_SUM: Final = (
    "The file does not state the unit of its weights; their sum of {total} says percent."
)


def scaled(rows: Iterable[Row], factor: int) -> Decimal:
    """Turn the stated weights of counted rows into percent, exactly, and return their sum."""
    total = Decimal(0)
    for row in rows:
        if row["class"] not in COUNTED:
            continue
        for key in ("weight_pct", "weight_below_pct"):
            if row.get(key):
                value = Decimal(row[key]) * factor
                row[key] = numbers.text(value)
                total += value if key == "weight_pct" else 0
    return total


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """Return the number of rows of each class of a table, also of those that do not occur."""
    found = Counter(row["class"] for row in rows)
    return {each.value: found[each.value] for each in _OF_TABLES}


def weights_by_class(rows: Iterable[Row]) -> dict[str, str]:
    """Return the sum of the weights of each counted class that occurs."""
    sums: dict[str, Decimal] = {}
    for row in rows:
        if row["class"] in COUNTED and row["weight_pct"]:
            sums[row["class"]] = sums.get(row["class"], Decimal(0)) + Decimal(row["weight_pct"])
    return {f"{name}_sum_pct": numbers.text(value) for name, value in sums.items()}


def summary(
    grid: Grid, found: Sequence[Row], total: Decimal, stated_as: str, sectors: set[str]
) -> dict[str, str]:
    """Return the figures of a file: its sum, its concentration, and where its rows went."""
    weighted = [row for row in found if row["class"] in COUNTED and row["weight_pct"]]
    below = sum(
        (Decimal(row["weight_below_pct"]) for row in found if row.get("weight_below_pct")),
        Decimal(0),
    )
    return {
        "weight_sum_pct": numbers.text(total),
        **({"weight_sum_below_pct": numbers.text(total + below)} if below else {}),
        "stated_as": stated_as,
        **weights_by_class(found),
        **(
            concentration(Decimal(row["weight_pct"]) for row in weighted).shown()
            if weighted
            else {}
        ),
        "taxonomy": taxonomy(sectors),
        **places(grid, found),
    }


def places(grid: Grid, found: Sequence[Row]) -> dict[str, str]:
    """Return where the rows of a file went; rows, preamble, header and blank rows are all of them."""
    return {
        **({"delimiter": grid.delimiter} if grid.delimiter else {}),
        **({"sheet": grid.header.sheet} if grid.header.sheet else {}),
        "header_row": str(grid.header.row),
        "preamble_rows": str(len(grid.preamble)),
        "blank_rows": str(grid.records - len(found) - len(grid.preamble) - 1),
    }
