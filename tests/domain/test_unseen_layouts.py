"""Ten exports that no reader was written for: what each is read as, to the row and to the digit.

The files were written from the rules alone, and what they must be read as was stated before any of them was
read, but for the class of the words around their tables.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from research.domain import Reading
from research.domains.investment import DOMAIN
from tests.domain.workbooks import Cell, Percent, xlsx

FILES = Path(__file__).parent / "unseen"
NORTHFIELD: dict[str, list[list[Cell]]] = {
    "Read me": [
        ["Northfield UK Income Fund"],
        ["This workbook is provided for information only."],
        ["See sheet Portfolio."],
    ],
    "Portfolio": [
        ["Northfield UK Income Fund"],
        [],
        ["Full portfolio"],
        ["As at", date(2025, 8, 29)],
        ["Currency", "GBP"],
        [],
        ["Sedol", "Cusip", "Security name", "Sector", "Shares", "Market value (GBP)", "% of Fund"],
        [540528, None, "HSBC Holdings", "Financials", 812000, 7712000, 24.1],
        [989529, None, "AstraZeneca", "Health Care", 54000, 6528000, 20.4],
        ["BP6MXD8", None, "Shell", "Energy", 220000, 6000000, 18.75],
        [263494, None, "BAE Systems", "Industrials", 270000, 4960000, 15.5],
        [237400, None, "Diageo", "Consumer Staples", 190000, 3920000, 12.25],
        [None, 37833100, "Apple Inc", "Technology", 12100, 2080000, 6.5],
        [None, None, "Cash & Equivalents", None, None, 800000, 2.5],
        [None, None, "Total", None, None, 32000000, 100],
        [],
        ["Portfolio holdings are unaudited and may change."],
    ],
    "Glossary": [
        ["Term", "Meaning"],
        ["Sedol", "Stock Exchange Daily Official List number"],
        ["% of Fund", "Share of net assets"],
    ],
}
BOND_COLUMNS = ["Cedola %", "Scadenza", "Valore nominale", "Controvalore (EUR)", "Peso %"]
ADIGE: dict[str, list[list[Cell]]] = {
    "Portafoglio": [
        ["Fondo Adige Bilanciato"],
        ["Data di riferimento: 30/06/2025"],
        [],
        ["AZIONI"],
        ["Titolo", "ISIN", "Quantità", "Controvalore (EUR)", "Peso %"],
        ["Enel SpA", "IT0003128367", 271000, 2200000, Percent(0.22)],
        ["Intesa Sanpaolo SpA", "IT0000072618", 368000, 1800000, Percent(0.18)],
        ["Eni SpA", "IT0003132476", 109000, 1500000, Percent(0.15)],
        ["Stellantis NV", "NL00150001Q9", 117000, 1000000, Percent(0.10)],
        ["Totale azioni", None, None, 6500000, Percent(0.65)],
        [],
        ["OBBLIGAZIONI"],
        ["Titolo", "ISIN", *BOND_COLUMNS],
        [
            *("BTP 4,35% 01/11/2033", "IT0005544082", 4.35, date(2033, 11, 1), 1850000),
            *(2000000, Percent(0.20)),
        ],
        [
            *("BTP 1,65% 01/03/2032", "IT0005094088", 1.65, date(2032, 3, 1), 1100000),
            *(1000000, Percent(0.10)),
        ],
        ["Totale obbligazioni", None, None, None, None, 3000000, Percent(0.30)],
        ["Liquidità", None, None, None, None, 500000, Percent(0.05)],
        ["Totale portafoglio", None, None, None, None, 10000000, Percent(1)],
    ]
}


def stored(name: str, *, encoding: str = "utf-8", line: str = "\n") -> bytes:
    """Return a file as its publisher stores it; here it lies as UTF-8."""
    return (FILES / name).read_text(encoding="utf-8").replace("\n", line).encode(encoding)


class Layout(NamedTuple):
    """A file and what it must be read as.

    Shape:
        sums: weights of positions, cash and derivatives in percent, and of all of them
        rows: row → what it says, in part
    """

    raw: bytes
    kind: str
    name: str
    as_of: str
    classes: dict[str, int]
    sums: tuple[str, str, str, str]
    rows: dict[int, dict[str, Any]]
    findings: list[str]


LAYOUTS = {
    "bars, doubled quotes, a bar in a name, a weight below a limit": Layout(
        stored("statement_a.txt"),
        "holdings", "Harbour Ridge Global Leaders Fund", "2025-09-30",
        {"position": 6, "cash": 1, "subtotal": 1, "footer": 2},
        ("94.98", "5.02", "", "100.00"),
        {
            8: {"isin": "US5949181045", "sedol": "2588173", "ticker": "MSFT", "weight_pct": "28.50"},
            9: {"isin": "US0846707026", "name": 'Berkshire Hathaway "B"'},
            13: {
                "name": "Old Line | stub (in liquidation)", "weight_pct": "",
                "weight_below_pct": "0.01", "name_only": True,
            },
        },
        [
            "Positions that only a name identifies: 1.",
            "Rows whose weight is an interval from 0 (`<0.01 %`): 1; no point was made of them.",
        ],
    ),
    "a workbook of three sheets, its header in row 7, codes that became numbers": Layout(
        xlsx(NORTHFIELD, merged="A1:G1"),
        "holdings", "Northfield UK Income Fund", "2025-08-29",
        {"position": 6, "cash": 1, "subtotal": 1, "footer": 7},
        ("97.50", "2.5", "", "100.00"),
        {
            8: {"sedol": "0540528", "name": "HSBC Holdings", "weight_pct": "24.1"},
            10: {"sedol": "BP6MXD8"},
            13: {"cusip": "037833100", "name": "Apple Inc", "weight_pct": "6.5"},
        },
        [
            ("Leading zeros of codes in the column 'Cusip' were put back, as their check digits say: "
            "37833100 is 037833100."),
            ("Leading zeros of codes in the column 'Sedol' were put back, as their check digits say: "
            "540528 is 0540528."),
            ("Codes in the column 'Cusip' that were stored as numbers: 1; they were read as text, and "
            "leading zeros may be lost."),
            ("Codes in the column 'Sedol' that were stored as numbers: 4; they were read as text, and "
            "leading zeros may be lost."),
        ],
    ),
    "nested JSON with fractions and a breakdown by asset class": Layout(
        stored("extract_c.json"),
        "holdings", "Alpenblick European Quality", "2025-07-31",
        {"position": 6, "cash": 1, "derivative": 1, "footer": 10, "rejected": 3},
        ("95.2000", "4.9000", "-0.1000", "100.0000"),
        {
            1: {"isin": "NL0010273215", "ticker": "ASML", "weight_pct": "22.1500"},
            6: {"isin": "", "figi": "BBG000BPH459", "weight_pct": "6.1000"},
            7: {"class": "derivative", "weight_pct": "-0.1000"},
        },
        ["The weights sum to 1.0000 and were read as fractions of 1."],
    ),
    "XML in a namespace of its own, a short position, a sum that is no 100": Layout(
        stored("feed_d.xml"),
        "holdings", "Bluewater US Long/Short Equity", "2025-10-31",
        {"position": 6, "cash": 1},
        ("92.37", "7.00", "", "99.37"),
        {
            1: {"isin": "US0378331005", "weight_pct": "31.42"},
            5: {"isin": "US88160R1014", "weight_pct": "-4.75", "market_value": "-1900000.00"},
            7: {"class": "cash", "weight_pct": "7.00"},
        },
        ["The weights sum to 99.37 percent; nothing was renormalised."],
    ),
    "German in cp1252, subtotals, liabilities and the fund's assets as the last sum": Layout(
        stored("aufstellung_e.csv", encoding="cp1252", line="\r\n"),
        "holdings", "Rheintal Dividendenfonds", "2025-06-30",
        {"position": 5, "cash": 2, "subtotal": 3, "footer": 1},
        ("97.60", "2.40", "", "100.00"),
        {
            5: {"isin": "DE0007164600", "code": "716460", "weight_pct": "24.50"},
            8: {"isin": "DE0008430026", "name": "Münchener Rück AG"},
            13: {"class": "cash", "weight_pct": "-0.12"},
        },
        [
            "Row 2 is not UTF-8; the encoding was guessed as cp1252: check names with accents.",
            ("The file names neither a fund nor a portfolio; by what it lists it was read as the holdings "
            "of one fund. To read it as a portfolio, put a line `Portfolio,<name>` above the header."),
        ],
    ),
    "French with a byte order mark and narrow spaces between thousands": Layout(
        stored("inventaire_f.csv", encoding="utf-8-sig"),
        "holdings", "Cap Horizon Actions France", "2025-08-29",
        {"position": 6, "cash": 1, "subtotal": 1, "footer": 1},
        ("96.00", "4.00", "", "100.00"),
        {
            5: {"isin": "FR0000120271", "weight_pct": "21.35", "market_value": "4270000.00"},
            10: {"isin": "FR0013286192", "weight_pct": "9.05"},
        },
        [],
    ),
    "Italian, shares and bonds in two parts of one sheet, percent that are stored as fractions": Layout(
        xlsx(ADIGE, merged="A1:E1"),
        "holdings", "Fondo Adige Bilanciato", "2025-06-30",
        {"position": 6, "cash": 1, "subtotal": 3, "footer": 2},
        ("95.00", "5.00", "", "100.00"),
        {
            6: {"isin": "IT0003128367", "weight_pct": "22.00"},
            14: {"isin": "IT0005544082", "weight_pct": "20.0", "market_value": "2000000"},
        },
        [
            ("The table stands in 2 parts, with headers in rows 5, 13; they were read as one, because "
            "their weights are a whole only together."),
            ("The weights sum to 1.00 and were read as fractions of 1, although the header of the column "
            "says percent."),
            ("The file names neither a fund nor a portfolio; by what it lists it was read as the holdings "
            "of one fund. To read it as a portfolio, put a line `Portfolio,<name>` above the header."),
        ],
    ),
    "Spanish with a future, a forward, a short position in brackets and cash": Layout(
        stored("cartera_h.tsv"),
        "holdings", "Meseta Retorno Absoluto FI", "2025-11-28",
        {"position": 5, "cash": 1, "derivative": 2, "subtotal": 1, "footer": 1},
        ("84.30", "18.12", "-2.42", "100.00"),
        {
            5: {"isin": "ES0144580Y14", "weight_pct": "24.30"},
            8: {"isin": "ES0178430E18", "weight_pct": "-1.20", "market_value": "-360000.00"},
            11: {"class": "derivative", "weight_pct": "0.08"},
        },
        [],
    ),
    "Chinese in GB18030, codes with leading zeros, part of the holdings": Layout(
        stored("jijin_i.csv", encoding="gb18030"),
        "holdings", "华泰沪港深精选混合型证券投资基金", "2025-06-30",
        {"position": 5, "cash": 1, "subtotal": 1, "footer": 1},
        ("35.06", "8.15", "", "43.21"),
        {
            7: {"code": "000001", "name": "平安银行", "weight_pct": "6.31"},
            9: {"code": "00700", "name": "腾讯控股", "weight_pct": "4.90"},
        },
        [
            "Row 1 is not UTF-8; the encoding was guessed as gb18030: check names with accents.",
            "The weights sum to 43.21 percent only: the file lists some of the holdings.",
            "The weights sum to 43.21 percent; nothing was renormalised.",
        ],
    ),
    "a broker's export with values and no weights, lots, subtotals and headings": Layout(
        stored("positions_j.csv"),
        "portfolio", "", "2025-12-31",
        {"position": 4, "cash": 1, "subtotal": 3, "footer": 5, "rejected": 2},
        ("93.285715", "6.714286", "", "100.000001"),
        {
            5: {"cusip": "037833100", "ticker": "AAPL", "market_value": "25000.00", "line": 1},
            6: {"class": "rejected", "reason": "it is a lot of row 5, which is counted whole"},
            8: {"ticker": "MSFT", "market_value": "24000.00", "line": 2},
            15: {"class": "cash", "market_value": "9400.00"},
        },
        [
            ("Leading zeros of codes in the column 'CUSIP' were put back, as their check digits say: "
            "37833100 is 037833100."),
            ("The file states values and no weights: weights are percent of the sum of 140000.00 "
            "$."),
            "Row 6 was rejected: it is a lot of row 5, which is counted whole.",
            "Row 7 was rejected: it is a lot of row 5, which is counted whole.",
        ],
    ),
}  # fmt: skip


def read(raw: bytes) -> Reading:
    return DOMAIN.read(raw, "")


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_an_unseen_layout(layout: Layout) -> None:
    reading = read(layout.raw)
    assert (reading.kind, reading.identity["name"], reading.as_of) == layout[1:4]
    assert Counter(row["class"] for row in reading.rows) == layout.classes
    sums = ("position_sum_pct", "cash_sum_pct", "derivative_sum_pct", "weight_sum_pct")
    assert tuple(reading.summary.get(each, "") for each in sums) == layout.sums
    sheet = reading.summary.get("sheet", "")
    main = {row["row"]: row for row in reading.rows if row.get("sheet", "") == sheet}
    for number, said in layout.rows.items():
        assert {key: main[number].get(key) for key in said} == said
    assert list(reading.findings) == layout.findings


def test_the_identity_of_a_fund_may_be_stated_above_its_table() -> None:
    assert read(stored("statement_a.txt")).identity["isin"] == "IE00B4L5Y983"


def test_a_code_that_became_a_power_of_ten_is_no_code() -> None:
    microsoft = read(stored("positions_j.csv")).rows[4]
    assert (microsoft["ticker"], "cusip" in microsoft) == ("MSFT", False)


def test_a_breakdown_by_asset_class_is_kept_and_not_counted() -> None:
    rows = read(stored("extract_c.json")).rows
    assert [row["text"] for row in rows if row.get("sheet") == "report.allocation"][-3:] == [
        "Equity | 0.9520",
        "Cash | 0.0490",
        "Derivatives | -0.0010",
    ]
