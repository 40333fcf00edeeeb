"""SEC form 13F: the listed long positions a manager reports, with values and without weights.

Source: SEC, Form 13F; values are in dollars in filings of 2023-01-03 and later, in thousands of
dollars before.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.labels import NO_TAXONOMY
from research.domains.investment.readers import broker, identity, numbers, rows
from research.domains.investment.readers.limits import MAX_ROWS
from research.domains.investment.readers.markup import Xml, cells_of, leaf, text_of, walk
from research.domains.investment.readers.rows import Row, RowClass
from research.reading.dates import NOT_STATED, iso_date

_DOLLARS_SINCE: Final = "2023-01-03"
_SIGN: Final = "."
Facts = dict[str, str]


def cover(xml: Xml) -> Facts:
    """Return what the cover of a filing says: manager, period, totals."""
    facts: Facts = {}
    for path, element, _ in walk(xml, lambda _: False):
        if text_of(element):
            within_manager = len(path) > 1 and path[-2] == "filingManager"
            facts.setdefault(
                "manager" if within_manager and path[-1] == "name" else path[-1], text_of(element)
            )
    return facts


def read(tables: Sequence[Xml], facts: Facts, reader: str = "sec_13f_xml/1") -> Reading:
    """Read the information tables of one filing.

    Args:
        tables: in the order of the filing.
        reader: the reader's id, by container.
        facts: what its cover and header say; empty where only the table is there.

    Raises:
        Unreadable: no row has a value, or too many rows.
    """
    found = [row for table in tables for row in _rows(table)]
    for number, row in enumerate(found, start=1):
        row["row"] = number
    lines = [row for row in found if row["class"] in rows.COUNTED]
    if not lines:
        raise Unreadable("this is an SEC 13F information table in which no row has a value")
    total = broker.weigh(lines, f"rows 1 to {len(found)}")
    as_of = iso_date(
        facts.get("reportCalendarOrQuarter", "")
        or facts.get("periodOfReport", "")
        or facts.get("period", ""),
        month_first=True,
    )
    unit = _unit(facts)
    return Reading(
        kind="holdings",
        reader=reader,
        as_of=as_of,
        identity={
            "name": facts.get("manager", "") or facts.get("company", ""),
            "isin": "",
            "ticker": "",
        },
        counts=rows.counts(found),
        findings=tuple(_findings(found, facts, total, unit, as_of)),
        rows=tuple(found),
        summary={
            "recognised_as": "SEC 13F information table",
            "value_sum": numbers.text(total),
            "value_unit": unit,
            "weight_sum_pct": numbers.text(broker.sum_of(lines)),
            "stated_as": "values",
            "taxonomy": NO_TAXONOMY,
            **rows.weights_by_class(found),
            **concentration(Decimal(row["weight_pct"]) for row in lines).shown(),
        },
    )


def _rows(table: Xml) -> list[Row]:
    found: list[Row] = []
    for _, element, record in walk(table, lambda at: at[-1] == "infoTable"):
        if record:
            found.append(_row(cells_of(element)))
            if len(found) > MAX_ROWS:
                raise Unreadable(f"the filing has more than the limit of {MAX_ROWS:,} rows")
    return found


def _row(cells: dict[str, str]) -> Row:
    name, title = leaf(cells, "nameOfIssuer"), leaf(cells, "titleOfClass")
    said = leaf(cells, "value")
    value = numbers.amount(said, _SIGN)
    if value is None:
        reason = f"the value {said[:40]!r} is no number" if said else "no value is stated"
        return {
            "row": 0,
            "class": RowClass.REJECTED.value,
            "text": f"{name} | {title}"[:200],
            "reason": reason,
        }
    option = leaf(cells, "putCall")
    row: Row = {
        "row": 0,
        "class": (RowClass.DERIVATIVE if option else RowClass.POSITION).value,
        "name": f"{name} ({option})" if option else name,
        "isin": "",
        "ticker": "",
        "code": "",
        "weight_pct": "",
        "asset_class": f"{title} option" if option else title,
        "sector": "",
        "market_value": numbers.text(value),
    }
    for role in ("cusip", "figi"):
        if leaf(cells, role):
            row[role] = leaf(cells, role).upper()
    if not option and identity.by_name_only(row):
        row["name_only"] = True
    return row


def _unit(facts: Facts) -> str:
    filed = iso_date(facts.get("filed", "") or facts.get("signatureDate", ""), month_first=True)
    if filed == NOT_STATED:
        return NOT_STATED
    return "USD" if filed >= _DOLLARS_SINCE else "thousands of USD"


def _findings(
    found: Sequence[Row], facts: Facts, total: Decimal, unit: str, as_of: str
) -> list[str]:
    told = [
        (
            f"The file states values and no weights: weights are percent of the reported sum of {total:f} "
            f"({'unit not stated' if unit == NOT_STATED else unit}). A 13F holds listed long "
            f"positions only: no cash, "
            "no short position, no bond without a listing."
        )
    ]
    options = [row["row"] for row in found if row["class"] == RowClass.DERIVATIVE]
    if options:
        told.append(
            f"Options: {len(options)} rows, valued by what they are written on (row {options[0]} first)."
        )
    entries = numbers.amount(facts.get("tableEntryTotal", ""), _SIGN)
    if entries is not None and entries != len(found):
        told.append(f"The cover counts {entries:f} rows, the table has {len(found)}.")
    stated = numbers.amount(facts.get("tableValueTotal", ""), _SIGN)
    if stated is not None and stated != total:
        told.append(f"The cover states a sum of {stated:f}, the rows sum to {total:f}.")
    told += identity.shortened(
        [
            f"Row {row['row']} was rejected: {row['reason']}."
            for row in found
            if row["class"] == RowClass.REJECTED
        ],
        "rejected rows",
    )
    if as_of == NOT_STATED:
        told.append("The file does not state the date of the positions.")
    return told
