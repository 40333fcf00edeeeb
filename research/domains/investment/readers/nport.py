"""SEC form N-PORT: what a fund holds, in percent of its net assets.

Source: SEC, Form N-PORT XML technical specification; the reporting date is `repPdDate`, `repPdEnd`
is the end of the fiscal year.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.codes import isin_shaped, stated
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.labels import NO_TAXONOMY
from research.domains.investment.readers import baskets, identity, numbers, rows
from research.domains.investment.readers.limits import MAX_ROWS
from research.domains.investment.readers.markup import Xml, cells_of, leaf, text_of, walk
from research.domains.investment.readers.rows import Row, RowClass
from research.reading.dates import NOT_STATED, iso_date

_CATEGORIES: Final = {
    "STIV": ("Short-term investment vehicle (money market)", RowClass.CASH),
    "RA": ("Repurchase agreement (cash)", RowClass.CASH),
    "EC": ("Equity, common", RowClass.POSITION),
    "EP": ("Equity, preferred", RowClass.POSITION),
    "DBT": ("Debt", RowClass.POSITION),
    "LON": ("Loan (debt)", RowClass.POSITION),
    "SN": ("Structured note", RowClass.POSITION),
    "ABS-MBS": ("Mortgage-backed debt", RowClass.POSITION),
    "ABS-APCP": ("Asset-backed commercial paper (debt)", RowClass.POSITION),
    "ABS-CBDO": ("Collateralized debt", RowClass.POSITION),
    "ABS-O": ("Asset-backed debt", RowClass.POSITION),
    "COMM": ("Commodity", RowClass.POSITION),
    "RE": ("Real estate", RowClass.POSITION),
    "DCO": ("Derivative, commodity", RowClass.DERIVATIVE),
    "DCR": ("Derivative, credit", RowClass.DERIVATIVE),
    "DE": ("Derivative, equity", RowClass.DERIVATIVE),
    "DFE": ("Derivative, foreign exchange", RowClass.DERIVATIVE),
    "DIR": ("Derivative, interest rate", RowClass.DERIVATIVE),
    "DO": ("Derivative, other", RowClass.DERIVATIVE),
}
_FUND_ISSUERS: Final = frozenset({"RF", "PF"})  # registered and private funds
_REMARKABLE: Final = Decimal("0.5")
_SIGN: Final = "."


@dataclass(slots=True)
class _Filing:
    facts: dict[str, str] = field(default_factory=dict)
    found: list[Row] = field(default_factory=list)
    holdings_element: bool = False


def read(xml: Xml, reader: str = "sec_nport_xml/1") -> Reading:
    """Read a filing; one without holdings but with assets says that they are missing.

    Raises:
        Unreadable: neither holdings nor assets, or too many rows.
    """
    filing = _filing(xml)
    facts, found = filing.facts, filing.found
    assets = numbers.amount(facts.get("netAssets", ""), _SIGN) or Decimal(0)
    if not found and assets <= 0:
        raise Unreadable("this is an SEC N-PORT filing without holdings and without net assets")
    weighted = [row for row in found if row["class"] in rows.COUNTED and row["weight_pct"]]
    total = sum((Decimal(row["weight_pct"]) for row in weighted), Decimal(0))
    as_of = iso_date(facts.get("repPdDate", ""))
    summary = {
        "recognised_as": "SEC N-PORT filing",
        "weight_sum_pct": numbers.text(total),
        "stated_as": "percent",
        "net_assets": facts.get("netAssets", NOT_STATED),
        "fiscal_year_end": iso_date(facts.get("repPdEnd", "")),
        "final_filing": "yes" if facts.get("isFinalFiling") == "Y" else "no",
        "taxonomy": NO_TAXONOMY,
        **rows.weights_by_class(found),
        **(
            concentration(Decimal(row["weight_pct"]) for row in weighted).shown()
            if weighted
            else {}
        ),
    }
    return Reading(
        kind="holdings",
        reader=reader,
        as_of=as_of,
        identity={
            "name": stated(facts.get("seriesName", "")) or facts.get("regName", ""),
            "isin": "",
            "ticker": "",
            "series": facts.get("seriesId", ""),
            "lei": stated(facts.get("seriesLei", "")),
        },
        counts=rows.counts(found),
        findings=tuple(_findings(filing, as_of, total, assets)),
        rows=tuple(found),
        summary=summary,
    )


def _filing(xml: Xml) -> _Filing:
    filing = _Filing()
    for path, element, record in walk(xml, lambda at: at[-1] == "invstOrSec"):
        filing.holdings_element = filing.holdings_element or "invstOrSecs" in path
        if record:
            filing.found.append(_row(len(filing.found) + 1, cells_of(element)))
            if len(filing.found) > MAX_ROWS:
                raise Unreadable(f"the filing has more than the limit of {MAX_ROWS:,} holdings")
        elif text_of(element):
            filing.facts.setdefault(path[-1], text_of(element))
    return filing


def _row(number: int, cells: dict[str, str]) -> Row:
    name = leaf(cells, "name") or leaf(cells, "title")
    title = leaf(cells, "title")
    weight = numbers.weight(cells.get("pctVal", ""), _SIGN)
    said = leaf(cells, "pctVal")
    if weight is None:
        reason = f"the weight {said[:40]!r} is no number" if said else "no weight is stated"
        return {
            "row": number,
            "class": RowClass.REJECTED.value,
            "text": f"{name} | {title}"[:200],
            "reason": reason,
        }
    label, row_class = _asset_class(cells)
    isin = leaf(cells, "identifiers.isin.value").upper()
    row: Row = {
        "row": number,
        "class": row_class.value,
        # A bond's title tells it from the issuer's other bonds.
        "name": f"{name}: {title}" if title and title != name else name,
        "isin": isin if isin_shaped(isin) else "",
        "ticker": leaf(cells, "identifiers.ticker.value"),
        "code": "",
        "weight_pct": numbers.text(weight),
        "asset_class": label,
        "sector": "",
        "market_value": leaf(cells, "valUSD"),
    }
    cusip = leaf(cells, "cusip")
    if cusip and set(cusip) != {"0"}:
        row["cusip"] = cusip.upper()
    if leaf(cells, "issuerCat") in _FUND_ISSUERS and row_class is RowClass.POSITION:
        row["nested_fund"] = True
    if leaf(cells, "payoffProfile") == "Short":
        row["short"] = True
    if row_class is RowClass.POSITION and identity.by_name_only(row):
        row["name_only"] = True
    return row


def _asset_class(cells: dict[str, str]) -> tuple[str, RowClass]:
    category = leaf(cells, "assetCat")
    other = category or leaf(cells, "assetConditional.desc")
    label, row_class = _CATEGORIES.get(category, (other, RowClass.POSITION))
    if any(name.startswith("derivativeInfo") for name in cells):
        row_class = RowClass.DERIVATIVE
    return label, row_class


def _findings(filing: _Filing, as_of: str, total: Decimal, assets: Decimal) -> list[str]:
    found, told = filing.found, list[str]()
    if not found:
        what = "an empty list of holdings" if filing.holdings_element else "no holdings element"
        final = (
            " It is the fund's final filing." if filing.facts.get("isFinalFiling") == "Y" else ""
        )
        told.append(
            f"Holdings missing: the filing has {what} and states net assets of {assets:f}; this is no empty "
            f"portfolio.{final}"
        )
    counted = [row for row in found if row["class"] in rows.COUNTED]
    told += identity.of_codes(counted)
    told += identity.shortened(
        [
            f"Row {row['row']} was rejected: {row['reason']}."
            for row in found
            if row["class"] == RowClass.REJECTED
        ],
        "rejected rows",
    )
    shorts = sum("short" in row for row in counted)
    if shorts:
        told.append(f"Short positions: {shorts}; their weights are as the filing states them.")
    told += baskets.swap_rows(counted)
    if found and abs(total - 100) > _REMARKABLE:
        told.append(
            f"The weights sum to {total:f} percent of net assets; nothing was renormalised."
        )
    year_end = iso_date(filing.facts.get("repPdEnd", ""))
    if NOT_STATED not in (as_of, year_end) and as_of != year_end:
        told.append(
            f"The holdings are of {as_of}; {year_end} is the end of the fund's fiscal year."
        )
    if as_of == NOT_STATED:
        told.append("The file does not state the date of the holdings.")
    return told
