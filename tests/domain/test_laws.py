"""Laws of the formulas: whatever the weights, the labels and what is missing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from research.domain import SourceView, ToolRefused
from research.domains.investment.formulas.concentration import concentration
from research.domains.investment.formulas.costs import weighted_cost
from research.domains.investment.formulas.volatility import Mix
from tests.domain.sources import ask, fund, portfolio, view

D = Decimal
SECTORS = ("Energy", "Utilities", "Financials", "Materials")
LONG = st.integers(1, 60)
LONG_OR_SHORT = st.integers(-30, 60).filter(bool)
NAMES = st.lists(st.integers(0, 12), min_size=1, max_size=8, unique=True)
SHARE = st.decimals("0.001", "0.999", places=3)
PERCENT = st.decimals("0.5", "80", places=2)


def exact(parts: list[int]) -> list[Decimal]:
    """Return weights in hundredths that sum to 100 in the proportion of these parts."""
    total = sum(parts)
    weights = [(D(part) * 100 / total).quantize(D("0.01")) for part in parts]
    weights[0] += 100 - sum(weights)
    return weights


@st.composite
def files(draw: st.DrawFn) -> tuple[list[SourceView], list[SourceView]]:
    """Return the same portfolio twice: with sectors missing from some rows, and with all of them."""
    parts = draw(st.lists(LONG_OR_SHORT, min_size=1, max_size=6))
    assume(sum(parts) >= 20)
    sectors = draw(st.lists(st.sampled_from(SECTORS), min_size=len(parts), max_size=len(parts)))
    blank = draw(st.lists(st.booleans(), min_size=len(parts), max_size=len(parts)))
    own = portfolio("A,,AAA,60,Equity fund,", "B,,BBB,30,Equity fund,", "Cash,,,10,Cash,")
    other = fund("B", "Z,,ZZ,Energy,Equity,70", "W,,WW,,Equity,30", ticker="BBB")
    full = fund("B", "Z,,ZZ,Energy,Equity,70", "W,,WW,Materials,Equity,30", ticker="BBB")

    def views(labels: list[str], second: str) -> list[SourceView]:
        rows = [
            f"N{n},,T{n},{label},Equity,{weight}"
            for n, (label, weight) in enumerate(zip(labels, exact(parts), strict=True))
        ]
        return [view("S1", own), view("S2", fund("A", *rows, ticker="AAA")), view("S3", second)]

    holed = ["" if gone else label for label, gone in zip(sectors, blank, strict=True)]
    return views(holed, other), views(sectors, full)


def looked(sources: list[SourceView], points: int, bucket: str) -> Any:
    change = {"fund": "AAA", "points": str(points), "funding": "pro_rata"} if points else {}
    return ask("look_through", sources, dimension="sector", bucket=bucket, **change)


@given(files(), st.integers(0, 30))
@settings(max_examples=60)
def test_bounds_contain_the_point_and_what_is_really_there(
    both: tuple[list[SourceView], list[SourceView]], points: int
) -> None:
    holed, full = (looked(sources, points, "Energy") for sources in both)
    assert full["stated"] == "point"
    if holed["stated"] == "cannot_be_stated":
        assert holed["bounds"]["after_pct"] == []
        return
    low, high = map(D, holed["bounds"]["after_pct"])
    assert low <= D(full["after_pct"]) <= high
    if holed["stated"] == "bounds":
        assert holed["after_pct"] == f"{low} to {high}"
        change_low, change_high = map(D, holed["change_points"].split(" to "))
        assert change_low <= D(full["change_points"]) <= change_high
    else:
        assert low <= D(holed["after_pct"]) <= high
    least, most = map(D, holed["level_bounds"]["after"]["hhi"])
    assert least <= D(full["level"]["after"]["hhi"]) <= most


@given(files(), st.integers(0, 30))
@settings(max_examples=40)
def test_weights_sum_and_long_and_short_are_net_and_gross(
    both: tuple[list[SourceView], list[SourceView]], points: int
) -> None:
    shown = looked(both[1], points, "Energy")
    rows = sum((D(row["after_pct"]) for row in shown["rows"]), D(0))
    assert abs(rows - D(shown["weights_sum_pct"]["after"])) <= D("0.005") * (
        len(shown["rows"]) + 1
    )
    sides = {key: D(text) for key, text in shown["long_short"]["after"].items()}
    assert abs(sides["long_pct"] + sides["short_pct"] - sides["net_pct"]) <= D("0.02")
    assert abs(sides["long_pct"] - sides["short_pct"] - sides["gross_pct"]) <= D("0.02")
    assert sides["short_pct"] <= 0 <= sides["long_pct"]
    assert abs(sides["net_pct"] - 100) <= D("0.01")


@given(st.lists(LONG, min_size=1, max_size=40))
def test_the_index_lies_between_equal_shares_and_one(parts: list[int]) -> None:
    weights = exact(parts)
    assume(min(weights) > 0)
    found = concentration(weights)
    slack = D("1e-20")
    assert D(1) / len(weights) - slack <= found.hhi <= 1
    assert 1 <= found.effective_n <= len(weights) + D("1e-18")
    assert max(weights) <= found.top_ten_pct <= found.sum_pct == 100


def a_fund(handle: str, names: list[int], parts: list[int]) -> SourceView:
    weights = exact((parts * len(names))[: len(names)])
    rows = [f"N{n},,T{n},Energy,Equity,{w}" for n, w in zip(names, weights, strict=True)]
    return view(handle, fund(f"Fund {handle}", *rows, ticker=f"F{handle}"))


@given(NAMES, NAMES, st.lists(LONG, min_size=1, max_size=8))
@settings(max_examples=60)
def test_overlap_is_symmetric_and_no_larger_than_what_is_shared(
    first: list[int], second: list[int], parts: list[int]
) -> None:
    sources = [a_fund("S1", first, parts), a_fund("S2", second, parts[::-1])]
    one = ask("overlap", sources, first="S1", second="S2")
    other = ask("overlap", sources, first="S2", second="S1")
    assert one["overlap_pct"] == other["overlap_pct"]
    assert one["bounds"] == other["bounds"]
    assert (one["first_in_shared_pct"], one["second_in_shared_pct"]) == (
        other["second_in_shared_pct"],
        other["first_in_shared_pct"],
    )
    assert one["shared_securities"] == len(set(first) & set(second))
    value = D(one["overlap_pct"])
    assert 0 <= value <= min(D(one["first_in_shared_pct"]), D(one["second_in_shared_pct"])) <= 100


@given(
    st.lists(st.tuples(st.decimals(0, 50, places=2), st.decimals(0, 3, places=2)), min_size=1),
    st.data(),
)
def test_a_ratio_that_becomes_known_never_lowers_a_cost(
    pairs: list[tuple[Decimal, Decimal]], data: st.DataObject
) -> None:
    weights, ratios = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    known = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    partly = [ratio if one else None for ratio, one in zip(ratios, known, strict=True)]
    less, all_of_it = weighted_cost(weights, partly), weighted_cost(weights, ratios)
    assert less.cost_pct <= all_of_it.cost_pct
    assert 0 <= less.stated_pct <= all_of_it.stated_pct


@given(SHARE, PERCENT, PERCENT)
def test_at_the_break_even_correlation_nothing_changes(
    share: Decimal, portfolio_pct: Decimal, fund_pct: Decimal
) -> None:
    mix = Mix(share, portfolio_pct, fund_pct)
    found = mix.break_even()
    assert found is not None
    assume(-1 <= found <= 1)
    assert abs(mix.after_pct(found) - portfolio_pct) < D("1e-12")
    step = D("0.01")
    assert mix.after_pct(found - step) < portfolio_pct < mix.after_pct(found + step)


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=12) | st.integers() | st.none()))
def test_no_arguments_crash_a_tool(arguments: dict[str, Any]) -> None:
    for name in ("search_sources", "look_through", "concentration", "overlap", "fund_costs"):
        with pytest.raises(ToolRefused) as refused:
            ask(name, [], **arguments)
        assert refused.value.code in {"bad_arguments", "no_portfolio", "no_data"}
