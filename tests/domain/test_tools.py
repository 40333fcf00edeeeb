"""What the tools return to a model, and what they refuse in which words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from research.domains.investment import DOMAIN
from research.domains.registry import UnknownDomain, domain
from tests.domain.sources import TOOLS, fund, look, portfolio, refusal, sample, view


class TestDomain:
    def test_it_is_found_by_name(self) -> None:
        assert domain("investment") is DOMAIN

    def test_an_unknown_name_lists_those_that_exist(self) -> None:
        with pytest.raises(
            UnknownDomain, match="unknown domain 'law'; known: decision, investment"
        ):
            domain("law")

    @pytest.mark.parametrize("name", sorted(TOOLS))
    def test_parameters_suit_a_strict_server(self, name: str) -> None:
        objects = [TOOLS[name].parameters]
        for parameters in objects:
            assert parameters["additionalProperties"] is False
            assert parameters["required"] == list(parameters["properties"])
            for each in parameters["properties"].values():
                assert set(each) <= {"type", "enum", "description", "items"}
                assert each["description"]
                objects += [each["items"]] if each.get("items", {}).get("type") == "object" else []

    def test_its_tools_are_these(self) -> None:
        assert list(TOOLS) == [
            "list_sources",
            "read_source",
            "search_sources",
            "look_through",
            "concentration",
            "overlap",
            "fund_costs",
            "volatility_effect",
        ]

    def test_results_hold_no_float(self) -> None:
        def refuse(number: str) -> None:
            raise AssertionError(number)

        sources = sample()
        for name, arguments in (
            ("list_sources", {}),
            ("read_source", {"source": "S2"}),
            ("search_sources", {"query": "asml"}),
            ("look_through", {"dimension": "security", "fund": "S6", "points": "10"}),
            ("concentration", {"level": "sector", "fund": "S6", "points": "10"}),
            ("overlap", {"first": "S4", "second": "S6"}),
            ("fund_costs", {"ratios": [{"fund": "S4", "ratio_pct": "0.2"}]}),
            (
                "volatility_effect",
                {
                    "fund": "S6",
                    "points": "10",
                    "portfolio_volatility_pct": "12",
                    "fund_volatility_pct": "22",
                },
            ),
        ):
            given = {**arguments, "funding": "pro_rata"} if "fund" in arguments else arguments
            json.loads(json.dumps(TOOLS[name].run(given, sources).shown), parse_float=refuse)


class TestListSources:
    def test_it_names_sources_lines_and_candidates(self) -> None:
        result = TOOLS["list_sources"].run({}, sample())
        shown = result.shown
        assert shown["sources"][0] == {
            "handle": "S1",
            "kind": "portfolio",
            "title": "portfolio.csv",
            "as_of": "2026-10-30",
            "rows": 6,
        }
        assert shown["lines"][0] == {
            "line": 1,
            "name": "Global Equity ETF",
            "isin": "ZZ0GLOBEQTY1",
            "ticker": "ZGEQ",
            "weight_pct": "40.0",
            "asset_class": "Equity fund",
            "holdings": "S4",
            "met_by": "isin",
        }
        assert shown["candidates"] == [
            {
                "name": "Technology ETF",
                "isin": "ZZ0TECHNLGY0",
                "ticker": "ZTEC",
                "asset_class": "Equities",
                "holdings": "S6",
            }
        ]
        assert result.used == {f"id-S{n}" for n in range(1, 7)}

    def test_it_works_without_any_source(self) -> None:
        assert TOOLS["list_sources"].run({}, []).shown == {
            "sources": [],
            "lines": [],
            "candidates": [],
        }

    def test_it_takes_no_arguments(self) -> None:
        assert refusal("list_sources", {"all": True}, []).code == "bad_arguments"


class TestReadSource:
    def test_it_pages_through_all_rows(self) -> None:
        sources = sample()
        seen: list[int] = []
        offset: int | None = 0
        while offset is not None:
            arguments = {"source": "S4", "offset": offset, "limit": 25}
            shown = TOOLS["read_source"].run(arguments, sources).shown
            seen += [row["row"] for row in shown["rows"]]
            offset = shown["next_offset"]
        assert seen == [row["row"] for row in sources[3].reading.rows]

    def test_only_that_source_is_used(self) -> None:
        assert TOOLS["read_source"].run({"source": "S4"}, sample()).used == {"id-S4"}

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"source": "S9"}, "unknown_source"),
            ({}, "bad_arguments"),
            ({"source": 4}, "bad_arguments"),
            ({"source": "S4", "offset": -1}, "bad_arguments"),
            ({"source": "S4", "offset": 1_000}, "bad_arguments"),
            ({"source": "S4", "limit": 0}, "bad_arguments"),
            ({"source": "S4", "limit": True}, "bad_arguments"),
        ],
    )
    def test_it_refuses(self, arguments: Mapping[str, Any], code: str) -> None:
        assert refusal("read_source", arguments, sample()).code == code


class TestLookThrough:
    @pytest.mark.parametrize("name", ["S6", "ZZ0TECHNLGY0", "ztec", "technology etf"])
    def test_a_fund_goes_by_handle_isin_ticker_or_name(self, name: str) -> None:
        assert look(sample(), name, "10")["after_pct"] == "23.00"

    def test_a_line_that_is_held_can_be_raised(self) -> None:
        shown = look(sample(), "Global Equity ETF", "10", "from:5")
        assert shown["lines"]["after"]["count"] == 6
        assert shown["after_pct"] == "17.40"

    def test_a_line_sold_entirely_is_counted_no_more(self) -> None:
        shown = look(sample(), "Technology ETF", "5", "from:6")
        assert shown["lines"]["after"]["count"] == 6

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"dimension": "country"}, "bad_arguments"),
            ({"fund": "Nowhere ETF"}, "unknown_fund"),
            ({"points": "ten"}, "bad_arguments"),
            ({"points": "0"}, "bad_arguments"),
            ({"points": "-5"}, "bad_arguments"),
            ({"points": "100.5"}, "bad_arguments"),
            ({"points": "1e2"}, "bad_arguments"),
            ({"points": 10}, "bad_arguments"),
            ({"fund": ""}, "bad_arguments"),
            ({"funding": "from:7"}, "bad_arguments"),
            ({"funding": "from:0"}, "bad_arguments"),
            ({"funding": "from:6", "points": "5.1"}, "bad_arguments"),
            ({"funding": "cash"}, "bad_arguments"),
            ({"fund": "Cash account", "funding": "from:6"}, "bad_arguments"),
            ({"bucket": "Moonshots"}, "bad_arguments"),
            ({"advice": "buy"}, "bad_arguments"),
        ],
    )
    def test_it_refuses(self, changed: Mapping[str, Any], code: str) -> None:
        arguments = {
            "dimension": "sector",
            "fund": "S6",
            "points": "10",
            "funding": "pro_rata",
            "bucket": "",
        }
        assert refusal("look_through", {**arguments, **changed}, sample()).code == code

    def test_two_of_one_name_are_refused(self) -> None:
        own = portfolio("A,,A1,50,Equity fund,", "A,,A2,50,Equity fund,")
        arguments = {"dimension": "sector", "fund": "A", "points": "10", "funding": "pro_rata"}
        refused = refusal("look_through", arguments, [view("S1", own)])
        assert refused.code == "unknown_fund"
        assert "several" in refused.explanation

    def test_it_needs_a_portfolio_holdings_and_labels(self) -> None:
        own = view("S1", portfolio("A,,A1,100,Equity fund,"))
        bare = view("S2", fund("A", "X,,XX,,Equity,100", ticker="A1"))
        arguments = {"dimension": "sector"}
        assert refusal("look_through", arguments, []).code == "no_portfolio"
        assert refusal("look_through", arguments, [own]).code == "no_holdings"
        assert refusal("look_through", arguments, [own, bare]).code == "no_data"

    def test_only_inputs_that_entered_are_used(self) -> None:
        result = TOOLS["look_through"].run({"dimension": "sector"}, sample())
        assert result.used == {f"id-S{n}" for n in range(1, 6)}
