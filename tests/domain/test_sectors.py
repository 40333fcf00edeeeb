"""Sectors carry taxonomy, version and source; a file without any is joined with a dated map."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from research.domain import Reading
from research.domains.investment import DOMAIN
from research.domains.investment.codes import (
    cusip_of_isin,
    figi_valid,
    sedol_valid,
    ticker_key,
)
from research.domains.investment.gics import sector_of_sub_industry, structure_of
from research.domains.investment.readers.sectors import UndatedMap, joined

RealFile = Callable[[str], bytes]
MAP = "Symbol,Security,GICS Sector\nAAPL,Apple,Information Technology\nXOM,Exxon,Energy\n"
BARE = "Fund,X\nName,Ticker,Weight (%)\nApple,AAPL,60\nExxon,xom us,30\nOther,OTH,10\n"


def read(text: str | bytes) -> Reading:
    return DOMAIN.read(text.encode() if isinstance(text, str) else text, "")


class TestJoined:
    def test_a_map_without_a_date_joins_nothing(self) -> None:
        with pytest.raises(UndatedMap):
            joined(read(BARE), read(MAP))

    def test_a_dated_map_gives_its_sectors_and_says_so(self) -> None:
        reading = joined(read(BARE), read(MAP), dated="2023-05-31")
        assert [(row["sector"], row.get("sector_source", "")) for row in reading.rows] == [
            ("Information Technology", "map"),
            ("Energy", "map"),
            ("", ""),
        ]
        assert reading.findings[-1] == (
            "Sectors of 2 positions come from a sector map of 2023-05-31; it does not know 1."
        )
        assert reading.summary["sector_source"] == "sector map of 2023-05-31"
        assert reading.summary["sector_version"] == "structure of 2023-03-17"

    def test_a_date_in_the_map_needs_no_other(self) -> None:
        dated = joined(read(BARE), read(f"As of,2023-01-31\n{MAP}"))
        assert dated.summary["sector_source"] == "sector map of 2023-01-31"

    def test_sectors_that_are_stated_stay(self) -> None:
        stated = "Fund,X\nName,Ticker,Sector,Weight (%)\nApple,AAPL,Energy,60\nExxon,XOM,,40\n"
        reading = joined(read(stated), read(MAP), dated="2023-05-31")
        assert [row["sector"] for row in reading.rows] == ["Energy", "Energy"]

    def test_a_13f_is_joined_by_nothing_it_does_not_state(self, real_file: RealFile) -> None:
        reading = joined(read(real_file("34")), read(real_file("53")), dated="2026-08-05")
        assert reading.findings[-1].endswith("it does not know 14.")  # CUSIPs against tickers

    def test_the_technology_share_of_a_file_joined_is_near_that_of_its_own_sectors(
        self, real_file: RealFile
    ) -> None:
        own = read(real_file("06"))
        bare = Reading(
            **{
                **{name: getattr(own, name) for name in Reading.__dataclass_fields__},
                "rows": tuple(
                    {**row, "sector": ""} if "sector" in row else row for row in own.rows
                ),
            }
        )
        filled = joined(bare, read(real_file("53")), dated="2026-08-05")
        known = sum(bool(row.get("sector")) for row in filled.rows)
        assert known > 430
        assert sum(
            Decimal(row["weight_pct"]) for row in filled.rows if row.get("sector") == "Energy"
        ) == pytest.approx(Decimal(5), abs=Decimal(1))


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
