"""The tools `fund_costs` and `volatility_effect`: figures that no holdings file states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from research.domain import Reading, SourceView
from tests.domain.sources import TOOLS, ask, portfolio, refusal, sample, view

CHANGE = {"fund": "Technology ETF", "points": "10", "funding": "pro_rata"}
ALL = {"ZGEQ": "0.20", "ZDIV": "0.29", "ZMAF": "0.65", "ZAGG": "0.10", "ZTEC": "0.15"}
ASSUMED = "stated in the call, in no source"


def ratios(*without: str, source: str = "") -> list[dict[str, str]]:
    return [
        {"fund": name, "ratio_pct": ratio, "source": source}
        for name, ratio in ALL.items()
        if name not in without
    ]


def text(handle: str, *passages: str) -> SourceView:
    rows = tuple({"row": n, "class": "passage", "text": one} for n, one in enumerate(passages, 1))
    reading = Reading("text", "plain/1", "2026-01-31", {}, {}, (), rows)
    return SourceView(handle, f"id-{handle}", "factsheet", "", reading)


class TestFundCosts:
    def test_of_the_portfolio_as_it_is(self) -> None:
        shown = ask("fund_costs", sample(), ratios=ratios())
        assert (shown["before_pct"], shown["after_pct"]) == ("0.2265", "0.2265")
        assert shown["money"] == {}

    @pytest.mark.parametrize(
        ("amount", "currency", "whole", "before", "after"),
        [
            ("250000", "EUR", "250000.00", "566.25", "547.13"),
            ("25000000", "GBX", "250000.00", "566.25", "547.13"),
            ("25000000", "GBp", "250000.00", "566.25", "547.13"),
            ("1000000", "JPY", "1000000", "2265", "2189"),
            ("1000", "KWD", "1000.000", "2.265", "2.189"),
        ],
    )
    def test_in_money_to_the_minor_unit(
        self, amount: str, currency: str, whole: str, before: str, after: str
    ) -> None:
        shown = ask(
            "fund_costs", sample(), **CHANGE, ratios=ratios(), amount=amount, currency=currency
        )
        assert shown["money"]["amount"] == whole
        assert shown["money"]["before_a_year"] == before
        assert shown["money"]["after_a_year"] == after

    def test_a_missing_ratio_is_not_scaled_away(self) -> None:
        shown = ask("fund_costs", sample(), ratios=ratios("ZGEQ"))
        assert shown["stated"] == "bounds"
        assert shown["before_pct"] == "0.1465 or more"
        assert shown["bounds"]["before_pct"] == ["0.1465", "no bound"]
        assert shown["coverage"]["with_a_ratio_pct"] == "60.00"
        assert shown["ratios"][0]["ratio_pct"] == "not stated"
        assert shown["change_points"] == "cannot be stated"

    def test_too_few_ratios_state_nothing(self) -> None:
        shown = ask("fund_costs", sample(), ratios=ratios("ZGEQ", "ZDIV"))
        assert (shown["stated"], shown["before_pct"]) == ("cannot_be_stated", "cannot be stated")
        assert shown["bounds"]["before_pct"] == []

    def test_a_cited_source_must_hold_the_figure_and_is_an_input(self) -> None:
        sheet = text("S9", "Ongoing charge 0.20 %", "others: 0.29 0.65 0.10 and 0,15")
        sources = [*sample(), sheet]
        result = TOOLS["fund_costs"].run({"ratios": ratios(source="S9")}, sources)
        assert result.used == {"id-S1", "id-S9"}
        assert result.shown["ratios"][0]["said_by"] == "S9"
        assert result.shown["coverage"]["from_sources_pct"] == "100.00"
        wrong = [{"fund": "ZGEQ", "ratio_pct": "0.21", "source": "S9"}]
        assert refusal("fund_costs", {"ratios": wrong}, sources).code == "not_in_source"

    def test_without_a_source_the_result_says_so(self) -> None:
        shown = ask("fund_costs", sample(), ratios=ratios())
        assert shown["ratios"][0]["said_by"] == ASSUMED
        assert shown["coverage"]["from_sources_pct"] == "6.50"  # the share and the cash

    def test_ratios_of_the_files_come_without_being_named(self) -> None:
        own = view("S1", portfolio("A,,A1,60,Equity fund,", "B,,B1,40,Equity fund,"))
        rows = [
            {**row, "expense_ratio_pct": ratio}
            for row, ratio in zip(own.reading.rows, ("0.20", "0.50"), strict=True)
        ]
        reading = Reading("portfolio", "x/1", "2026-10-30", {}, {}, (), rows, own.reading.summary)
        shown = ask("fund_costs", [SourceView("S1", "id-S1", "", "", reading)])
        assert shown["before_pct"] == "0.3200"
        assert [each["said_by"] for each in shown["ratios"]] == ["S1 row 2", "S1 row 3"]

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({}, "no_data"),
            ({"ratios": [{"fund": "ZGEQ", "ratio_pct": "-1"}]}, "bad_arguments"),
            ({"ratios": [{"fund": "ZGEQ", "ratio_pct": ""}]}, "bad_arguments"),
            ({"ratios": [{"fund": "ZGEQ"}]}, "bad_arguments"),
            ({"ratios": [{"fund": "Nowhere", "ratio_pct": "1"}]}, "unknown_fund"),
            ({"ratios": ratios(source="S99")}, "unknown_source"),
            ({"ratios": [*ratios(), *ratios()]}, "bad_arguments"),
            ({"ratios": ratios(), "amount": "100"}, "bad_arguments"),
            ({"ratios": ratios(), "currency": "EUR"}, "bad_arguments"),
            ({"ratios": ratios(), "amount": "100", "currency": "coins"}, "bad_arguments"),
            ({"ratios": ratios() * 13}, "bad_arguments"),
        ],
    )
    def test_it_refuses(self, arguments: Mapping[str, Any], code: str) -> None:
        assert refusal("fund_costs", arguments, sample()).code == code


TWO = {"portfolio_volatility_pct": "12", "fund_volatility_pct": "22"}


class TestVolatilityEffect:
    def test_bounds_are_the_two_extreme_correlations(self) -> None:
        shown = ask("volatility_effect", sample(), **CHANGE, **TWO)
        assert shown["bounds"]["after_pct"] == ["8.60", "13.00"]
        assert shown["after_pct"] == "8.60 to 13.00"
        assert shown["change_points"] == "cannot be stated"
        assert shown["origins"][1]["from"] == ASSUMED
        assert "direction of total volatility stays open" in shown["does_not_show"]

    @pytest.mark.parametrize(
        ("fund", "direction", "break_even"),
        [
            ("5", "falls at any correlation", "none"),
            ("22", "open: it depends on the correlation", "0.4739"),
            ("300", "rises at any correlation", "none"),
        ],
    )
    def test_the_direction_is_said_where_it_does_not_depend(
        self, fund: str, direction: str, break_even: str
    ) -> None:
        given = {**TWO, "fund_volatility_pct": fund}
        shown = ask("volatility_effect", sample(), **CHANGE, **given)
        assert shown["direction"] == direction
        assert shown["break_even_correlation"] == break_even

    def test_a_fund_that_is_held_grows_by_its_points(self) -> None:
        """50/50 becomes 60/40: a fifth of everything is mixed anew, not a tenth."""
        own = portfolio("A,,A1,50,Equity fund,", "B,,B1,50,Equity fund,")
        shown = ask(
            "volatility_effect",
            [view("S1", own)],
            fund="A1",
            points="10",
            funding="pro_rata",
            **TWO,
        )
        assert shown["share_moved_pct"] == "20.00"

    def test_covariances_give_the_same_as_a_correlation(self) -> None:
        own = [view("S1", portfolio("A,,A1,90,Equity fund,", "B,,B1,10,Equity fund,"))]
        given = [
            {"one": "A1", "other": "A1", "value": "144"},
            {"one": "B1", "other": "B1", "value": "484"},
            {"one": "A1", "other": "B1", "value": "158.4"},
        ]
        shown = ask(
            "volatility_effect",
            own,
            fund="B1",
            points="10",
            funding="from:1",
            covariances=given,
        )
        assert shown["before_pct"] == "12.25"
        assert shown["after_pct"] == "12.74"  # (0.64 × 144 + 0.04 × 484 + 0.32 × 158.4) ** 0.5
        assert shown["direction"] == "rises"

    def test_a_matrix_of_a_source_is_read_by_ticker(self) -> None:
        rows = (
            {"row": 2, "class": "series", "name": "a1", "values": ["0.0144", "0.01584"]},
            {"row": 3, "class": "series", "name": "B1", "values": ["0.01584", "0.0484"]},
        )
        matrix = Reading("covariance", "covariance_csv/1", "not stated", {}, {}, (), rows)
        sources = [
            view("S1", portfolio("A,,A1,90,Equity fund,", "B,,B1,10,Equity fund,")),
            SourceView("S2", "id-S2", "", "", matrix),
        ]
        arguments = {
            "fund": "B1",
            "points": "10",
            "funding": "from:1",
            "covariance_source": "S2",
            "covariance_unit": "fractions_a_year",
        }
        result = TOOLS["volatility_effect"].run(arguments, sources)
        assert (result.shown["before_pct"], result.shown["after_pct"]) == ("12.25", "12.74")
        assert result.used == {"id-S1", "id-S2"}
        daily = {**arguments, "covariance_unit": "fractions_a_day"}
        shown = TOOLS["volatility_effect"].run(daily, sources).shown
        assert shown["before_pct"] == "194.42"  # 12.2471 × 252 ** 0.5

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"fund": "", "points": ""}, "bad_arguments"),
            ({"portfolio_volatility_pct": ""}, "no_data"),
            ({"fund_volatility_pct": "0"}, "bad_arguments"),
            ({"correlation": "1.1"}, "bad_arguments"),
            ({"correlations": ["0.5", "-2"]}, "bad_arguments"),
            ({"correlations": ["0.5"] * 13}, "bad_arguments"),
            ({"funding": "from:5"}, "no_data"),
            ({"source": "S4"}, "not_in_source"),
            ({"covariance_source": "S4"}, "unknown_source"),
            ({"covariances": [{"one": "S4", "other": "S4", "value": "1"}]}, "no_data"),
            ({"covariances": [{"one": "S4", "other": "S4", "value": ""}]}, "bad_arguments"),
        ],
    )
    def test_it_refuses(self, changed: Mapping[str, Any], code: str) -> None:
        assert refusal("volatility_effect", {**CHANGE, **TWO, **changed}, sample()).code == code
