"""Every real file: what it is recognised as, where its rows went, what they sum to, and what was found.

The figures are those computed independently (README of the real files).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from research.domain import Unreadable
from research.domains.investment import DOMAIN
from tests.domain.fuzz import accounted

RealFile = Callable[[str], bytes]


@dataclass(frozen=True)
class Known:
    """What is known of one file.

    Shape:
        classes: rows of each class that occurs
        summary: some figures of the file
        findings: how the findings begin, all of them and in order
        refused: how the refusal begins, where the file is no positions
        row: the row a refusal names
    """

    what: str = ""
    reader: str = ""
    kind: str = "holdings"
    as_of: str = "not stated"
    classes: Mapping[str, int] = field(default_factory=dict)
    summary: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    refused: str = ""
    row: int | None = None


GICS_2018 = "structure of 2018-09-28, before the changes of 2023-03-17"
FILES = {
    "01": Known(
        "iShares holdings download",
        "issuer_csv/1",
        as_of="2023-01-20",
        classes={"position": 1, "cash": 2, "derivative": 3, "footer": 9, "rejected": 7},
        summary={
            "weight_sum_pct": "100.00",
            "position_sum_pct": "102.60",
            "derivative_sum_pct": "-2.66",
            "cash_sum_pct": "0.06",
            "taxonomy": "no sector labels in the file",
        },
        findings=(
            ("The table with the header in row 27 was not read: it repeats the table with the "
            "header in row 10."),
            "Row 11 (ISHARES MSCI UNITED KINGDOM ETF) is itself a fund",
        ),
    ),
    "02": Known(
        "iShares holdings download",
        "issuer_csv/1",
        as_of="2022-12-30",
        classes={"position": 503, "cash": 4, "derivative": 1, "footer": 1},
        summary={
            "weight_sum_pct": "100.02",
            "hhi": "0.011713",
            "effective_n": "85.38",
            "top_ten_pct": "24.32",
            "taxonomy": "GICS sector labels as stated in the file",
            "sector_taxonomy": "GICS",
            "sector_version": GICS_2018,
            "sector_source": "the file, column 'Sector'",
        },
    ),
    "06": Known(
        "State Street (US) daily holdings",
        "issuer_xlsx/1",
        as_of="2023-01-10",
        classes={"position": 503, "cash": 1, "footer": 6, "rejected": 1},
        summary={"weight_sum_pct": "99.999959", "sector_version": GICS_2018, "blank_rows": "81"},
        findings=(
            "Codes of 8 characters, as CUSIPs without their check digit: 503",
            "Row 33 was rejected: it is a placeholder of the publisher (DUMMY).",
        ),
    ),
    "08": Known(
        "State Street (UCITS) daily holdings",
        "issuer_xlsx/1",
        as_of="2026-02-12",
        classes={"position": 2317, "cash": 38, "derivative": 2, "footer": 1},
        summary={
            "weight_sum_pct": "99.999988",
            "sector_version": "structure of 2023-03-17",
            "blank_rows": "1",
        },
        findings=(
            "The column 'Industry Classification' classifies too",
            "ISIN IE00BWT6H894 stands in rows 859, 1137; each row was counted.",
            "Positions that only a name identifies: 4.",
            "Cash or derivative rows that state no weight: 40.",
        ),
    ),
    "09": Known(
        "Vanguard portfolio holdings",
        "issuer_json/1",
        as_of="2022-11-30",
        classes={"position": 503, "cash": 2, "derivative": 1},
        summary={
            "weight_sum_pct": "99.9937881896",
            "derivative_sum_pct": "0.5023836072",
            "sector_taxonomy": "GICS, sectors of the stated sub-industries",
            "sector_version": GICS_2018,
        },
        findings=(
            "The file states GICS sub-industries; their sectors are those of the same structure.",
            "The column 'icbLevel4SectorName' classifies too; the two are not mixed.",
            "The publisher states the notional of futures as their market value and weight.",
            "The file does not name its fund",
        ),
    ),
    "12": Known(
        "Invesco holdings download",
        "issuer_csv/1",
        as_of="2023-01-13",
        classes={"position": 101},
        summary={"weight_sum_pct": "100.004", "sector_version": GICS_2018},
    ),
    "17": Known(refused="this is an HTML page, as a blocked or moved download leaves behind"),
    "22": Known(
        "China Securities Index closing weights",
        "issuer_xls/1",
        as_of="2026-04-30",
        classes={"position": 300},
        summary={"weight_sum_pct": "100.003", "taxonomy": "no sector labels in the file"},
    ),
    "30": Known(
        "SEC N-PORT filing",
        "sec_nport_xml/1",
        as_of="2022-12-31",
        classes={"position": 55},
        summary={"weight_sum_pct": "97.8357898155", "fiscal_year_end": "2023-06-30", "final_filing": "no"},
        findings=(
            "The weights sum to 97.8357898155 percent of net assets; nothing was renormalised.",
            "The holdings are of 2022-12-31; 2023-06-30 is the end of the fund's fiscal year.",
        ),
    ),
    "31": Known(
        "SEC N-PORT filing",
        "sec_nport_xml/1",
        as_of="2022-12-30",
        summary={"weight_sum_pct": "0", "net_assets": "1389080.74", "final_filing": "yes"},
        findings=(
            ("Holdings missing: the filing has no holdings element and states net assets of "
            "1389080.74; this is no "
            "empty portfolio. It is the fund's final filing."),
            "The holdings are of 2022-12-30",
        ),
    ),
    "34": Known(
        "SEC 13F information table",
        "sec_13f_submission/1",
        as_of="2023-09-30",
        classes={"position": 14},
        summary={"value_sum": "454926000", "value_unit": "USD", "stated_as": "values"},
        findings=(("The file states values and no weights: weights are percent of the reported sum of "
            "454926000 (USD)."),),
    ),
    "40": Known(
        "DEGIRO portfolio",
        "broker_csv/1",
        "portfolio",
        classes={"position": 21, "cash": 1},
        summary={"value_sum": "90575.48", "value_currency": "CHF", "weight_sum_pct": "99.999999"},
        findings=(
            "The file states values and no weights: weights are percent of the sum of 90575.48 CHF.",
            "The file does not state the date of the values.",
        ),
    ),
    "41": Known(
        "Interactive Brokers Flex query (open positions)",
        "ibkr_flex_xml/1",
        "portfolio",
        as_of="2025-12-31",
        classes={"position": 2, "cash": 1, "derivative": 1, "rejected": 1},
        summary={"value_currency": "CHF", "derivative_sum_pct": "-0.586422"},
        findings=(
            "The file states values and no weights",
            "The field percentOfNAV has no sign and was not used.",
            "Row 1: the check digit of ISIN US0000000001 is wrong",
            "Row 2: the check digit of ISIN IE0000000002 is wrong",
            "Lines with a negative value (short or owed): 1 (XXXX 20FEB26 200 C first).",
            "Not read, for they are no positions: 3 CashTransaction",
            "Row 5 was rejected: it is the cash of one currency",
        ),
    ),
    "42": Known(
        "Fidelity statement",
        "broker_csv/1",
        "portfolio",
        classes={"position": 1, "cash": 2, "subtotal": 2, "footer": 4, "rejected": 1},
        summary={"value_sum": "28335.77", "value_currency": "not stated"},
        findings=(
            "Rows above the header that belong to another table: 1.",
            "The file states values and no weights",
            "The file does not state the date of the values.",
        ),
    ),
    "47": Known(refused="this is a list of 20 transactions, not of positions (its header in row 1", row=1),
    "48": Known(
        refused="this is a list of 25 transactions, not of positions (its header in row 10", row=10
    ),
    "52": Known(
        "a covariance matrix",
        "covariance_csv/1",
        "covariance",
        classes={"series": 95},
        summary={"symmetric": "yes", "names": "95"},
        findings=("The matrix does not state over which period",),
    ),
    "53": Known(
        "a sector map (securities with their sector)",
        "sector_map_csv/1",
        "sector_map",
        classes={"label": 503},
        summary={"sector_taxonomy": "GICS", "sector_source": "the file, column 'GICS Sector'"},
        findings=("The sector map does not state its date, so no figure takes a sector from it.",),
    ),
    "61": Known(
        "a Markdown document", "markdown/1", "text", as_of="2025-11-12", classes={"passage": 10}
    ),
    "62": Known(
        "a Markdown document", "markdown/1", "text", as_of="2025-11-12", classes={"passage": 10}
    ),
}  # fmt: skip
READ = {number: known for number, known in FILES.items() if not known.refused}
REFUSED = {number: known for number, known in FILES.items() if known.refused}


@pytest.mark.parametrize(("number", "known"), READ.items(), ids=list(READ))
class TestEveryFile:
    def test_is_recognised_by_its_content_and_its_rows_are_the_known_ones(
        self, real_file: RealFile, number: str, known: Known
    ) -> None:
        reading = DOMAIN.read(real_file(number), "a name that says nothing.bin")
        assert reading.summary["recognised_as"] == known.what
        assert (reading.reader, reading.kind) == (known.reader, known.kind)
        assert reading.as_of == known.as_of
        assert {name: count for name, count in reading.counts.items() if count} == known.classes
        assert {name: reading.summary[name] for name in known.summary} == known.summary

    def test_has_the_known_findings(self, real_file: RealFile, number: str, known: Known) -> None:
        reading = DOMAIN.read(real_file(number), "")
        assert len(reading.findings) == len(known.findings), reading.findings
        for finding, begins in zip(reading.findings, known.findings, strict=True):
            assert finding.startswith(begins)

    def test_loses_no_row(self, real_file: RealFile, number: str, known: Known) -> None:
        raw = real_file(number)
        assert accounted(raw, DOMAIN.read(raw, "")) == sum(known.classes.values())


@pytest.mark.parametrize(("number", "known"), REFUSED.items(), ids=list(REFUSED))
def test_what_holds_no_positions_is_refused_by_name(
    real_file: RealFile, number: str, known: Known
) -> None:
    raw = real_file(number)
    with pytest.raises(Unreadable) as refused:
        DOMAIN.read(raw, "holdings.csv")
    assert refused.value.problem.startswith(known.refused)
    assert refused.value.row == known.row
    assert refused.value.first_bytes == raw[:64]
