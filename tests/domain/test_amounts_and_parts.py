"""Amounts with a currency, groups of thousands, stated units, and where two tables are not one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from research.domain import Reading, Unreadable
from research.domains.investment import DOMAIN
from research.domains.investment.readers import numbers
from research.domains.investment.readers.columns import weight_unit

VALUES = "Symbol,Description,Market Value\n"


def read(text: str) -> Reading:
    return DOMAIN.read(text.encode(), "")


def values(reading: Reading) -> list[str]:
    return [row["market_value"] for row in reading.rows if "market_value" in row]


class TestAmounts:
    @pytest.mark.parametrize(
        ("cell", "sign", "value", "currency"),
        [
            ("$25,000.00", ".", "25000.00", "$"),
            ("($360.50)", ".", "-360.50", "$"),
            ("1.234,50 €", ",", "1234.50", "EUR"),
            ("CHF 1'234.50", ".", "1234.50", "CHF"),
            ("£5", ".", "5", "GBP"),
            ("12.5", ".", "12.5", ""),
        ],
    )
    def test_a_currency_beside_an_amount(
        self, cell: str, sign: str, value: str, currency: str
    ) -> None:
        assert numbers.amount(cell, sign) == Decimal(value)
        assert numbers.money_of(cell) == currency

    def test_a_weight_has_no_currency(self) -> None:
        assert numbers.weight("$5", ".") is None

    @pytest.mark.parametrize(
        ("cells", "sign"),
        [
            (["$15,000", "$10,000", "$5"], "."),
            (["15,000", "5.50"], "."),
            (["1.234.567", "800"], ","),
            (["1,50", "15.000"], ","),
            (["12.5", "7"], "."),
        ],
    )
    def test_a_group_of_thousands_is_no_fraction(self, cells: list[str], sign: str) -> None:
        assert numbers.amount_sign(enumerate(cells)) == (sign, None)

    def test_whole_dollars(self) -> None:
        reading = read(VALUES + 'AAPL,Apple,"$15,000"\nVTI,Vanguard ETF,$5\n')
        assert values(reading) == ["15000", "5"]
        assert reading.summary["value_currency"] == "$"

    def test_amounts_in_two_currencies_are_not_added_up(self) -> None:
        with pytest.raises(Unreadable, match=r"several currencies \(\$, EUR in row 3\)"):
            read(VALUES + "AAPL,Apple,$15\nSAP,SAP SE,€5\n")


class TestUnitsOfWeights:
    TABLE = "Fund,X\nName,ISIN,{}\nA,US0378331005,{}\nB,DE0007164600,{}\n"

    @pytest.mark.parametrize("head", ["Weight (fraction)", "weight_decimal", "weightFraction"])
    def test_fractions_that_the_header_states(self, head: str) -> None:
        assert weight_unit(head) == "fraction"
        reading = read(self.TABLE.format(head, "0.6", "0.4"))
        assert [row["weight_pct"] for row in reading.rows] == ["60.0", "40.0"]
        assert reading.findings == ("The file does not state the date of the holdings.",)

    def test_a_sum_that_contradicts_them_is_refused(self) -> None:
        with pytest.raises(Unreadable, match=r"sum to 100, although .* contradicts the sum"):
            read(self.TABLE.format("Weight (fraction)", "60", "40"))


class TestParts:
    HALVES = (
        "Fund,X\nName,ISIN,Weight (%)\nA,US0378331005,50\n{}\nName,ISIN,Weight (%)\n"
        "B,DE0007164600,50\n"
    )

    def test_two_halves_are_one_table(self) -> None:
        reading = read(self.HALVES.format("Bonds"))
        assert [row["class"] for row in reading.rows] == [
            "position",
            "footer",
            "footer",
            "position",
        ]
        assert reading.summary["weight_sum_pct"] == "100"

    def test_another_fund_between_them_makes_two_tables(self) -> None:
        with pytest.raises(Unreadable, match="two tables in one file"):
            read(self.HALVES.format("Fund,Y"))


class TestQuotesAndAssets:
    def test_single_quotes(self) -> None:
        reading = read(
            "Fund,X\n'Name','ISIN','Weight (%)'\n'A, Inc','US0378331005','60'\n'B','DE0007164600','40'\n"
        )
        assert [row["name"] for row in reading.rows] == ["A, Inc", "B"]

    def test_assets_with_a_decimal_comma_and_no_holding_are_missing_holdings(self) -> None:
        reading = read("Fonds;X\nFondsvermögen;1.000.000,00 EUR\nName;ISIN;Gewichtung in %\n")
        assert reading.rows == ()
        assert reading.findings[0].startswith(
            "Holdings missing: the file states net assets of 1000000.00"
        )
