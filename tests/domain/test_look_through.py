"""The running example of design.md D1 to the printed digit, and what coverage and bounds say."""

from __future__ import annotations

from decimal import Decimal

import pytest

from research.domain import SourceView
from research.domains.investment.codes import isin_valid
from tests.domain.sources import TOOLS, fund, look, portfolio, row_of, sample, view

IT = "Information Technology"


@pytest.fixture
def example() -> list[SourceView]:
    return sample()


class TestRunningExample:
    def test_technology_goes_from_15_to_23(self, example: list[SourceView]) -> None:
        shown = look(example, "Technology ETF", "10")
        assert shown["formula"] == "look_through/2"
        assert shown["bucket"] == IT
        assert (shown["before_pct"], shown["after_pct"]) == ("15.00", "23.00")
        assert shown["change_points"] == "8.00"
        assert shown["change"] == {
            "fund": "Technology ETF",
            "points": "10.00",
            "funding": "pro_rata",
        }

    @pytest.mark.parametrize(
        ("funding", "after"), [("from:5", "24.50"), ("from:1", "22.10")], ids=["bonds", "equity"]
    )
    def test_another_line_pays(self, example: list[SourceView], funding: str, after: str) -> None:
        assert look(example, "ZTEC", "10", funding)["after_pct"] == after

    def test_a_fund_with_80_percent_paid_by_bonds(self, example: list[SourceView]) -> None:
        weaker = fund("Technology 80", f"X,,XX,{IT},Equity,80", "Y,,YY,Energy,Equity,20")
        shown = look([*example, view("S9", weaker)], "S9", "10", "from:5")
        assert shown["after_pct"] == "23.00"

    def test_lines_look_more_diversified_while_sectors_are_less(
        self, example: list[SourceView]
    ) -> None:
        shown = look(example, "Technology ETF", "10")
        assert shown["lines"] == {
            "before": {"count": 6, "hhi": "0.26795", "effective_n": "3.73"},
            "after": {"count": 7, "hhi": "0.22704", "effective_n": "4.40"},
        }
        level = shown["level"]
        assert Decimal(level["after"]["hhi"]) > Decimal(level["before"]["hhi"])
        assert shown["rows"][0]["bucket"] == IT
        assert max(shown["rows"], key=lambda row: Decimal(row["before_pct"]))["bucket"] == "Bonds"

    def test_everything_is_covered_and_every_input_named(self, example: list[SourceView]) -> None:
        shown = look(example, "Technology ETF", "10")
        assert set(shown["coverage"].values()) == {"100.00"}
        assert shown["bounds"] == {
            "before_pct": ["15.00", "15.00"],
            "after_pct": ["23.00", "23.00"],
        }
        assert [each["source"] for each in shown["inputs"]] == ["S1", "S2", "S3", "S4", "S5", "S6"]
        assert shown["inputs"][0]["as_of"] == "2026-10-30"
        assert "total volatility" in shown["does_not_show"]
        assert "returns" in shown["does_not_show"]

    def test_without_a_change_both_sides_are_equal(self, example: list[SourceView]) -> None:
        shown = look(example, bucket=IT)
        assert (shown["before_pct"], shown["after_pct"]) == ("15.00", "15.00")
        assert shown["change"] == {"fund": "", "points": "0.00", "funding": "none"}
        assert shown["level"]["before"] == shown["level"]["after"]
        assert "S6" not in {each["source"] for each in shown["inputs"]}

    def test_rows_of_every_dimension_add_up(self, example: list[SourceView]) -> None:
        for dimension in ("sector", "asset_class", "security"):
            rows = look(example, "Technology ETF", "10", dimension=dimension)["rows"]
            total = sum((Decimal(row["after_pct"]) for row in rows), Decimal(0))
            assert abs(total - 100) < Decimal("0.15")  # the rounding of each row

    def test_one_company_in_several_funds_is_one_security(self, example: list[SourceView]) -> None:
        shown = look(example, "Technology ETF", "10", dimension="security", bucket="NVIDIA Corp")
        # 0.4 x 5.34 + 0.1 x 4.71 + the dividend fund's 0
        assert shown["before_pct"] == "2.61"
        assert len(shown["rows"]) == 26
        assert shown["rows"][-1]["bucket"].startswith("(other ")

    def test_sample_codes_have_right_check_digits(self, example: list[SourceView]) -> None:
        codes = {row["isin"] for source in example for row in source.reading.rows} - {""}
        assert len(codes) > 100
        assert all(map(isin_valid, codes))


class TestOtherSamples:
    def test_no_new_exposure(self) -> None:
        shown = look(sample("no_new_exposure"), "World Select ETF", "10")
        assert all(Decimal(row["change_points"]) < Decimal("0.1") for row in shown["rows"])
        assert Decimal(shown["level"]["after"]["hhi"]) <= Decimal(shown["level"]["before"]["hhi"])

    def test_bond_share(self) -> None:
        shown = look(sample("bond_share"), "Global Bond ETF", "15")
        assert shown["bucket"] == "Bonds"
        assert (shown["before_pct"], shown["after_pct"]) == ("23.75", "35.04")
        assert shown["rows"][0]["bucket"] == "Bonds"

    def test_defended(self) -> None:
        shown = look(sample("defended"), "Health Care ETF", "10")
        assert shown["bucket"] == "Health Care"
        assert (shown["before_pct"], shown["after_pct"]) == ("6.82", "16.08")
        assert row_of(shown, IT)["change_points"] == "-3.73"
        assert Decimal(shown["level"]["after"]["hhi"]) < Decimal(shown["level"]["before"]["hhi"])


