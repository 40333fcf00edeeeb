"""The issuer layout: what one fund holds, as its issuer publishes it.

Read here: the iShares download (heading, `Fund Holdings as of`, table, legal text), the Invesco
download (a tidy table with fund ticker and date in every row), and our own (`Fund,…`, `ISIN,…`,
`Ticker,…`, `As of,…`, table).

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.dates import NOT_STATED, iso_date
from research.domains.investment.labels import EQUITIES, asset_group
from research.domains.investment.readers import rows
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.holding import holding
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row, RowClass

TOLERANCE: Final = Decimal(20)  # percent points: collateral and short positions move a sum
_REMARKABLE: Final = Decimal("0.5")  # a sum this far from 100 is a finding


def recognises(grid: Grid, preamble: Preamble) -> bool:
    """Whether the table is what one fund holds."""
    if preamble.names_a_fund or grid.columns.keys() & {"fund_ticker", "notional"}:
        return True
    return "sector" in grid.columns and "asset_class" not in grid.columns


def read(grid: Grid, preamble: Preamble) -> Reading:
    """Read every row below the header into a class.

    Raises:
        Unreadable: no row has a weight, several funds or dates, or a sum far from 100 and 1.
    """
    sign = rows.weight_sign(grid)
    found = [holding(grid, record, sign) for record in grid.body if record.filled]
    counted = [row for row in found if row["class"] in rows.COUNTED]
    weighted = [row for row in counted if row["weight_pct"]]
    if not weighted:
        raise Unreadable(
            f"row {grid.header.row} is a header, but no row with a weight follows it",
            row=grid.header.row,
        )
    ticker, as_of = _fund_ticker(grid, counted), _as_of(grid, preamble, counted)
    total, factor, unit_findings = _percent(grid, weighted)
    identity = {
        "name": preamble.values.get("fund", "")
        or (preamble.heading if preamble.names_a_fund else ""),
        "isin": preamble.values.get("isin", "").upper(),
        "ticker": ticker or preamble.values.get("ticker", ""),
    }
    return Reading(
        kind="holdings",
        reader=f"issuer_{grid.container}/1",
        as_of=as_of,
        identity=identity,
        counts=rows.counts(found),
        findings=(*grid.findings, *unit_findings, *_findings(found, identity, as_of, total)),
        rows=tuple(found),
        summary=rows.summary(grid, found, total, factor, _sectors(counted)),
    )


def _percent(grid: Grid, weighted: Sequence[Row]) -> tuple[Decimal, int, list[str]]:
    first, last = weighted[0]["row"], weighted[-1]["row"]
    stated = sum((Decimal(row["weight_pct"]) for row in weighted), Decimal(0))
    factor, findings = rows.percent_factor(
        stated, grid.unit, TOLERANCE, f"rows {first} to {last}", last
    )
    return rows.scaled(weighted, factor), factor, findings


def _sectors(counted: Sequence[Row]) -> set[str]:
    return {
        row["sector"]
        for row in counted
        if row["class"] == RowClass.POSITION
        and row["sector"]
        and "nested_fund" not in row
        and asset_group(row["asset_class"]) in ("", EQUITIES)
    }


def _fund_ticker(grid: Grid, counted: Sequence[Row]) -> str:
    return _one_value(grid, counted, "fund_ticker", "funds")


def _as_of(grid: Grid, preamble: Preamble, counted: Sequence[Row]) -> str:
    if preamble.as_of:
        return iso_date(preamble.as_of)
    # A table with the fund's ticker in each row is Invesco's, who write the month first.
    month_first = True if "fund_ticker" in grid.columns else None
    return iso_date(_one_value(grid, counted, "date", "dates"), month_first=month_first)


def _one_value(grid: Grid, counted: Sequence[Row], role: str, plural: str) -> str:
    """Return the value that a column holds in every counted row.

    Raises:
        Unreadable: the column holds several, so the file holds several tables.
    """
    if role not in grid.columns:
        return ""
    of_row = {record.row: grid.cell(record, role) for record in grid.body}
    first = next((of_row[row["row"]] for row in counted if of_row[row["row"]]), "")
    for row in counted:
        if of_row[row["row"]] not in ("", first):
            raise Unreadable(
                f"two tables in one file: the rows are of several {plural}, {first[:40]!r} in row "
                f"{counted[0]['row']} and {of_row[row['row']][:40]!r} in row {row['row']}",
                row=row["row"],
            )
    return first


def _findings(
    found: Sequence[Row], identity: dict[str, str], as_of: str, total: Decimal
) -> list[str]:
    findings = rows.code_findings(found)
    findings += rows.shortened(
        [
            f"Row {row['row']} was rejected: {row['reason']}."
            for row in found
            if row["class"] == RowClass.REJECTED
        ],
        "rejected rows",
    )
    findings += rows.shortened(
        [
            f"Row {row['row']} ({row['name']}) is itself a fund: its sector and asset class are "
            "the wrapper's and classify nothing."
            for row in found
            if "nested_fund" in row
        ],
        "funds in the fund",
    )
    unweighted = sum(row["class"] in rows.COUNTED and not row["weight_pct"] for row in found)
    if unweighted:
        findings.append(f"Cash or derivative rows that state no weight: {unweighted}.")
    if abs(total - 100) > _REMARKABLE:
        findings.append(f"The weights sum to {total:f} percent; nothing was renormalised.")
    if not any(identity.values()):
        findings.append("The file does not name its fund: it meets a line only if assigned to it.")
    if as_of == NOT_STATED:
        findings.append("The file does not state the date of the holdings.")
    return findings
