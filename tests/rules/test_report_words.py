"""How a report shows the figures of the investment domain.  design.md D13, D16."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from research import domains
from research.domain import FigureTable, SourceView
from research.domains.investment import DOMAIN

SAMPLES = Path(domains.__file__).parent / "investment" / "samples"
CHANGE = {"fund": "Technology ETF", "points": "10", "funding": "pro_rata"}
SEARCH = ("search_sources", {"query": "asml"})
RATIOS = [
    {"fund": name, "ratio_pct": ratio}
    for name, ratio in (
        ("ZGEQ", "0.20"),
        ("ZDIV", "0.29"),
        ("ZMAF", "0.65"),
        ("ZAGG", "0.10"),
        ("ZTEC", "0.15"),
    )
]
OTHERS = [
    ("concentration", {"level": "lines", **CHANGE}, ("before", "after"), ["6", "7"]),
    ("concentration", {"level": "sector", "of": "ZTEC"}, ("now",), ["4"]),
    (
        "overlap",
        {"first": "ZGEQ", "second": "ZTEC"},
        ("Global Equity ETF", "Technology ETF", "overlap"),
        ["", "", "28.50"],
    ),
    (
        "fund_costs",
        {**CHANGE, "ratios": RATIOS, "amount": "1000", "currency": "EUR"},
        ("before", "after", "change"),
        ["0.2265", "0.2189", "-0.0077"],
    ),
    (
        "volatility_effect",
        {**CHANGE, "portfolio_volatility_pct": "12", "fund_volatility_pct": "22"},
        ("before", "after", "change"),
        ["12.00", "8.60 to 13.00", "cannot be stated"],
    ),
]


@pytest.fixture(scope="module")
def sources() -> list[SourceView]:
    paths = sorted(SAMPLES.glob("*.csv"))
    return [
        SourceView(f"S{at}", str(at), path.name, "", DOMAIN.read(path.read_bytes(), path.name))
        for at, path in enumerate(paths, start=1)
    ]


def shown(sources: list[SourceView], name: str, arguments: dict[str, Any]) -> Any:
    tool = next(one for one in DOMAIN.tools if one.name == name)
    return tool.run(arguments, sources).shown


def table(sources: list[SourceView], **arguments: str) -> FigureTable:
    found = DOMAIN.report.table("look_through", shown(sources, "look_through", arguments))
    assert found is not None
    return found


class TestTable:
    def test_shows_a_change_before_and_after(self, sources: list[SourceView]) -> None:
        found = table(sources, dimension="sector", **CHANGE)
        assert found.title == (
            "Exposure by sector, 10.00 points into Technology ETF, pro rata from all other lines"
        )
        assert found.columns == ("before", "after", "change")
        first = found.rows[0]
        assert (first.name, list(first.values)) == (
            "Information Technology",
            ["15.00", "23.00", "8.00"],
        )
        assert first.unit == "% of portfolio weight"
        assert first.bounds == "before 15.00 to 15.00, after 23.00 to 23.00"
        assert found.denominator == (
            "percent of portfolio weight; the weights sum to 100.00 and were not scaled"
        )
        assert "volatility" in found.does_not_show

    def test_shows_one_column_without_a_change(self, sources: list[SourceView]) -> None:
        found = table(sources, dimension="asset_class", fund="", points="", funding="")
        assert found.title == "Exposure by asset class, without a change"
        assert found.columns == ("now",)
        assert {len(row.values) for row in found.rows} == {1}

    @pytest.mark.parametrize("dimension", ["sector", "asset_class", "security"])
    def test_has_a_value_for_each_column(self, sources: list[SourceView], dimension: str) -> None:
        found = table(sources, dimension=dimension, **CHANGE)
        assert {len(row.values) for row in found.rows} == {len(found.columns)}

    def test_says_how_many_rows_it_leaves_out(self, sources: list[SourceView]) -> None:
        names = [row.name for row in table(sources, dimension="security", **CHANGE).rows]
        assert "(further rows in the tool result: 13)" in names

    @pytest.mark.parametrize(("name", "arguments", "columns", "first"), OTHERS)
    def test_shows_the_figures_of_every_tool(
        self,
        sources: list[SourceView],
        name: str,
        arguments: dict[str, Any],
        columns: tuple[str, ...],
        first: list[str],
    ) -> None:
        found = DOMAIN.report.table(name, shown(sources, name, arguments))
        assert found is not None
        assert found.columns == columns
        assert list(found.rows[0].values) == first
        assert {len(row.values) for row in found.rows} == {len(columns)}
        assert found.title
        assert found.denominator
        assert found.coverage
        assert all(each.startswith("S") for each in found.sources)
        assert found.does_not_show
        assert found.formula.startswith(name)

    def test_names_the_rows_of_its_sources(self, sources: list[SourceView]) -> None:
        found = table(sources, dimension="sector", **CHANGE)
        assert found.sources[0] == "S5 (rows 5-10)"

    def test_shows_bounds_in_the_place_of_a_point(self, sources: list[SourceView]) -> None:
        """Without the largest fund's file more than a fifth of the weight is not known."""
        less = [one for one in sources if one.title != "global_equity_etf.csv"]
        found = table(less, dimension="sector", **CHANGE)
        assert found.coverage["classified"] == "60.00 %"
        assert found.rows[0].values[0] == "5.40 to 45.40"
        assert found.rows[0].bounds == "before 5.40 to 45.40, after 14.36 to 50.36"

    @pytest.mark.parametrize(
        ("name", "arguments"), [("list_sources", {}), ("read_source", {"source": "S1"}), SEARCH]
    )
    def test_shows_no_figures_of_other_tools(
        self, sources: list[SourceView], name: str, arguments: dict[str, Any]
    ) -> None:
        assert DOMAIN.report.table(name, shown(sources, name, arguments)) is None


def test_the_disclaimer_stands() -> None:
    assert DOMAIN.report.disclaimer == "Not investment advice; drafted by a model."
