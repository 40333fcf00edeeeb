"""Several tables in one file, units, and what a table is where it does not say so."""

from __future__ import annotations

import pytest

from research.domain import Reading, Unreadable
from research.domains.investment import DOMAIN
from tests.domain.workbooks import Cell, xlsx


def read(text: str | bytes) -> Reading:
    return DOMAIN.read(text.encode() if isinstance(text, str) else text, "")


class TestSeveralTables:
    ONE = "Fund,X\nName,ISIN,Weight (%)\nA,US0378331005,60\nB,DE0007164600,40\n"

    def test_a_list_of_the_largest_repeats_the_table(self) -> None:
        top: list[list[Cell]] = [["ISIN", "Name", "Weight (%)"], ["US0378331005", "A", 60.5]]
        reading = read(xlsx({"Top 10": top, "Holdings": [*top, ["DE0007164600", "B", 39.5]]}))
        assert [row["class"] for row in reading.rows] == [
            "rejected",
            "rejected",
            "position",
            "position",
        ]
        assert reading.summary["weight_sum_pct"] == "100.0"

    def test_two_different_tables_are_refused(self) -> None:
        other = self.ONE.replace("US0378331005", "US5949181045")
        with pytest.raises(
            Unreadable, match="header row of the first is row 2, of the second row 7"
        ) as refused:
            read(self.ONE + "\n" + other.partition("\n")[0] + "\n" + other.partition("\n")[2])
        assert refused.value.row == 7

    def test_transactions_below_positions_are_told_apart(self) -> None:
        reading = read(
            self.ONE
            + "\nTrade date,Transaction type,Name,ISIN,Amount\n2024-01-02,Buy,A,US0378331005,5\n"
        )
        assert [row["class"] for row in reading.rows] == [
            "position",
            "position",
            "rejected",
            "rejected",
        ]
        assert reading.rows[2]["reason"] == (
            "it belongs to another table, of transactions, with the header in row 6"
        )


class TestUnits:
    def test_a_unit_from_the_sum_alone_is_a_finding(self) -> None:
        reading = read("Fund,X\nName,ISIN,Weight\nA,US0378331005,60\nB,DE0007164600,40\n")
        assert reading.findings[0] == (
            "The file does not state the unit of its weights; their sum of 100 says percent."
        )

    def test_a_stated_unit_makes_a_part_of_the_holdings_readable(self) -> None:
        reading = read("Fund,X\nName,ISIN,Weight (%)\nA,US0378331005,6\nB,DE0007164600,4\n")
        assert reading.findings[0] == (
            "The weights sum to 10 percent only: the file lists some of the holdings."
        )
        assert reading.summary["weight_sum_pct"] == "10"

    def test_values_in_several_currencies_are_not_added_up(self) -> None:
        with pytest.raises(Unreadable, match=r"in several currencies \(USD, EUR in row 3\)"):
            read(
                "Name;ISIN;Quantity;Market Value;Currency\nA;US0378331005;1;10;USD\nB;DE0007164600;1;10;EUR\n"
            )

    def test_values_in_one_currency_become_weights(self) -> None:
        reading = read(
            "Depot: 123\nBezeichnung;WKN;ISIN;Stück;Einstandskurs;Kurswert in EUR\n"
            "Fonds A;A0RPWH;IE00B4L5Y983;10;50,00;1.234,56\nFonds "
            "B;;IE00B5BMR087;5;10,00;765,44\nSumme;;;;;2.000,00\n"
        )
        assert (reading.kind, reading.reader) == ("portfolio", "broker_csv/1")
        assert [row.get("weight_pct") for row in reading.rows] == ["61.728000", "38.272000", None]
        assert reading.summary["value_currency"] == "EUR"