class TestWhatTheFilesDoNotSay:
    def test_a_fund_without_holdings_is_unclassified_and_widens_the_bounds(self) -> None:
        own = portfolio("Tech ETF,,TTT,60,Equity fund,", "Closed ETF,,CCC,40,Equity fund,")
        known = fund("Tech ETF", f"X,,XX,{IT},Equity,100", ticker="TTT")
        shown = look([view("S1", own), view("S2", known)])
        assert shown["bucket"] == IT
        assert shown["stated"] == "bounds"
        assert shown["before_pct"] == "60.00 to 100.00"
        assert row_of(shown, "Unclassified")["before_pct"] == "40.00"
        assert shown["bounds"]["before_pct"] == ["60.00", "100.00"]
        assert shown["coverage"]["looked_through_pct"] == "60.00"
        assert shown["coverage"]["classified_pct"] == "60.00"

    def test_bonds_and_cash_without_holdings_have_buckets_of_their_own(self) -> None:
        own = portfolio(
            "Tech,,TTT,50,Share,Information Technology",
            "Bonds,,B,30,Bond fund,",
            "Cash,,,20,Cash,",
        )
        shown = look([view("S1", own)])
        assert {row["bucket"]: row["before_pct"] for row in shown["rows"]} == {
            IT: "50.00",
            "Bonds": "30.00",
            "Cash": "20.00",
        }
        assert shown["coverage"] == {
            "looked_through_pct": "70.00",
            "classified_pct": "100.00",
            "fresh_pct": "0.00",
        }

    def test_what_a_file_leaves_out_is_unclassified(self) -> None:
        own = portfolio("Tech ETF,,TTT,100,Equity fund,")
        known = fund("Tech ETF", f"X,,XX,{IT},Equity,97.5", ticker="TTT")
        shown = look([view("S1", own), view("S2", known)])
        assert row_of(shown, "Unclassified")["before_pct"] == "2.50"
        assert shown["bounds"]["before_pct"] == ["97.50", "100.00"]

    def test_the_label_of_a_fund_in_a_fund_classifies_nothing(self) -> None:
        own = portfolio("Hedged ETF,,HHH,100,Equity fund,")
        rows = ("ISHARES UNITED KINGDOM ETF,,EWU,Financials,Equity,102.60",)
        wrapped = fund("Hedged ETF", *rows, "GBP/USD,,GBP,,Forwards,-2.60", ticker="HHH")
        shown = look([view("S1", own), view("S2", wrapped)])
        assert {row["bucket"]: row["before_pct"] for row in shown["rows"]} == {
            "Unclassified": "102.60"
        }
        assert shown["stated"] == "cannot_be_stated"
        assert (shown["bucket"], shown["before_pct"]) == ("Derivatives", "cannot be stated")

    def test_a_share_held_directly_gets_the_sector_a_fund_file_states(self) -> None:
        own = portfolio("ASML,NL0010273215,,50,Share,", "Cash,,,50,Cash,")
        other = fund("World ETF", f"ASML Holding,NL0010273215,ASML,{IT},Equity,100")
        result = TOOLS["look_through"].run(
            {"dimension": "sector"}, [view("S1", own), view("S2", other)]
        )
        assert result.shown["before_pct"] == "50.00"
        assert result.used == {"id-S1", "id-S2"}

    def test_a_ticker_of_another_isin_classifies_nothing(self) -> None:
        own = portfolio("Other,US0378331005,ASML,50,Share,", "Cash,,,50,Cash,")
        other = fund("World ETF", f"ASML Holding,NL0010273215,ASML,{IT},Equity,100")
        shown = look([view("S1", own), view("S2", other)], bucket="Unclassified")
        assert shown["before_pct"] == "50.00"

    def test_old_and_undated_files_are_not_fresh(self) -> None:
        own = portfolio(
            "A,,AAA,50,Equity fund,",
            "B,,BBB,30,Equity fund,",
            "C,,CCC,20,Equity fund,",
            above="As of,2026-10-30",
        )
        row = f"X,,XX,{IT},Equity,100"
        sources = [
            view("S1", own),
            view("S2", fund("A", row, ticker="AAA", as_of="2026-07-30")),
            view("S3", fund("B", row, ticker="BBB", as_of="2026-07-29")),
            view("S4", fund("C", row, ticker="CCC", as_of="")),
        ]
        assert look(sources)["coverage"]["fresh_pct"] == "50.00"

    def test_a_short_position_can_lower_the_bounds(self) -> None:
        own = portfolio("A,,AAA,100,Equity fund,")
        rows = (f"X,,XX,{IT},Equity,110", "Y,,YY,,Equity,-10")
        shown = look([view("S1", own), view("S2", fund("A", *rows, ticker="AAA"))])
        assert shown["bounds"]["before_pct"] == ["100.00", "110.00"]
