"""Positions with values and without weights, as brokers state what a client holds.

A weight is the value of a line in percent of the values of all lines, and the file says which
currency that is. Values in several currencies are never added up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.codes import stated
from research.domains.investment.labels import asset_group
from research.domains.investment.readers import expense_ratios, identity, lots, numbers, rows
from research.domains.investment.readers.columns import meaning
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.holding import broken, class_of, row_of
from research.domains.investment.readers.issuer import of_rejected
from research.domains.investment.readers.limits import MAX_LINES
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row, RowClass
from research.domains.investment.readers.sheets import Record
from research.reading.dates import NOT_STATED, iso_date

_STEP: Final = Decimal("0.000001")  # percent: a weight computed here is rounded to it
_FOOTER_CELLS: Final = 2
_ISO_CURRENCY: Final = re.compile(r"[A-Z]{3}|GBp|GBX")
_KNOWN: Final = (
    (frozenset({"product", "symbol/isin", "closing"}), "DEGIRO portfolio"),
    (frozenset({"symbol/cusip", "beginning value", "ending value"}), "Fidelity statement"),
)


def read(grid: Grid, preamble: Preamble) -> Reading:
    """Read every row of a table of values.

    Raises:
        Unreadable: no row has a value, values in several currencies, or values that add up to nothing.
    """
    sign = rows.decimal_sign_of(grid, "market_value")
    found = _lines(grid, sign)
    lines = [row for row in found if row["class"] in rows.COUNTED]
    if not lines:
        raise Unreadable(
            f"row {grid.header.row} is a header, but no row with a value follows it",
            row=grid.header.row,
        )
    currency = _currency(grid, lines)
    total = weigh(lines, f"rows {lines[0]['row']} to {lines[-1]['row']}")
    kind = "holdings" if preamble.names_a_fund else "portfolio"
    if kind == "portfolio":
        number_lines(lines)
    ratio_findings = expense_ratios.put(grid, lines)
    as_of = iso_date(preamble.as_of or _date(grid))
    for line in lines:
        line.pop("currency", None)
    return Reading(
        kind=kind,
        reader=f"broker_{grid.container}/1",
        as_of=as_of,
        identity={"name": _name(preamble), "isin": "", "ticker": ""},
        counts=rows.counts(found),
        findings=(
            *grid.findings,
            *computed(total, currency),
            *ratio_findings,
            *_findings(grid, found, as_of),
        ),
        rows=tuple(found),
        summary={
            "recognised_as": _recognised_as(grid),
            "value_sum": numbers.text(total),
            "value_currency": currency or NOT_STATED,
            **rows.summary(
                grid, found, sum_of(lines), "values", {row["sector"] for row in lines} - {""}
            ),
        },
    )


def _recognised_as(grid: Grid) -> str:
    header = frozenset(cell.casefold() for cell in grid.header.cells)
    known = (name for words, name in _KNOWN if words <= header)
    return next(known, "positions with values, by the words of their header")


def _name(preamble: Preamble) -> str:
    return preamble.values.get("portfolio", "") or preamble.values.get("fund", "")


def weigh(lines: Sequence[Row], where: str) -> Decimal:
    """Give each line its weight, the value in percent of all values, and return their sum.

    Raises:
        Unreadable: the values do not add up to something positive.
    """
    total = sum((Decimal(line["market_value"]) for line in lines), Decimal(0))
    if total <= 0:
        raise Unreadable(
            f"the values of {where} sum to {total:f}: no weight can be computed from them",
            row=lines[-1]["row"],
        )
    for line in lines:
        weight = (Decimal(line["market_value"]) * 100 / total).quantize(_STEP, ROUND_HALF_EVEN)
        line["weight_pct"] = numbers.text(weight)
    return total


def sum_of(lines: Sequence[Row]) -> Decimal:
    """Return the sum of the weights as they were rounded."""
    return sum((Decimal(line["weight_pct"]) for line in lines), Decimal(0))


def number_lines(lines: Sequence[Row]) -> None:
    """Number the lines of a portfolio.

    Raises:
        Unreadable: more than the limit.
    """
    if len(lines) > MAX_LINES:
        raise Unreadable(
            f"the portfolio has {len(lines):,} lines, more than the limit of {MAX_LINES}",
            row=lines[-1]["row"],
        )
    for number, line in enumerate(lines, start=1):
        line["line"] = number


def computed(total: Decimal, currency: str) -> list[str]:
    """Say that weights were computed, and of what."""
    return [
        (
            f"The file states values and no weights: weights are percent of the sum of {total:f} "
            f"{currency or '(currency not stated)'}."
        )
    ]


def _lines(grid: Grid, sign: str) -> list[Row]:
    found: list[Row] = []
    section = ""
    for record, reason in grid.rows():
        if reason:
            found.append(rows.elsewhere(record, reason))
            continue
        row = _line(grid, record, sign, section)
        if row["class"] in (RowClass.SUBTOTAL, RowClass.FOOTER):
            section = _section(record)
        found.append(row)
    return lots.set_aside(found)


def _section(record: Record) -> str:
    """Return the heading that a line of one word or two gives to the rows below it, or ""."""
    filled = record.filled
    label = filled[0] if len(filled) == 1 else ""
    return label if asset_group(label) else ""


def _line(grid: Grid, record: Record, sign: str, section: str) -> Row:
    found = identity.codes(grid, record)
    if rows.is_total(record.filled[0], found):
        return rows.words_only(record, RowClass.SUBTOTAL)
    cell = stated(grid.cell(record, "market_value"))
    if not cell and len(record.filled) <= _FOOTER_CELLS:
        return rows.words_only(record, RowClass.FOOTER)
    name = stated(grid.cell(record, "name"))
    value = numbers.amount(cell, sign)
    reason = broken(grid, record, found, name)
    if not reason and value is None:
        reason = f"the value {cell[:40]!r} is no number" if cell else "no value is stated"
    if reason or value is None:
        return rows.words_only(record, RowClass.REJECTED, reason)
    row = row_of(grid, record, found, name)
    if section and not row["asset_class"]:
        row |= {"asset_class": section, "class": class_of(found, name, section, "").value}
    row.pop("nested_fund", None)
    row["market_value"] = numbers.text(value)
    stated_in = stated(grid.cell(record, "currency")) or stated(grid.cell(record, "value_local"))
    if not _ISO_CURRENCY.fullmatch(stated_in):
        stated_in = numbers.money_of(cell)
    return row | ({"currency": stated_in} if stated_in else {})


def _currency(grid: Grid, lines: Sequence[Row]) -> str:
    """Return the one currency of the values, "" where none is stated.

    Raises:
        Unreadable: they are in several.
    """
    stated_above = meaning(grid.cell(grid.header, "market_value")).currency
    if stated_above:
        return stated_above
    found: dict[str, int] = {}
    for line in lines:
        if line.get("currency"):
            found.setdefault(line["currency"], line["row"])
    if len(found) > 1:
        (one, _), (other, row) = list(found.items())[:2]
        raise Unreadable(
            f"the values are in several currencies ({one}, {other} in row {row}) and no "
            f"column is in one of them: "
            "they cannot be added up",
            row=row,
        )
    return next(iter(found), "")


def _date(grid: Grid) -> str:
    if "date" not in grid.columns:
        return ""
    dates = {grid.cell(record, "date") for record in grid.body()} - {""}
    return next(iter(dates)) if len(dates) == 1 else ""


def _findings(grid: Grid, found: Sequence[Row], as_of: str) -> list[str]:
    lines = [row for row in found if row["class"] in rows.COUNTED]
    told = identity.findings(grid, lines) + of_rejected(found)
    short = [row["row"] for row in lines if row["market_value"].startswith("-")]
    if short:
        told.append(
            f"Lines with a negative value (short or owed): {len(short)}, the first in row {short[0]}."
        )
    if as_of == NOT_STATED:
        told.append("The file does not state the date of the values.")
    return told
