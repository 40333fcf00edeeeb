"""The example of design.md D1, exact to the printed digits of the known figures, by formula and by tool."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from research.domain import SourceView
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.formulas.costs import in_money, weighted_cost
from research.domains.investment.formulas.funding import funded
from research.domains.investment.formulas.volatility import Mix
from tests.domain.sources import ask, fund, portfolio, sample, view

IT = "Information Technology"
WEIGHTS = tuple(map(Decimal, ("40.0", "20.0", "10.0", "1.5", "23.5", "5.0")))
SHARES = tuple(map(Decimal, ("24", "12", "15", "100", "0", "0")))
RATIOS = tuple(map(Decimal, ("0.20", "0.29", "0.65", "0", "0.10", "0")))
CHANGE = {"fund": "Technology ETF", "points": "10", "funding": "pro_rata"}
RULES = [
    ("pro rata", "95", "pro_rata", "23.00"),
    ("bonds only", "95", "from:5", "24.50"),
    ("global equity only", "95", "from:1", "22.10"),
    ("bonds only, share of 80", "80", "from:5", "23.00"),
]


def rounded(value: Decimal, places: str) -> str:
    return str(value.quantize(Decimal(places), rounding="ROUND_HALF_UP"))


@pytest.fixture
def example() -> list[SourceView]:
    return sample()


@pytest.mark.parametrize(
    ("share", "rule", "after"), [each[1:] for each in RULES], ids=[each[0] for each in RULES]
)
class TestFundingRules:
    """Ten points into a technology ETF, paid for in four ways."""

    def test_by_the_formula(self, share: str, rule: str, after: str) -> None:
        weights = funded(WEIGHTS, None, Decimal(10), rule)
        shares = (*SHARES, Decimal(share))
        before = sum(w * s / 100 for w, s in zip(WEIGHTS, SHARES, strict=True))
        assert before == 15
        found = sum(w * s / 100 for w, s in zip(weights, shares, strict=True))
        assert found == Decimal(after)

    def test_by_the_tool(
        self, example: list[SourceView], share: str, rule: str, after: str
    ) -> None:
        other = fund(
            "New", f"X,,XX,{IT},Equity,{share}", f"Y,,YY,Energy,Equity,{100 - int(share)}"
        )
        shown = ask(
            "look_through",
            [*example, view("S9", other)],
            dimension="sector",
            fund="S9",
            points="10",
            funding=rule,
            bucket=IT,
        )
        assert (shown["before_pct"], shown["after_pct"]) == ("15.00", after)
        assert shown["stated"] == "point"


class TestConcentration:
    def test_of_the_fund_lines_falls(self) -> None:
        before = concentration(WEIGHTS)
        after = concentration(funded(WEIGHTS, None, Decimal(10), "pro_rata"))
        assert rounded(before.hhi, "0.00001") == "0.26795"
        assert rounded(after.hhi, "0.00001") == "0.22704"
        assert rounded(before.effective_n, "0.01") == "3.73"
        assert rounded(after.effective_n, "0.01") == "4.40"

    def test_of_the_fund_lines_is_what_the_tool_says(self, example: list[SourceView]) -> None:
        shown = ask("concentration", example, level="lines", **CHANGE)
        assert shown["level"] == "fund level: the lines as they stand, not looked through"
        assert shown["before"] == {
            "count": 6,
            "hhi": "0.26795",
            "effective_n": "3.73",
            "top_ten_pct": "100.00",
        }
        assert shown["after"] == {
            "count": 7,
            "hhi": "0.22704",
            "effective_n": "4.40",
            "top_ten_pct": "100.00",
        }
        assert [each["source"] for each in shown["inputs"]] == ["S1"]

    def test_on_look_through_rises(self, example: list[SourceView]) -> None:
        shown = ask("concentration", example, level="sector", **CHANGE)
        assert shown["level"] == "look-through by sector"
        assert (shown["before"]["hhi"], shown["after"]["hhi"]) == ("0.124584", "0.136092")
        assert shown["before"]["effective_n"] == "8.03"
        assert shown["after"]["effective_n"] == "7.35"
        assert shown["largest"][0] == {"name": IT, "before_pct": "15.00", "after_pct": "23.00"}

    def test_of_a_real_fund_alone(self, real_file: Callable[[str], bytes]) -> None:
        sources = [view("S1", real_file("02"))]
        shown = ask("concentration", sources, level="security", of="S1")
        assert shown["after"] == {
            "count": 506,  # of 508 rows, a future and one more weigh 0.00
            "hhi": "0.011713",
            "effective_n": "85.38",
            "top_ten_pct": "24.32",
        }
        assert shown["weights_sum_pct"]["after"] == "100.02"
        assert shown["denominator"] == "percent of fund weight"


class TestOverlap:
    def test_of_two_real_funds(self, real_file: Callable[[str], bytes]) -> None:
        """Computed independently from the two files, by ticker: 81 shared, 35.59, 35.59 and 94.549."""
        sources = [view("S1", real_file("02")), view("S2", real_file("12"))]
        shown = ask("overlap", sources, first="S1", second="S2")
        assert (shown["overlap_pct"], shown["shared_securities"]) == ("35.59", 81)
        assert (shown["first_in_shared_pct"], shown["second_in_shared_pct"]) == ("35.59", "94.55")


class TestCost:
    def test_by_the_formula(self) -> None:
        after = funded(WEIGHTS, None, Decimal(10), "pro_rata")
        before_cost = weighted_cost(WEIGHTS, RATIOS)
        after_cost = weighted_cost(after, (*RATIOS, Decimal("0.15")))
        assert before_cost.cost_pct == Decimal("0.2265")
        assert after_cost.cost_pct == Decimal("0.21885")
        assert rounded(after_cost.cost_pct, "0.0001") == "0.2189"
        assert in_money(Decimal(100_000), before_cost.cost_pct) == Decimal("226.5")

    def test_by_the_tool(self, example: list[SourceView]) -> None:
        stated = {"ZGEQ": "0.20", "ZDIV": "0.29", "ZMAF": "0.65", "ZAGG": "0.10", "ZTEC": "0.15"}
        shown = ask(
            "fund_costs",
            example,
            **CHANGE,
            ratios=[{"fund": name, "ratio_pct": ratio} for name, ratio in stated.items()],
        )
        assert (shown["before_pct"], shown["after_pct"]) == ("0.2265", "0.2189")
        assert shown["stated"] == "point"
        assert shown["coverage"]["with_a_ratio_pct"] == "100.00"


VOLATILITIES = [("0.30", "11.65"), ("0.60", "12.25"), ("0.85", "12.72"), ("0.95", "12.91")]


class TestBreakEven:
    def test_by_the_formula(self) -> None:
        mix = Mix(Decimal("0.1"), Decimal(12), Decimal(22))
        found = mix.break_even()
        assert found is not None
        assert rounded(found, "0.0001") == "0.4739"

    @pytest.mark.parametrize(("correlation", "after"), VOLATILITIES)
    def test_volatility_by_correlation(self, correlation: str, after: str) -> None:
        mix = Mix(Decimal("0.1"), Decimal(12), Decimal(22))
        assert rounded(mix.after_pct(Decimal(correlation)), "0.01") == after

    def test_by_the_tool(self, example: list[SourceView]) -> None:
        shown = _volatility(example)
        assert shown["break_even_correlation"] == "0.4739"
        assert shown["direction"] == "open: it depends on the correlation"
        assert shown["stated"] == "bounds"
        found = {each["correlation"]: each["after_pct"] for each in shown["by_correlation"]}
        assert {at: found[at] for at, _ in VOLATILITIES} == dict(VOLATILITIES)

    @pytest.mark.parametrize(("correlation", "after"), VOLATILITIES)
    def test_with_a_known_correlation_there_is_a_direction(
        self, example: list[SourceView], correlation: str, after: str
    ) -> None:
        shown = _volatility(example, correlation=correlation)
        assert shown["after_pct"] == after
        assert shown["direction"] == ("falls or stays" if correlation == "0.30" else "rises")
        assert shown["stated"] == "point"


def _volatility(sources: list[SourceView], **more: Any) -> Any:
    given = {"portfolio_volatility_pct": "12", "fund_volatility_pct": "22"}
    return ask("volatility_effect", sources, **CHANGE, **given, **more)


class TestHedgedFund:
    """A fund of one fund and of forwards, as in file 01: read as one table."""

    ROWS = (
        "ISHARES UNITED KINGDOM ETF,US46435G3341,EWU,Financials,Equity,102.60",
        "GBP/USD,,GBP,,Forwards,-2.66",
        "USD cash,,USD,,Cash,0.06",
    )
    OWN = portfolio("Hedged ETF,,HEWU,100,Equity fund,")

    def test_its_wrapper_classifies_nothing(self) -> None:
        sources = [view("S1", self.OWN), view("S2", fund("Hedged", *self.ROWS, ticker="HEWU"))]
        shown = ask("look_through", sources, dimension="sector")
        assert "Financials" not in {row["bucket"] for row in shown["rows"]}
        assert shown["stated"] == "cannot_be_stated"

    def test_with_the_inner_fund_everything_is_known(self) -> None:
        inner = fund(
            "iShares MSCI United Kingdom ETF",
            "HSBC,GB0005405286,HSBA,Financials,Equity,50",
            "Shell,GB00BP6MXD84,SHEL,Energy,Equity,50",
            ticker="EWU",
        )
        hedged = fund("Hedged", *self.ROWS, ticker="HEWU")
        sources = [view("S1", self.OWN), view("S2", hedged), view("S3", inner)]
        shown = ask("look_through", sources, dimension="sector")
        assert {row["bucket"]: row["before_pct"] for row in shown["rows"]} == {
            "Financials": "51.30",
            "Energy": "51.30",
            "Cash": "0.06",
            "Derivatives": "-2.66",
        }
        assert shown["stated"] == "point"
        assert shown["long_short"]["before"] == {
            "long_pct": "102.66",
            "short_pct": "-2.66",
            "gross_pct": "105.32",
            "net_pct": "100.00",
        }
        assert [each["source"] for each in shown["inputs"]] == ["S1", "S2", "S3"]
