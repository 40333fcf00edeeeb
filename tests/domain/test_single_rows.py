"""What is known of single rows of the real files."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from research.domain import Reading, Unreadable
from research.domains.investment import DOMAIN

RealFile = Callable[[str], bytes]


class TestWhatIsKnownOfSingleRows:
    def of(self, real_file: RealFile, number: str) -> Reading:
        return DOMAIN.read(real_file(number), "")

    def test_a_wrapper_keeps_its_label_where_it_classifies_nothing(
        self, real_file: RealFile
    ) -> None:
        (fund,) = [row for row in self.of(real_file, "01").rows if row["class"] == "position"]
        assert (fund["weight_pct"], fund["sector"]) == ("102.60", "")
        assert (fund["wrapper_label"], fund["nested_fund"]) == ("Financials", True)

    def test_numbers_stored_as_text_and_cut_cusips_are_kept(self, real_file: RealFile) -> None:
        first = self.of(real_file, "06").rows[0]
        assert (first["ticker"], first["code"], first["sedol"]) == ("AAPL", "03783310", "2046251")
        assert first["weight_pct"] == "5.957167"

    def test_unassigned_is_no_isin(self, real_file: RealFile) -> None:
        rows = self.of(real_file, "08").rows
        assert all(row["isin"] != "UNASSIGNED" for row in rows if "isin" in row)
        euro = next(row for row in rows if row.get("name") == "Euro")
        assert (euro["class"], euro["weight_pct"], euro["market_value"]) == (
            "cash",
            "",
            "240017.16",
        )
        assert sum(bool(row.get("weight_pct")) for row in rows) == 2317

    def test_a_cut_sub_industry_has_its_sector(self, real_file: RealFile) -> None:
        rows = self.of(real_file, "09").rows
        assert rows[0]["sub_industry"] == "Technology Hardware, Storage & Periphera"
        assert (rows[0]["sector"], rows[0]["sedol"]) == ("Information Technology", "2046251")
        visa = next(row for row in rows if row["ticker"] == "V")
        assert visa["sector"] == "Information Technology"  # as of 2022-11-30

    def test_codes_of_six_digits_are_text(self, real_file: RealFile) -> None:
        reading = self.of(real_file, "22")
        assert (reading.rows[0]["code"], reading.rows[0]["name"]) == ("000001", "平安银行")
        assert reading.identity["ticker"] == "000300"

    def test_a_bond_is_told_from_its_issuers_other_bonds(self, real_file: RealFile) -> None:
        first = self.of(real_file, "30").rows[0]
        assert first["name"] == "KENTUCKY ST PPTY & BLDGS COMMN: KY KYSFAC 5 08/01/2028"
        assert (first["isin"], first["cusip"], first["asset_class"]) == (
            "US49151FGH73",
            "49151FGH7",
            "Debt",
        )

    def test_a_decimal_comma_and_an_unnamed_column(self, real_file: RealFile) -> None:
        cash, amazon = self.of(real_file, "40").rows[:2]
        assert (cash["class"], cash["market_value"], cash["isin"]) == ("cash", "960.35", "")
        assert (amazon["isin"], amazon["market_value"]) == ("US0231351067", "16128.25")

    def test_a_short_option_has_a_negative_weight(self, real_file: RealFile) -> None:
        option = self.of(real_file, "41").rows[2]
        assert (option["class"], option["value_local"]) == ("derivative", "-1800 USD")
        assert Decimal(option["market_value"]) == Decimal(-1584)
        assert option["weight_pct"] == "-0.586422"

    def test_the_impossible_date_is_named(self, real_file: RealFile) -> None:
        with pytest.raises(Unreadable, match="row 34 has the impossible date 33-09-2024"):
            self.of(real_file, "48")
