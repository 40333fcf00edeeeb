"""The issuer layout: what one fund holds, as its issuer publishes it.

Publishers who are known (`publishers.py`) say what their headers leave out; everybody else's table is read by
the words of its header.

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.codes import fund_like
from research.domains.investment.readers import baskets, expense_ratios, identity, rows, sectors
from research.domains.investment.readers.columns import HeaderKind
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.holding import holding
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.publishers import Publisher, is_known, publisher_of
from research.domains.investment.readers.rows import Row, RowClass
from research.reading.dates import NOT_STATED, iso_date

TOLERANCE: Final = Decimal(20)  # percent points: collateral and short positions move a sum
_REMARKABLE: Final = Decimal("0.5")  # a sum this far from 100 is a finding


def recognises(grid: Grid, preamble: Preamble) -> bool:
    """Whether the table is what one fund holds."""
    if grid.kind is not HeaderKind.WEIGHTS:
        return False
    if preamble.names_a_portfolio:
        return False
    if is_known(grid, preamble):
        return True
    if preamble.names_a_fund or grid.columns.keys() & {"fund_ticker", "notional"}:
        return True
    return "sector" in grid.columns and "asset_class" not in grid.columns


def read(grid: Grid, preamble: Preamble) -> Reading:
    """Read every row below the header into a class.

    Raises:
        Unreadable: no row has a weight, several funds or dates, or a sum that the unit contradicts.
    """
    publisher = publisher_of(grid, preamble)
    sign = rows.decimal_sign_of(grid, "weight")
    found = [
        rows.elsewhere(record, reason) if reason else holding(grid, record, sign)
        for record, reason in grid.rows()
    ]
    ticker, as_of = _one_value(grid, "fund_ticker", "funds"), _as_of(grid, preamble, publisher)
    extra: list[str] = []
    basket = baskets.is_basket(preamble, found)
    if basket:
        found, extra = baskets.set_aside(found)
    counted = [row for row in found if row["class"] in rows.COUNTED]
    weighted = any(row["weight_pct"] for row in counted)
    extra = extra if weighted or extra else _nothing_held(grid, preamble)
    extra = [*extra, *_of_derivatives(publisher, counted)]
    total, stated_as, unit_findings = _percent(grid, publisher, counted, basket=basket)
    told, sector_findings = _sectors(grid, counted, as_of)
    names = _names(grid, preamble, ticker)
    return Reading(
        kind="holdings",
        reader=f"issuer_{grid.container}/1",
        as_of=as_of,
        identity=names,
        counts=rows.counts(found),
        findings=(
            *grid.findings,
            *unit_findings,
            *sector_findings,
            *extra,
            *_findings(grid, found, names, as_of, total if weighted else Decimal(100)),
        ),
        rows=tuple(found),
        summary={
            "recognised_as": publisher.name,
            **rows.summary(grid, found, total, stated_as, sectors.labels(counted)),
            **told,
            **expense_ratios.of_preamble(preamble),
        },
    )


def _of_derivatives(publisher: Publisher, counted: Sequence[Row]) -> list[str]:
    held = any(row["class"] == RowClass.DERIVATIVE for row in counted)
    return [publisher.of_derivatives] if held and publisher.of_derivatives else []


def _sectors(grid: Grid, counted: Sequence[Row], as_of: str) -> tuple[dict[str, str], list[str]]:
    told, findings = sectors.settle(counted, as_of, grid.cell(grid.header, "sector"))
    if told and "sub_sector" in grid.columns:
        other = grid.cell(grid.header, "sub_sector")
        findings.append(f"The column {other!r} classifies too; the two are not mixed.")
    return told, findings


def _names(grid: Grid, preamble: Preamble, ticker: str) -> dict[str, str]:
    named = preamble.names_a_fund or fund_like(preamble.heading)
    heading = preamble.heading if named else ""
    return {
        "name": preamble.values.get("fund", "")
        or heading
        or _one_value(grid, "fund_name", "funds"),
        "isin": preamble.values.get("isin", "").upper(),
        "ticker": ticker or preamble.values.get("ticker", ""),
    }


def _percent(
    grid: Grid, publisher: Publisher, counted: Sequence[Row], *, basket: bool
) -> tuple[Decimal, str, list[str]]:
    weighted = [row for row in counted if row["weight_pct"]]
    if not weighted:
        return Decimal(0), "percent", []
    if basket:  # what is left, the swap, makes no whole
        return rows.scaled(counted, 1), "percent", []
    first, last = weighted[0]["row"], weighted[-1]["row"]
    stated = sum((Decimal(row["weight_pct"]) for row in weighted), Decimal(0))
    factor, findings = rows.percent_factor(
        stated,
        grid.unit or publisher.unit or rows.unit_of_cells(grid),
        TOLERANCE,
        f"rows {first} to {last}",
        last,
        whole=False,
    )
    return rows.scaled(counted, factor), "fractions" if factor > 1 else "percent", findings


def _nothing_held(grid: Grid, preamble: Preamble) -> list[str]:
    """Say that holdings are missing where the fund has assets.

    Raises:
        Unreadable: nothing says that it has any.
    """
    if preamble.net_assets > 0:
        return [
            (
                f"Holdings missing: the file states net assets of {preamble.net_assets:f} and no "
                f"holding; this is no "
                "empty portfolio."
            )
        ]
    raise Unreadable(
        f"row {grid.header.row} is a header, but no row with a weight follows it",
        row=grid.header.row,
    )


def _as_of(grid: Grid, preamble: Preamble, publisher: Publisher) -> str:
    if preamble.as_of:
        return iso_date(preamble.as_of, month_first=publisher.month_first)
    # A table with the fund's ticker in each row is Invesco's, who write the month first.
    month_first = True if "fund_ticker" in grid.columns else publisher.month_first
    return iso_date(_one_value(grid, "date", "dates"), month_first=month_first)


def _one_value(grid: Grid, role: str, plural: str) -> str:
    """Return the value that a column holds in every row that identifies a security.

    Raises:
        Unreadable: the column holds several, so the file holds several tables.
    """
    if role not in grid.columns:
        return ""
    first, first_row = "", 0
    for record in grid.body():
        value = grid.cell(record, role)
        if not value or not (grid.cell(record, "weight") and grid.cell(record, "name")):
            continue
        if not first:
            first, first_row = value, record.row
        elif value != first:
            raise Unreadable(
                f"two tables in one file: the rows are of several {plural}, {first[:40]!r} in "
                f"row {first_row} "
                f"and {value[:40]!r} in row {record.row}",
                row=record.row,
            )
    return first


def _findings(
    grid: Grid, found: Sequence[Row], names: dict[str, str], as_of: str, total: Decimal
) -> list[str]:
    counted = [row for row in found if row["class"] in rows.COUNTED]
    findings = identity.findings(grid, counted)
    findings += of_rejected(found)
    findings += identity.shortened(
        [
            f"Row {row['row']} ({row['name']}) is itself a fund: its sector and asset class are "
            "the wrapper's and classify nothing."
            for row in counted
            if "nested_fund" in row
        ],
        "funds in the fund",
    )
    findings += baskets.swap_rows(counted)
    below = sum("weight_below_pct" in row for row in counted)
    if below:
        findings.append(
            f"Rows whose weight is an interval from 0 (`<0.01 %`): {below}; no point was made of them."
        )
    unweighted = sum(not row["weight_pct"] and "weight_below_pct" not in row for row in counted)
    if unweighted:
        findings.append(f"Cash or derivative rows that state no weight: {unweighted}.")
    if abs(total - 100) > _REMARKABLE:
        findings.append(f"The weights sum to {total:f} percent; nothing was renormalised.")
    if not any(names.values()):
        findings.append("The file does not name its fund: it meets a line only if assigned to it.")
    if as_of == NOT_STATED:
        findings.append("The file does not state the date of the holdings.")
    return findings


def of_rejected(found: Sequence[Row]) -> list[str]:
    """Name the rows that were not understood; those of other tables and baskets are told of as a whole."""
    return identity.shortened(
        [
            f"Row {row['row']} was rejected: {row['reason']}."
            for row in found
            if row["class"] == RowClass.REJECTED
            and row["reason"] != baskets.REASON
            and not row["reason"].startswith(("it repeats", "it belongs"))
        ],
        "rejected rows",
    )
