"""Interactive Brokers Flex queries: open positions and cash of an account, in its base currency.

`percentOfNAV` has no sign: a short option of -1800 states 7.40.  It is never used.

Source: Interactive Brokers, Flex Query reference (Open Positions, Cash Report).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.codes import isin_shaped
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.labels import NO_TAXONOMY
from research.domains.investment.readers import broker, identity, numbers, rows
from research.domains.investment.readers.limits import MAX_ROWS
from research.domains.investment.readers.markup import Xml, name_of, walk
from research.domains.investment.readers.rows import Row, RowClass
from research.reading.dates import NOT_STATED, iso_date

_CLASSES: Final = {
    "STK": ("Stock", RowClass.POSITION),
    "FUND": ("Mutual fund", RowClass.POSITION),
    "BOND": ("Bond", RowClass.POSITION),
    "BILL": ("Treasury bill", RowClass.POSITION),
    "CMDTY": ("Commodity", RowClass.POSITION),
    "CRYPTO": ("Crypto asset", RowClass.POSITION),
    "WAR": ("Warrant", RowClass.DERIVATIVE),
    "OPT": ("Option", RowClass.DERIVATIVE),
    "FOP": ("Futures option", RowClass.DERIVATIVE),
    "FUT": ("Future", RowClass.DERIVATIVE),
    "CFD": ("CFD", RowClass.DERIVATIVE),
    "CASH": ("Cash", RowClass.CASH),
}
_READ: Final = frozenset({"OpenPosition", "CashReportCurrency"})
_SIGN: Final = "."
_LONGEST: Final = 200


def read(xml: Xml) -> Reading:
    """Read the open positions and the cash of one account.

    Raises:
        Unreadable: several accounts, or no position.
    """
    found: list[Row] = []
    others: Counter[str] = Counter()
    accounts: dict[str, None] = {}
    facts: dict[str, str] = {}
    for path, element, record in walk(xml, lambda at: at[-1] in _READ):
        account = element.attrib.get("accountId", "")
        if account:
            accounts.setdefault(account)
        if record:
            row = _cash if name_of(element) == "CashReportCurrency" else _position
            found.append({"row": len(found) + 1} | row(element.attrib))
            facts.setdefault(
                "date", element.attrib.get("reportDate") or element.attrib.get("toDate", "")
            )
        elif name_of(element) == "AccountInformation":
            facts.setdefault("currency", element.attrib.get("currency", ""))
        elif len(element.attrib) > 1:
            others[path[-1]] += 1
        if len(found) > MAX_ROWS:
            raise Unreadable(f"the query has more than the limit of {MAX_ROWS:,} rows")
    if len(accounts) > 1:
        raise Unreadable(f"the query holds {len(accounts)} accounts; query each for itself")
    return _reading(found, others, facts)


def _reading(found: list[Row], others: Counter[str], facts: dict[str, str]) -> Reading:
    lines = [row for row in found if row["class"] in rows.COUNTED]
    if not any(row["class"] != RowClass.CASH for row in lines):
        told = (
            ", ".join(f"{count} {name}" for name, count in others.most_common(5)) or "nothing else"
        )
        raise Unreadable(
            f"this is an Interactive Brokers Flex query without open positions (it holds "
            f"{told}); add the section "
            "Open Positions to the query"
        )
    total = broker.weigh(lines, f"rows 1 to {len(found)}")
    broker.number_lines(lines)
    as_of = iso_date(facts.get("date", ""))
    return Reading(
        kind="portfolio",
        reader="ibkr_flex_xml/1",
        as_of=as_of,
        identity={"name": "", "isin": "", "ticker": ""},
        counts=rows.counts(found),
        findings=(
            *broker.computed(total, facts.get("currency", "")),
            *_findings(found, others, as_of),
        ),
        rows=tuple(found),
        summary={
            "recognised_as": "Interactive Brokers Flex query (open positions)",
            "value_sum": numbers.text(total),
            "value_currency": facts.get("currency", "") or NOT_STATED,
            "weight_sum_pct": numbers.text(broker.sum_of(lines)),
            "stated_as": "values",
            "taxonomy": NO_TAXONOMY,
            **rows.weights_by_class(found),
            **concentration(Decimal(row["weight_pct"]) for row in lines).shown(),
        },
    )


def _position(cells: Mapping[str, str]) -> Row:
    name = cells.get("description", "") or cells.get("symbol", "")
    value, rate = (
        numbers.amount(cells.get(key, ""), _SIGN) for key in ("positionValue", "fxRateToBase")
    )
    if cells.get("levelOfDetail", "SUMMARY") != "SUMMARY":
        return _rejected(cells, "it is a lot: the summary of its position is counted")
    if value is None or rate is None:
        missing = "positionValue" if value is None else "fxRateToBase"
        return _rejected(cells, f"{missing} {cells.get(missing, '')[:40]!r} is no number")
    category = cells.get("assetCategory", "")
    label, row_class = _CLASSES.get(category, (category, RowClass.POSITION))
    if cells.get("subCategory") == "ETF":
        label = "Fund (ETF)"
    isin = cells.get("isin", "").upper()
    row: Row = {
        "class": row_class.value,
        "name": name[:_LONGEST],
        "isin": isin if isin_shaped(isin) else "",
        "ticker": cells.get("symbol", "").strip(),
        "code": "",
        "weight_pct": "",
        "asset_class": label,
        "sector": "",
        "market_value": numbers.text(value * rate),
        "value_local": f"{cells['positionValue']} {cells.get('currency', '')}".strip(),
        "quantity": cells.get("position", ""),
    }
    for role in ("cusip", "figi"):
        if cells.get(role):
            row[role] = cells[role].upper()
    if row_class is RowClass.DERIVATIVE:
        row["multiplier"] = cells.get("multiplier", "")
    return row


def _cash(cells: Mapping[str, str]) -> Row:
    """Return the cash of all currencies in the base currency; a currency's own line is part of it."""
    if cells.get("levelOfDetail") != "BaseCurrency":
        return _rejected(
            cells, "it is the cash of one currency: the line in the base currency is counted"
        )
    value = numbers.amount(cells.get("endingCash", ""), _SIGN)
    if value is None:
        return _rejected(cells, f"endingCash {cells.get('endingCash', '')[:40]!r} is no number")
    return {
        "class": RowClass.CASH.value,
        "name": "Cash, all currencies",
        "isin": "",
        "ticker": "",
        "code": "",
        "weight_pct": "",
        "asset_class": "Cash",
        "sector": "",
        "market_value": numbers.text(value),
    }


def _rejected(cells: Mapping[str, str], reason: str) -> Row:
    words = " | ".join(
        filter(None, (cells.get("symbol"), cells.get("description"), cells.get("currency")))
    )
    return {"class": RowClass.REJECTED.value, "text": words[:_LONGEST], "reason": reason}


def _findings(found: list[Row], others: Counter[str], as_of: str) -> list[str]:
    lines = [row for row in found if row["class"] in rows.COUNTED]
    told = ["The field percentOfNAV has no sign and was not used."]
    told += identity.of_codes(lines)
    short = [row for row in lines if row["market_value"].startswith("-")]
    if short:
        told.append(
            f"Lines with a negative value (short or owed): {len(short)} ({short[0]['name'][:60]} first)."
        )
    if others:
        names = ", ".join(f"{count} {name}" for name, count in sorted(others.items()))
        told.append(f"Not read, for they are no positions: {names}.")
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
