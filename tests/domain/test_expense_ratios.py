"""Expense ratios that files state: by the words of a header in six languages, or above a table."""

from __future__ import annotations

import pytest

from research.domain import Reading, SourceView
from research.domains.investment import DOMAIN

TOOLS = {tool.name: tool for tool in DOMAIN.tools}
ISSUER = """\
Fund,X
ISIN,IE00B4L5Y983
{line}As of,2026-10-30
Name,Ticker,Sector,Weight (%)
A,AAA,Energy,100
"""


def read(text: str) -> Reading:
    return DOMAIN.read(text.encode(), "")


def portfolio(header: str, first: str, second: str) -> Reading:
    return read(
        f"Portfolio;Mine\nName;ISIN;Asset class;Weight (%);{header}\n"
        f"A fund;IE00B4L5Y983;Equity fund;60;{first}\nB fund;IE00BKM4GZ66;Equity fund;40;{second}\n"
    )


def ratios(reading: Reading) -> list[str | None]:
    return [row.get("expense_ratio_pct") for row in reading.rows]


def said(reading: Reading, word: str = "read") -> list[str]:
    return [one for one in reading.findings if "not read" in one and word in one]


class TestAPortfolio:
    @pytest.mark.parametrize(
        "header",
        [
            "TER",
            "TER (%)",
            "TER p.a. (%)",
            "Expense Ratio",
            "Ongoing charges in %",
            "OCF",
            "Laufende Kosten",
            "Laufende Kosten in %",
            "Gesamtkostenquote (TER)",
            "Frais courants",
            "Spese correnti (%)",
            "Gastos corrientes",
            "费率",
            "总费率（%）",
        ],
    )
    def test_states_them_in_a_column(self, header: str) -> None:
        assert ratios(portfolio(header, "0.20", "0.0945")) == ["0.20", "0.0945"]

    @pytest.mark.parametrize(
        ("first", "second", "read_as"),
        [
            ("0,20 %", "0,07 %", ["0.20", "0.07"]),
            ("0.02%", "0.015%", ["0.02", "0.015"]),
            ("0", "0.20", ["0", "0.20"]),
            ("", "0.20", [None, "0.20"]),
            ("--", "n/a", [None, None]),
        ],
        ids=["decimal comma", "cells that say percent", "no cost", "one blank", "none stated"],
    )
    def test_states_some_of_them(self, first: str, second: str, read_as: list[str]) -> None:
        reading = portfolio("TER", first, second)
        assert ratios(reading) == read_as
        assert said(reading) == []

    def test_whose_figures_may_be_fractions_states_none(self) -> None:
        reading = portfolio("TER", "0.0020", "0.0007")
        assert ratios(reading) == [None, None]
        [finding] = said(reading)
        assert finding.startswith("The column 'TER' does not say whether its figures are percent")

    @pytest.mark.parametrize("cell", ["-0.20", "20.01", "low", "0.2.0"])
    def test_keeps_a_line_whose_figure_is_none(self, cell: str) -> None:
        reading = portfolio("TER", cell, "0.20")
        assert ratios(reading) == [None, "0.20"]
        assert said(reading) == [
            f"Row 3: {cell!r} in the column 'TER' is no expense ratio of 0 to 20 percent; it was not read."
        ]

    def test_of_values_states_them_too(self) -> None:
        reading = read(
            "Product;ISIN;Quantity;Value in EUR;TER\nA fund;IE00B4L5Y983;1;600;0,20\n"
            "B fund;IE00BKM4GZ66;1;400;0,50\n"
        )
        assert ratios(reading) == ["0.20", "0.50"]


class TestAnIssuersFile:
    @pytest.mark.parametrize(
        ("line", "ratio"),
        [
            ("Expense Ratio,0.20%\n", "0.20"),
            ("Total Expense Ratio: 0.07\n", "0.07"),
            ('Laufende Kosten,"0,15 %"\n', "0.15"),
            ("Frais courants,0.38%\n", "0.38"),
            ("费率：0.50%\n", "0.50"),
            ("TER,0.002\n", None),
            ("TER,low\n", None),
            ("", None),
        ],
    )
    def test_states_its_own_above_the_table(self, line: str, ratio: str | None) -> None:
        reading = read(ISSUER.format(line=line))
        assert (reading.kind, reading.as_of) == ("holdings", "2026-10-30")
        assert reading.summary.get("expense_ratio_pct") == ratio


class TestFundCosts:
    def test_takes_the_lines_own_ratio_first_and_the_issuers_else(self) -> None:
        """60 % of 0.20 and 40 % of 0.50 are 0.32; with the 0.10 of the issuer 0.26."""
        issuer = read(ISSUER.format(line="TER,0.10%\n"))
        shown = []
        for first in ("0.20", ""):
            own = portfolio("TER", first, "0.50")
            sources = [
                SourceView("S1", "id-S1", "mine", "", own),
                SourceView("S2", "id-S2", "x", "", issuer),
            ]
            shown.append(TOOLS["fund_costs"].run({}, sources).shown)
        assert [one["before_pct"] for one in shown] == ["0.3200", "0.2600"]
        assert [each["said_by"] for each in shown[0]["ratios"]] == ["S1 row 3", "S1 row 4"]
        assert [each["said_by"] for each in shown[1]["ratios"]] == ["S2", "S1 row 4"]
        assert shown[1]["coverage"] == {"with_a_ratio_pct": "100.00", "from_sources_pct": "100.00"}
