"""One row of a fund's table: which class it is, and what it says.

Nothing is dropped: what is no position, cash or derivative is a subtotal, a footer, or rejected
with the reason.
"""

from __future__ import annotations

import re
from typing import Final

from research.domains.investment.codes import fund_like, stated
from research.domains.investment.labels import CASH, DERIVATIVES, asset_group, sector_bucket
from research.domains.investment.readers import identity, numbers, rows
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.limits import MAX_CELL_CHARACTERS
from research.domains.investment.readers.rows import Row, RowClass
from research.domains.investment.readers.sheets import Record

_FOOTER_CELLS: Final = 2  # a row of words below a table fills no more cells than this
_LONGEST_CODE: Final = 24  # characters: a longer text in a column of codes is a sentence
_CURRENCY_PAIR: Final = re.compile(r"\b[A-Z]{3}/[A-Z]{3}\b")
_CASH_NAME: Final = re.compile(
    r"cash\b.*|.*\bcash|"
    r"([A-Za-z.]+ ){0,3}(dollars?|euros?|pounds?( "
    r"sterling)?|yen|yuan|renminbi|krona|krone|koruna|francs?|peso|real|rial"
    r"|riyal|rupee|rupiah|ringgit|zloty|forint|lira|dinar|dirham|shekel|won|baht|rand|sol)|"
    r"bankguthaben\b.*|(sonstige |kurzfristige )*(verbindlichkeiten|forderungen)\b.*|"
    r"(net )?other (net )?(assets|liabilities)\b.*|(net )?(receivables|payables|liabilities)|"
    r"disponibilit[eéaà]s?\b.*|(autres )?(cr[eé]ances|dettes)\b.*",
    re.IGNORECASE,
)
_CASH_CODE: Final = re.compile(r"(cash|ccy)[_ -]?[a-z]{3}|[a-z]{3}[_ -]?(cash|ccy)", re.IGNORECASE)
_FUTURE_NAME: Final = re.compile(
    r"\be?-?mini\b.*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* ?\d{2}\b",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(r"<\s*([0-9.,]+)\s*%?")
_ETF: Final = re.compile(r"\b(etfs?|ucits|index fund|sicav)\b", re.IGNORECASE)
_PLACEHOLDERS: Final = frozenset({"dummy", "test", "placeholder"})


def holding(grid: Grid, record: Record, sign: str) -> Row:
    """Return the row with its class; a counted row has its weight as the cell states it."""
    found = identity.codes(grid, record)
    if rows.is_total(record.filled[0], found):
        return rows.words_only(record, RowClass.SUBTOTAL)
    cell = grid.cell(record, "weight")
    if not cell and _words(record, found):
        return rows.words_only(record, RowClass.FOOTER)
    name = stated(grid.cell(record, "name"))
    reason = broken(grid, record, found, name)
    if reason:
        return rows.words_only(record, RowClass.REJECTED, reason)
    row = row_of(grid, record, found, name)
    value = numbers.weight(cell, sign)
    below = "" if value is not None else _below(cell, sign)
    if value is None and not below and (stated(cell) or row["class"] == RowClass.POSITION):
        said = f"the weight {cell[:40]!r} is no number" if stated(cell) else "no weight is stated"
        return rows.words_only(record, RowClass.REJECTED, said)
    row["weight_pct"] = "" if value is None else numbers.text(value)
    if below:
        row["weight_below_pct"] = below  # between 0 and this: no point is made up
    return row | _amounts(grid, record, sign)


def _words(record: Record, found: dict[str, str]) -> bool:
    """Whether a row without a weight is words below the table: one text, or two without a code."""
    if found["isin"] or len(record.filled) > _FOOTER_CELLS:
        return False
    return len(record.filled) == 1 or not found["code"] or len(found["code"]) > _LONGEST_CODE


def row_of(grid: Grid, record: Record, found: dict[str, str], name: str) -> Row:
    """Return what a row says of its security, its weight still to come."""
    asset_class = grid.cell(record, "asset_class")
    sector = stated(grid.cell(record, "sector"))
    row_class = class_of(found, name, asset_class, sector, grid.cell(record, "name_other"))
    row: Row = {
        "row": record.row,
        "class": row_class.value,
        "name": name or grid.cell(record, "name_other"),
        **found,
        "weight_pct": "",
        "asset_class": asset_class,
        "sector": sector,
    }
    if record.sheet:
        row["sheet"] = record.sheet
    if row_class is RowClass.POSITION:
        if fund_like(name, asset_class) and not _property_company(name, sector):
            row["nested_fund"] = True
            if sector:
                row |= {"sector": "", "wrapper_label": sector}
        if identity.by_name_only(row):
            row["name_only"] = True
    return row


def broken(grid: Grid, record: Record, found: dict[str, str], name: str) -> str:
    """Return why the row cannot be read, or ""."""
    if any(record.cells[len(grid.header.cells) :]):
        return f"it has {len(record.cells)} cells, the header {len(grid.header.cells)}"
    if max(map(len, record.cells)) > MAX_CELL_CHARACTERS:
        return f"a cell has more than the limit of {MAX_CELL_CHARACTERS:,} characters"
    if not (name or any(found.values())):
        return "it has neither a name nor a code"
    if name.casefold() in _PLACEHOLDERS and not found["isin"]:
        return f"it is a placeholder of the publisher ({name})"
    return ""


def class_of(
    found: dict[str, str], name: str, asset_class: str, sector: str, other_name: str = ""
) -> RowClass:
    """Tell positions from cash and derivatives by asset class, then sector, then name."""
    label = stated(asset_class) or sector
    group = asset_group(label)
    if group == CASH and "derivative" in label.casefold():  # "Cash and/or Derivatives"
        group = DERIVATIVES if _derivative_name(name) else CASH
    if fund_like(label) and CASH in (asset_group(name), asset_group(other_name)):
        group = CASH  # a money market fund
    if not group and not found["isin"]:
        group = _group_of_name(found, name, stated=bool(label))
    return {CASH: RowClass.CASH, DERIVATIVES: RowClass.DERIVATIVE}.get(group, RowClass.POSITION)


def _property_company(name: str, sector: str) -> bool:
    """Whether a name with `Fund` in it is a listed property company's: no wrapper is labelled Real Estate."""
    return sector_bucket(sector) == "Real Estate" and not _ETF.search(name)


def _group_of_name(found: dict[str, str], name: str, *, stated: bool) -> str:
    if _CASH_CODE.fullmatch(found["ticker"] or found["code"]):
        return CASH
    if stated:
        return ""
    if _CASH_NAME.fullmatch(name) or (not any(found.values()) and asset_group(name) == CASH):
        return CASH
    if not any(found.values()) and (_FUTURE_NAME.search(name) or _derivative_name(name)):
        return DERIVATIVES
    return ""


def _derivative_name(name: str) -> bool:
    return asset_group(name) == DERIVATIVES or _CURRENCY_PAIR.search(name) is not None


def _below(cell: str, sign: str) -> str:
    """Return the upper end of a weight such as `<0.01%`, or ""."""
    found = _BELOW.fullmatch(cell)
    value = numbers.weight(found[1], sign) if found else None
    return "" if value is None else numbers.text(value)


def _amounts(grid: Grid, record: Record, sign: str) -> dict[str, str]:
    """Return market value and notional where the table has them, as exact numbers or as stated."""
    amounts: dict[str, str] = {}
    for role in ("market_value", "notional"):
        if role in grid.columns:
            cell = grid.cell(record, role)
            value = numbers.amount(cell, sign)
            amounts[role] = cell if value is None else numbers.text(value)
    return amounts
