"""SEC forms and Flex queries beyond what the real files show."""

from __future__ import annotations

import pytest

from research.domain import Reading, Unreadable
from research.domains.investment import DOMAIN

TABLE = (
    '<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">'
    "<infoTable><nameOfIssuer>APPLE INC</nameOfIssuer><titleOfClass>COM</titleOfClass>"
    "<cusip>037833100</cusip><value>600</value></infoTable><infoTable><nameOfIssuer>SAP "
    "SE</nameOfIssuer><titleOfClass>ADR</titleOfClass>"
    "<cusip>803054204</cusip><value>400</value><putCall>Put</putCall></infoTable></informationTable>"
)
SUBMISSION = (
    "<SEC-DOCUMENT>0000000000-22-000001.txt : 20221114\n<SEC-HEADER>x\nCONFORMED SUBMISSION TYPE:\t13F-HR\n"
    "CONFORMED PERIOD OF REPORT:\t20220930\nFILED AS OF DATE:\t\t{filed}\n"
    "\t\tCOMPANY CONFORMED NAME:\t\t\tA Manager "
    "LP\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>INFORMATION TABLE\n<TEXT>\n<XML>\n"
    + TABLE
    + "\n</XML>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n"
)
NPORT = (
    '<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><formData><genInfo><regName>A Trust</regName>'
    "<seriesName>A "
    "Series</seriesName><repPdEnd>2023-06-30</repPdEnd><repPdDate>2023-06-30</repPdDate></genInfo>"
    "<fundInfo><netAssets>1000</netAssets></fundInfo><invstOrSecs>{}</invstOrSecs></formData></edgarSubmission>"
)
HELD = (
    "<invstOrSec><name>{name}</name><title>{name}</title><cusip>000000000</cusip>{more}"
    "<pctVal>{weight}</pctVal><payoffProfile>{side}</payoffProfile></invstOrSec>"
)
FLEX = (
    '<FlexQueryResponse><FlexStatements><FlexStatement accountId="U1" toDate="20251231">'
    '<AccountInformation accountId="U1" currency="EUR" name="A"/><OpenPositions>{}</OpenPositions>'
    "</FlexStatement></FlexStatements></FlexQueryResponse>"
)
POSITION = (
    '<OpenPosition accountId="{account}" assetCategory="STK" symbol="SAP" isin="DE0007164600" '
    'description="SAP SE" '
    'fxRateToBase="1" positionValue="{value}" percentOfNAV="99" '
    'levelOfDetail="{level}" reportDate="2025-12-31"/>'
)


def read(text: str) -> Reading:
    return DOMAIN.read(text.encode(), "")


class TestThirteenF:
    def test_a_table_alone_states_neither_date_nor_unit(self) -> None:
        reading = read(TABLE)
        assert (reading.reader, reading.as_of) == ("sec_13f_xml/1", "not stated")
        assert reading.summary["value_unit"] == "not stated"
        assert [row["weight_pct"] for row in reading.rows] == ["60.000000", "40.000000"]

    def test_an_option_is_a_derivative(self) -> None:
        option = read(TABLE).rows[1]
        assert (option["class"], option["name"]) == ("derivative", "SAP SE (Put)")

    @pytest.mark.parametrize(
        ("filed", "unit"), [("20221114", "thousands of USD"), ("20230103", "USD")]
    )
    def test_values_were_thousands_before_2023(self, filed: str, unit: str) -> None:
        reading = read(SUBMISSION.format(filed=filed))
        assert (reading.reader, reading.as_of) == ("sec_13f_submission/1", "2022-09-30")
        assert (reading.identity["name"], reading.summary["value_unit"]) == ("A Manager LP", unit)

    def test_a_row_without_a_value_is_rejected_and_the_cover_contradicted(self) -> None:
        reading = read(TABLE.replace("<value>400</value>", "<value>n/a</value>"))
        assert reading.counts["rejected"] == 1
        assert reading.rows[1]["reason"] == "the value 'n/a' is no number"


class TestNport:
    def read(self, *rows: str) -> Reading:
        return read(NPORT.format("".join(rows)))

    def row(self, name: str, weight: str, more: str = "", side: str = "Long") -> str:
        return HELD.format(name=name, weight=weight, more=more, side=side)

    def test_categories_become_classes(self) -> None:
        reading = self.read(
            self.row("A Corp", "90", "<assetCat>EC</assetCat>"),
            self.row("Money Fund", "9", "<assetCat>STIV</assetCat>"),
            self.row("Other Fund", "1", "<assetCat>EC</assetCat><issuerCat>RF</issuerCat>"),
            self.row(
                "Swap",
                "0.1",
                "<derivativeInfo><swapDeriv derivCat='SWP'><x>1</x></swapDeriv></derivativeInfo>",
            ),
            self.row("Short Corp", "-0.1", "<assetCat>EC</assetCat>", "Short"),
        )
        assert [row["class"] for row in reading.rows] == [
            "position", "cash", "position", "derivative", "position",
        ]  # fmt: skip
        assert "nested_fund" in reading.rows[2]
        assert reading.rows[4]["short"] is True
        assert reading.summary["weight_sum_pct"] == "100.0"
        assert any(each.startswith("Short positions: 1") for each in reading.findings)

    def test_zeros_are_no_cusip_and_a_name_alone_is_flagged(self) -> None:
        (row,) = self.read(self.row("A Corp", "100", "<assetCat>EC</assetCat>")).rows
        assert "cusip" not in row
        assert row["name_only"] is True

    def test_a_weight_that_is_none_is_rejected_and_kept(self) -> None:
        reading = self.read(self.row("A Corp", "100"), self.row("B Corp", "N/A"))
        assert reading.rows[1] == {
            "row": 2,
            "class": "rejected",
            "text": "B Corp | B Corp",
            "reason": "no weight is stated",
        }

    def test_a_holding_within_another_is_refused(self) -> None:
        """Read as one it would swallow a row without a word."""
        inner = self.row("B Corp", "40")
        with pytest.raises(Unreadable, match="one invstOrSec stands within another"):
            self.read(self.row("A Corp", "60", inner))

    def test_an_empty_list_with_assets_is_missing_holdings(self) -> None:
        reading = self.read()
        assert reading.rows == ()
        assert reading.findings[0].startswith("Holdings missing: the filing has")


class TestFlex:
    def read(self, *positions: str) -> Reading:
        return read(FLEX.format("".join(positions)))

    def of(self, value: str, level: str = "SUMMARY", account: str = "U1") -> str:
        return POSITION.format(value=value, level=level, account=account)

    def test_lots_are_part_of_their_position(self) -> None:
        reading = self.read(self.of("100"), self.of("60", "LOT"), self.of("40", "LOT"))
        assert [row["class"] for row in reading.rows] == ["position", "rejected", "rejected"]
        assert reading.rows[0]["weight_pct"] == "100.000000"

    def test_several_accounts_are_refused(self) -> None:
        with pytest.raises(Unreadable, match="the query holds 2 accounts; query each for itself"):
            self.read(self.of("100"), self.of("100", account="U2"))

    def test_values_that_add_up_to_nothing_are_refused(self) -> None:
        with pytest.raises(Unreadable, match="sum to 0: no weight can be computed"):
            self.read(self.of("100"), self.of("-100"))
