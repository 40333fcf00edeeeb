"""What both table layouts share: the codes of a row, its weight, and the check of the sum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from research.domain import Unreadable
from research.domains.investment.codes import cusip_valid, isin_shaped, isin_valid, stated
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.labels import taxonomy
from research.domains.investment.readers import numbers
from research.domains.investment.readers.grid import Grid, Record
from research.domains.investment.readers.limits import SHOWN_TEXT_CHARACTERS

Row = dict[str, Any]
_TOTAL: Final = re.compile(
    r"(sub-?|grand )?totals?\b.*|sum( of\b.*)?|net assets\b.*", re.IGNORECASE
)
_LISTED: Final = 5  # findings of one kind that are written out


class RowClass(StrEnum):
    """What a row of a table is; every row below a header that is not blank has exactly one."""

    POSITION = "position"  # a security or a fund
    CASH = "cash"  # cash, money market, collateral
    DERIVATIVE = "derivative"  # futures, forwards, swaps, options
    SUBTOTAL = "subtotal"  # a sum of other rows: never counted
    FOOTER = "footer"  # words below the table
    REJECTED = "rejected"  # not understood: the row says why


COUNTED: Final = (RowClass.POSITION, RowClass.CASH, RowClass.DERIVATIVE)


def codes(grid: Grid, record: Record) -> dict[str, str]:
    """Return isin, ticker and code of a row, each "" where not stated; all of them are text."""
    isin = stated(grid.cell(record, "isin")).replace(" ", "").upper()
    ticker = stated(grid.cell(record, "ticker"))
    code = stated(grid.cell(record, "code"))
    if isin and not isin_shaped(isin):
        isin, code = "", code or isin
    if isin_shaped(ticker):
        isin, ticker = isin or ticker.upper(), ""
    if isin_shaped(code):
        isin, code = isin or code.upper(), ""
    elif code and not ticker and not cusip_valid(code) and _names_tickers(grid):
        ticker, code = code, ""
    return {"isin": isin, "ticker": ticker, "code": code}


def _names_tickers(grid: Grid) -> bool:
    header = grid.cell(grid.header, "code").casefold()
    return "ticker" in header or "symbol" in header


def is_total(label: str, found: Mapping[str, str]) -> bool:
    """Whether a row is a sum of others; a company named TOTAL has a code and is none."""
    if found["isin"] or found["code"] or (found["ticker"] and found["ticker"] != label):
        return False
    return _TOTAL.fullmatch(label) is not None


def words_only(record: Record, row_class: RowClass, reason: str = "") -> Row:
    """Keep a row that carries no position: its class, how it begins, and why it is no position."""
    row: Row = {
        "row": record.row,
        "class": row_class.value,
        "text": " | ".join(record.filled)[:SHOWN_TEXT_CHARACTERS],
    }
    return row | {"reason": reason} if reason else row


def weight_sign(grid: Grid) -> str:
    """Return the decimal sign of the weight column.

    Raises:
        Unreadable: one row uses a comma and another a point.
    """
    cells = ((record.row, grid.cell(record, "weight")) for record in grid.body)
    sign, clash = numbers.decimal_sign(cells)
    if clash:
        raise Unreadable(
            f"the weight column mixes decimal signs: a point in row {clash[0]}, "
            f"a comma in row {clash[1]}",
            row=max(clash),
        )
    return sign


def percent_factor(
    total: Decimal, unit: str, tolerance: Decimal, where: str, row: int
) -> tuple[int, list[str]]:
    """Return 1 where the weights are percent, 100 where they are fractions; the sum decides.

    Args:
        total: the sum of the weights as stated.
        unit: what the header says, "percent" or "".
        tolerance: how far from 100 the sum may be, in percent points.
        where: the rows, for the message.
        row: the last row of the table.

    Raises:
        Unreadable: the sum is near neither 100 nor 1.
    """
    if abs(total - 100) <= tolerance:
        return 1, []
    if abs(total - 1) * 100 <= tolerance:
        said = ", although the header of the column says percent" if unit else ""
        return 100, [f"The weights sum to {total:f} and were read as fractions of 1{said}."]
    raise Unreadable(
        f"the weights of {where} sum to {total:f}, which is neither 100 nor 1 "
        f"(tolerance {tolerance:f} of 100): rows are missing or stand twice",
        row=row,
    )


def scaled(rows: Iterable[Row], factor: int) -> Decimal:
    """Turn the stated weights of counted rows into percent, exactly, and return their sum."""
    total = Decimal(0)
    for row in rows:
        if row["class"] in COUNTED and row["weight_pct"]:
            value = Decimal(row["weight_pct"]) * factor
            row["weight_pct"] = numbers.text(value)
            total += value
    return total


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """Return the number of rows of each class, also of those that do not occur."""
    found = Counter(row["class"] for row in rows)
    return {each.value: found[each.value] for each in RowClass}


def summary(
    grid: Grid, found: Sequence[Row], total: Decimal, factor: int, sectors: set[str]
) -> dict[str, str]:
    """Return the figures of a file: its sum, its concentration, and where its rows went."""
    weighted = [row for row in found if row["class"] in COUNTED and row["weight_pct"]]
    return {
        "weight_sum_pct": numbers.text(total),
        "stated_as": "fractions" if factor > 1 else "percent",
        **concentration(Decimal(row["weight_pct"]) for row in weighted).shown(),
        "taxonomy": taxonomy(sectors),
        "delimiter": grid.delimiter,
        "header_row": str(grid.header.row),
        "preamble_rows": str(len(grid.preamble)),
        "blank_rows": str(len(grid.body) - len(found)),
    }


def code_findings(rows: Sequence[Row]) -> list[str]:
    """Name ISINs whose check digit is wrong and ISINs that stand more than once."""
    places: dict[str, list[int]] = {}
    for row in rows:
        if row["class"] in COUNTED and row["isin"]:
            places.setdefault(row["isin"], []).append(row["row"])
    wrong = [
        f"Row {at[0]}: the check digit of ISIN {isin} is wrong; it was kept as stated."
        for isin, at in places.items()
        if not isin_valid(isin)
    ]
    twice = [
        f"ISIN {isin} stands in rows {', '.join(map(str, at[:_LISTED]))}; each row was counted."
        for isin, at in places.items()
        if len(at) > 1
    ]
    return shortened(wrong, "wrong check digits") + shortened(twice, "repeated ISINs")


def shortened(findings: Sequence[str], what: str) -> list[str]:
    """Keep the first findings of one kind and say how many more there are."""
    if len(findings) <= _LISTED:
        return list(findings)
    return [*findings[:_LISTED], f"And {len(findings) - _LISTED} more: {what}."]