class TestKinds:
    BARE = "Name,ISIN,Weight\n{one},IE00B5BMR087,60\n{two},US0378331005,40\n"

    def test_a_bare_list_of_companies_is_a_fund_and_said_not_to_name_it(self) -> None:
        reading = read(self.BARE.format(one="A", two="B"))
        assert (reading.kind, reading.reader) == ("holdings", "generic_csv/1")
        assert "by what it lists it was read as the holdings of one fund" in reading.findings[-1]

    def test_a_bare_list_of_funds_is_a_portfolio(self) -> None:
        reading = read(self.BARE.format(one="World UCITS ETF", two="Bond Index Fund"))
        assert (reading.kind, reading.reader) == ("portfolio", "generic_csv/1")
        assert reading.findings[-1].endswith("by what it lists it was read as a portfolio.")

    def test_a_column_may_be_told_by_its_values(self) -> None:
        rows = "A;US0378331005;60\nB;US5949181045;39.95\nC;DE0007164600;0.05\n"
        reading = read(f"Fonds;X\nName;Kenn;Gewicht (%)\n{rows}")
        assert [row["isin"] for row in reading.rows] == [
            "US0378331005",
            "US5949181045",
            "DE0007164600",
        ]
        assert reading.findings[0] == (
            "The column 'Kenn' holds ISINs by its values; its header does not say so."
        )

    def test_assets_without_holdings_are_missing_holdings(self) -> None:
        reading = read('Fund,Empty\nNet assets,"1,000,000.00"\nName,ISIN,Weight (%)\n')
        assert reading.rows == ()
        assert reading.findings[0].startswith(
            "Holdings missing: the file states net assets of 1000000.00 and no holding"
        )

    def test_the_basket_of_a_swap_fund_is_no_exposure(self) -> None:
        reading = read(
            "Fund,World Swap UCITS ETF\nReplication,Synthetic\nName,ISIN,Weight (%)\nApple,US0378331005,60\n"
            "SAP,DE0007164600,39.5\nTotal return swap on MSCI World,,0.5\n"
        )
        assert [row["class"] for row in reading.rows] == ["rejected", "rejected", "derivative"]
        assert reading.rows[0]["reason"] == (
            "it is in the basket of a swap fund, which is no exposure of the fund"
        )
        assert reading.summary["weight_sum_pct"] == "0.5"
        assert reading.findings[0].startswith(
            "This is a swap fund: the 2 rows of its basket are no exposure"
        )

    def test_a_swap_in_any_other_fund_is_a_finding(self) -> None:
        reading = read(
            "Fund,World\nName,ISIN,Weight (%)\nApple,US0378331005,99.5\nTotal return swap,,0.5\n"
        )
        assert reading.counts["position"] == 1
        assert "Rows of swaps: 1 (the first is row 4)." in " ".join(reading.findings)

    def test_a_broker_may_name_columns_twice_and_sum_his_account(self) -> None:
        reading = read(
            '"Positions for account 123 as of 2024/11/29"\n\n"Symbol","Description","Qty (Quantity)",'
            '"Mkt Val (Market Value)","% of Acct (% of Account)","Security Type"\n'
            '"VTI","VANGUARD TOTAL STOCK ETF","10","$1,000.00","62.5%","ETFs"\n'
            '"Cash & Cash Investments","--","--","$600.00","37.5%","Cash and Money Market"\n'
            '"Account Total","--","--","$1,600.00","100%","--"\n'
        )
        assert (reading.kind, reading.as_of) == ("portfolio", "2024-11-29")
        assert [row["class"] for row in reading.rows] == ["position", "cash", "subtotal"]
        assert reading.rows[1]["name"] == "Cash & Cash Investments"

    def test_positions_come_before_transactions_in_one_file(self) -> None:
        reading = read(
            "Account Number,Investment Name,Symbol,Shares,Total Value\n1,A INDEX FUND,AAA,10,4000\n"
            "1,B INDEX FUND,BBB,10,1000\n\n"
            "Account Number,Trade Date,Transaction Type,Investment Name,Symbol\n"
            "1,2024-01-02,Buy,A INDEX FUND,AAA\n"
        )
        assert [row["class"] for row in reading.rows] == [
            "position",
            "position",
            "rejected",
            "rejected",
        ]
        assert [row.get("weight_pct") for row in reading.rows[:2]] == ["80.000000", "20.000000"]

    def test_a_column_that_numbers_the_rows_is_no_code(self) -> None:
        rows = "1;A;US0378331005;60\n2;B;US5949181045;39.95\n3;C;DE0007164600;0.05\n"
        reading = read(f"Fund;X\nID;Name;ISIN;Weight (%)\n{rows}")
        assert [row["code"] for row in reading.rows] == ["", "", ""]
