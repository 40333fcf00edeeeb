"""Funds in funds: to depth 3, never in a circle; what lies deeper, or has no file, is not known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from research.domain import SourceView, ToolRefused
from tests.domain.sources import TOOLS, ask, fund, portfolio, refusal, row_of, view

OWN = portfolio("Line,,L1,100,Equity fund,")


def holding(ticker: str, weight: str, isin: str = "") -> str:
    return f"Fund {ticker} ETF,{isin},{ticker},Financials,Equity,{weight}"


def chain(depth: int) -> list[SourceView]:
    """Return a portfolio of one line that stands for `depth` files: each is half energy, half the next."""
    files = [
        fund(f"Fund L{n}", "X,,XX,Energy,Equity,50", holding(f"L{n + 1}", "50"), ticker=f"L{n}")
        for n in range(1, depth)
    ]
    last = fund(f"Fund L{depth}", "Y,,YY,Utilities,Equity,100", ticker=f"L{depth}")
    return [view("S1", OWN), *(view(f"S{n}", text) for n, text in enumerate([*files, last], 2))]


def sectors(sources: Sequence[SourceView]) -> dict[str, str]:
    shown = ask("look_through", sources, dimension="sector")
    return {row["bucket"]: row["before_pct"] for row in shown["rows"]}


class TestDepth:
    def test_three_levels_are_looked_through(self) -> None:
        shown = ask("look_through", chain(3), dimension="sector")
        assert row_of(shown, "Energy")["before_pct"] == "75.00"
        assert row_of(shown, "Utilities")["before_pct"] == "25.00"
        assert shown["coverage"]["looked_through_pct"] == "100.00"
        assert shown["notes"] == ["Funds in funds were looked through to depth 3: S3, S4."]

    def test_the_fourth_stays_closed(self) -> None:
        shown = ask("look_through", chain(4), dimension="sector")
        assert "Utilities" not in sectors(chain(4))
        assert shown["coverage"]["looked_through_pct"] == "87.50"
        assert shown["coverage"]["classified_pct"] == "87.50"
        assert row_of(shown, "Unclassified")["before_pct"] == "12.50"
        assert shown["bounds"]["before_pct"] == ["87.50", "100.00"]

    def test_only_files_that_were_looked_through_are_used(self) -> None:
        result = TOOLS["look_through"].run({"dimension": "sector"}, chain(4))
        assert result.used == {"id-S1", "id-S2", "id-S3", "id-S4"}

    def test_a_security_deep_inside_is_one_security(self) -> None:
        shown = ask("look_through", chain(3), dimension="security", bucket="X")
        assert shown["before_pct"] == "75.00"
        assert shown["rows_of_bucket"] == [
            {"source": "S2", "rows": "7"},
            {"source": "S3", "rows": "7"},
        ]


class TestCycle:
    @pytest.mark.parametrize("length", [1, 2, 3])
    def test_is_refused(self, length: int) -> None:
        files = [
            fund(
                f"Fund L{n}",
                "X,,XX,Energy,Equity,50",
                holding(f"L{n % length + 1}", "50"),
                ticker=f"L{n}",
            )
            for n in range(1, length + 1)
        ]
        sources = [view("S1", OWN), *(view(f"S{n}", text) for n, text in enumerate(files, 2))]
        refused = refusal("look_through", {"dimension": "sector"}, sources)
        assert refused.code == "fund_cycle"
        assert "S2" not in refused.explanation

    def test_of_a_fund_that_nobody_holds_does_no_harm(self) -> None:
        inner = fund("Fund Z", holding("Z1", "100"), ticker="Z1")
        own = fund("Fund L1", "X,,XX,Energy,Equity,100", ticker="L1")
        assert sectors([view("S1", OWN), view("S2", own), view("S3", inner)]) == {
            "Energy": "100.00"
        }

    def test_twice_the_same_fund_is_no_circle(self) -> None:
        both = fund("Fund L1", holding("A1", "60"), holding("B1", "40"), ticker="L1")
        one = fund("Fund A", holding("C1", "100"), ticker="A1")
        two = fund("Fund B", holding("C1", "100"), ticker="B1")
        shared = fund("Fund C", "X,,XX,Energy,Equity,100", ticker="C1")
        files = [view(f"S{n}", text) for n, text in enumerate([OWN, both, one, two, shared], 1)]
        assert sectors(files) == {"Energy": "100.00"}


class TestIdentity:
    INNER = "Y,,YY,Utilities,Equity,100"

    @pytest.mark.parametrize(
        ("row", "isin", "ticker", "name", "met"),
        [
            ("Anything,IE00B4L5Y983,ZZ,,Equity,100", "IE00B4L5Y983", "", "Other", True),
            ("Some ETF,,IN1,,Equity,100", "", "IN1", "Other", True),
            ("Inner ETF,,,,Equity,100", "", "", "Inner ETF", True),
            ("Some Corp,,IN1,,Equity,100", "", "IN1", "Other", False),
            ("Some ETF,IE00B5BMR087,IN1,,Equity,100", "IE00B4L5Y983", "IN1", "Other", False),
        ],
        ids=["isin", "ticker", "name", "a share of that ticker", "two isins"],
    )
    def test_isin_then_ticker_then_name(
        self, row: str, isin: str, ticker: str, name: str, *, met: bool
    ) -> None:
        outer = fund("Fund L1", row, ticker="L1")
        inner = fund(name, self.INNER, isin=isin, ticker=ticker)
        shown = sectors_or_refused([view("S1", OWN), view("S2", outer), view("S3", inner)])
        assert shown == ({"Utilities": "100.00"} if met else "no_data")

    def test_old_inner_files_are_not_fresh(self) -> None:
        outer = fund("Fund L1", holding("IN1", "100"), ticker="L1")
        inner = fund("Inner", self.INNER, ticker="IN1", as_of="2020-01-31")
        shown = ask(
            "look_through",
            [view("S1", OWN), view("S2", outer), view("S3", inner)],
            dimension="sector",
        )
        assert shown["coverage"]["fresh_pct"] == "0.00"


def sectors_or_refused(sources: Sequence[SourceView]) -> dict[str, str] | str:
    try:
        return sectors(sources)
    except ToolRefused as refused:
        return refused.code
