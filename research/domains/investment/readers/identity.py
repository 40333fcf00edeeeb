"""What identifies the security of a row: ISIN, CUSIP, SEDOL or FIGI before ticker, the name last.

Codes are text.  Where a spreadsheet made a number of one, what it shows is not the code, and the
file says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from research.domains.investment.codes import (
    cusip_valid,
    figi_valid,
    isin_shaped,
    isin_valid,
    sedol_valid,
    stated,
)
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.sheets import Record

_NUMBER_MADE_OF_A_CODE: Final = re.compile(r"[0-9](?:[.,][0-9]+)?E\+?[0-9]+")
_WHOLE_AS_FLOAT: Final = re.compile(r"([0-9]+)[.,]0")
_LISTED: Final = 5  # findings of one kind that are written out
_CODE_ROLES: Final = ("isin", "cusip", "sedol", "figi", "ticker", "code")
STRONG: Final = ("isin", "cusip", "sedol", "figi")
_CUSIP_LENGTH: Final = 9
_WITH_ZEROS: Final = {"cusip": (_CUSIP_LENGTH, cusip_valid), "sedol": (7, sedol_valid)}


def codes(grid: Grid, record: Record) -> dict[str, str]:
    """Return isin, ticker and code of a row, "" where not stated, and cusip, sedol, figi where stated."""
    columns = grid.columns
    isin = _code(grid, record, "isin").upper() if "isin" in columns else ""
    ticker = _code(grid, record, "ticker") if "ticker" in columns else ""
    code = _code(grid, record, "code") if "code" in columns else ""
    typed: dict[str, str] = {
        role: value
        for role in ("cusip", "sedol", "figi")
        if role in columns and (value := _code(grid, record, role).upper())
    }
    if isin and not isin_shaped(isin):
        isin, code = "", code or isin
    if isin_shaped(ticker):
        isin, ticker = isin or ticker.upper(), ""
    if isin_shaped(code):
        isin, code = isin or code.upper(), ""
    elif code:
        kind = _kind_of(code)
        if kind:
            typed.setdefault(kind, code.upper())
        elif not ticker and _names_tickers(grid):
            ticker, code = code, ""
    return {"isin": isin, "ticker": ticker, "code": code, **typed}


def _code(grid: Grid, record: Record, role: str) -> str:
    cell = stated(grid.cell(record, role))
    if not cell:
        return ""
    if cell[0].isdigit():
        whole = _WHOLE_AS_FLOAT.fullmatch(cell)
        cell = whole[1] if whole else cell
        if role in grid.zeros and cell.isdigit():
            return with_zeros(cell, role) or cell
        if _NUMBER_MADE_OF_A_CODE.fullmatch(cell.upper()):
            return ""
    return cell.replace(" ", "") if role in STRONG else cell


def with_zeros(cell: str, role: str) -> str:
    """Return a number with the zeros that make a CUSIP or SEDOL of it, "" where its check digit is wrong."""
    length, valid = _WITH_ZEROS[role]
    code = cell.zfill(length)
    return code if valid(code) else ""


def _kind_of(code: str) -> str:
    if cusip_valid(code):
        return "cusip"
    if figi_valid(code):
        return "figi"
    return "sedol" if not code.isdigit() and sedol_valid(code) else ""


def _names_tickers(grid: Grid) -> bool:
    header = grid.cell(grid.header, "code").casefold()
    return "ticker" in header or "symbol" in header


def by_name_only(row: Mapping[str, Any]) -> bool:
    """Whether nothing but a name says which security this is."""
    return not (
        row["isin"] or row["ticker"] or row["code"] or any(row.get(role) for role in STRONG)
    )


def findings(grid: Grid, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name codes that are wrong, cut, repeated, missing, or were made numbers."""
    return [*of_codes(rows), *_of_cusips(rows), *_of_numbers(grid), *_of_names(rows)]


def of_codes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name ISINs whose check digit is wrong and ISINs that stand more than once."""
    places: dict[str, list[int]] = {}
    for row in rows:
        if row.get("isin"):
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


def _of_cusips(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    lengths = [
        len(row.get("cusip") or row.get("code") or "")
        for row in rows
        if row["class"] == "position"
    ]
    cut = lengths.count(_CUSIP_LENGTH - 1)
    if cut * 2 <= len(lengths):
        return []
    return [
        f"Codes of 8 characters, as CUSIPs without their check digit: {cut}; they were kept as stated."
    ]


def _of_numbers(grid: Grid) -> list[str]:
    return [
        f"Codes in the column {grid.cell(grid.header, role)!r} that were stored as numbers: "
        f"{count}; they were "
        "read as text, and leading zeros may be lost."
        for role in _CODE_ROLES
        if (count := grid.numbered(role))
    ]


def _of_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    count = sum("name_only" in row for row in rows)
    return [f"Positions that only a name identifies: {count}."] if count else []


def shortened(found: Sequence[str], what: str) -> list[str]:
    """Keep the first findings of one kind and say how many more there are."""
    if len(found) <= _LISTED:
        return list(found)
    return [*found[:_LISTED], f"And {len(found) - _LISTED} more: {what}."]
