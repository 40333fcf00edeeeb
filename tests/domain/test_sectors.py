"""Sectors carry taxonomy, version and source; a file without any is joined with a dated map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from research.domain import Json, Reading, SourceView, ToolRefused
from research.domains.investment import DOMAIN
from research.domains.investment.codes import (
    cusip_of_isin,
    figi_valid,
    sedol_valid,
    ticker_key,
)
from research.domains.investment.gics import sector_of_sub_industry, structure_of

TOOLS = {tool.name: tool for tool in DOMAIN.tools}
RealFile = Callable[[str], bytes]
MAP = "Symbol,Security,GICS Sector\nAAPL,Apple,Information Technology\nXOM,Exxon,Energy\n"
BARE = "Fund,X\nName,Ticker,Weight (%)\nApple,AAPL,60\nExxon,xom us,30\nOther,OTH,10\n"


def read(text: str | bytes) -> Reading:
    return DOMAIN.read(text.encode() if isinstance(text, str) else text, "")


def view(handle: str, reading: Reading) -> SourceView:
    return SourceView(handle, f"id-{handle}", "a file", "", reading)


def by_sector(*files: Reading) -> Json:
    """Look through a portfolio that holds the fund X alone."""
    own = read("Portfolio,Mine\nName,ISIN,Ticker,Weight (%),Asset class\nX,,X1,100,Equity fund\n")
    given = [own, *files]
    sources = [view(f"S{number}", one) for number, one in enumerate(given, start=1)]
    assigned = [replace(one, assigned_to="X1") if one.handle == "S2" else one for one in sources]
    return TOOLS["look_through"].run({"dimension": "sector"}, assigned).shown


def shares(shown: Json) -> dict[str, str]:
    return {row["bucket"]: row["before_pct"] for row in shown["rows"]}


class TestAMap:
    def test_without_a_date_gives_no_sector_and_says_so(self) -> None:
        undated = read(MAP)
        assert (undated.as_of, undated.summary["sector_version"]) == ("not stated", "not stated")
        assert undated.findings[-1] == (
            "The sector map does not state its date, so no figure takes a sector from it. A line "
            "`As of,YYYY-MM-DD` above its header states one."
        )
        with pytest.raises(ToolRefused, match="no label for this dimension"):
            by_sector(read(BARE), undated)

    def test_with_a_date_gives_its_sectors_and_is_an_input(self) -> None:
        shown = by_sector(read(BARE), read(f"As of,2023-05-31\n{MAP}"))
        assert shares(shown) == {
            "Information Technology": "60.00",
            "Energy": "30.00",
            "Unclassified": "10.00",
        }
        assert shown["inputs"][2] == {
            "source": "S3",
            "as_of": "2023-05-31",
            "rows": "3-4",
            "sectors": "GICS; structure of 2023-03-17; the file, column 'GICS Sector'",
        }

    def test_leaves_sectors_that_are_stated(self) -> None:
        stated = "Fund,X\nName,Ticker,Sector,Weight (%)\nApple,AAPL,Energy,60\nExxon,XOM,,40\n"
        shown = by_sector(read(stated), read(f"As of,2023-05-31\n{MAP}"))
        assert shares(shown) == {"Energy": "100.00"}

    def test_of_tickers_gives_a_13f_with_cusips_nothing(self, real_file: RealFile) -> None:
        dated = replace(read(real_file("53")), as_of="2026-08-05")
        with pytest.raises(ToolRefused, match="no label for this dimension"):
            by_sector(read(real_file("34")), dated)

    def test_comes_near_the_sectors_that_the_file_states_itself(self, real_file: RealFile) -> None:
        own = read(real_file("06"))
        rows = tuple({**row, "sector": ""} if "sector" in row else row for row in own.rows)
        dated = replace(read(real_file("53")), as_of="2026-08-05")
        energy = [
            Decimal(shares(by_sector(one, dated))["Energy"])
            for one in (own, replace(own, rows=rows))
        ]
        assert energy == pytest.approx([Decimal("4.97")] * 2, abs=Decimal(1))


class TestStructures:
    @pytest.mark.parametrize(
        ("label", "as_of", "sector"),
        [
            ("Data Processing & Outsourced Services", "2022-11-30", "Information Technology"),
            ("Data Processing & Outsourced Services", "2023-03-17", "Industrials"),
            ("Data Processing & Outsourced Services", "not stated", ""),
            ("Technology Hardware, Storage & Periphera", "2022-11-30", "Information Technology"),
            ("Broadline Retail", "2024-01-31", "Consumer Discretionary"),
            ("Rockets", "2024-01-31", ""),
        ],
    )
    def test_a_sub_industry_says_its_sector(self, label: str, as_of: str, sector: str) -> None:
        assert sector_of_sub_industry(label, as_of) == sector

    def test_the_structure_follows_from_the_date(self) -> None:
        assert structure_of("2023-03-16").startswith("structure of 2018-09-28")
        assert structure_of("2023-03-17") == "structure of 2023-03-17"
        assert structure_of("not stated") == "not stated"

    def test_the_map_and_the_table_agree(self, real_file: RealFile) -> None:
        rows = read(real_file("53")).rows
        unlike = {
            row["sub_industry"]
            for row in rows
            if sector_of_sub_industry(row["sub_industry"], "2026-08-05") != row["sector"]
        }
        assert unlike == set()


class TestCodes:
    def test_check_digits(self) -> None:
        assert sedol_valid("2046251")
        assert not sedol_valid("2046252")
        assert figi_valid("BBG000B9XRY4")
        assert not figi_valid("BBG000B9XRY5")

    def test_an_isin_holds_a_cusip_in_two_countries(self) -> None:
        assert cusip_of_isin("US0378331005") == "037833100"
        assert cusip_of_isin("DE0007164600") == ""

    def test_a_ticker_loses_its_exchange(self) -> None:
        assert ticker_key("SPYY GY") == ticker_key("spyy") == "SPYY"
        assert ticker_key("7203 JP Equity") == "7203"
        assert ticker_key("BRK B") == "BRKB"
