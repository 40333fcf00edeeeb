"""Which holdings stand for which line."""

from __future__ import annotations

from research.domain import SourceView
from research.domains.investment.matching import MetBy, match
from research.domains.investment.positions import lines
from tests.domain.sources import fund, portfolio, view

OWN = portfolio(
    "World,IE00B4L5Y983,WLD,50,Equity fund,", "Bonds,,BND,30,Bond fund,", "Gold,,,20,Gold,"
)
ROW = "X,,XX,Energy,Equity,100"


def met(*sources: SourceView) -> list[tuple[str, str, MetBy]]:
    """Return name, handle and kind of match of every fund."""
    funds = match(lines(view("S1", OWN).reading), sources)
    return [(each.name, each.source.handle if each.source else "", each.met_by) for each in funds]


def test_isin_comes_first() -> None:
    by_ticker = view("S2", fund("Other", ROW, ticker="WLD"))
    by_isin = view("S3", fund("Other", ROW, isin="IE00B4L5Y983", as_of="2020-01-01"))
    assert met(by_ticker, by_isin)[0] == ("World", "S3", MetBy.ISIN)


def test_a_ticker_is_compared_without_case_and_signs() -> None:
    assert met(view("S2", fund("Other", ROW, ticker="b.n.d")))[1] == ("Bonds", "S2", MetBy.TICKER)


def test_a_ticker_does_not_overrule_two_isins() -> None:
    other = view("S2", fund("Other", ROW, isin="IE00B5BMR087", ticker="WLD"))
    assert met(other) == [
        ("World", "", MetBy.NOTHING),
        ("Bonds", "", MetBy.NOTHING),
        ("Gold", "", MetBy.NOTHING),
        ("Other", "S2", MetBy.NOTHING),
    ]


def test_a_person_may_assign_by_number_name_isin_or_ticker() -> None:
    for assigned, at in (("3", 2), ("gold", 2), ("bnd", 1), ("ie00b4l5y983", 0)):
        source = view("S2", fund("Other", ROW), assigned_to=assigned)
        assert met(source)[at][1:] == ("S2", MetBy.ASSIGNED)


def test_an_assigned_table_of_lines_is_what_that_fund_holds() -> None:
    inner = portfolio("A,,A,100,Equity,Energy")
    source = view("S2", inner, assigned_to="World")
    assert met(source)[0] == ("World", "S2", MetBy.ASSIGNED)


def test_of_two_files_the_later_date_wins() -> None:
    old = view("S2", fund("W", ROW, isin="IE00B4L5Y983", as_of="2025-09-30"))
    undated = view("S3", fund("W", ROW, isin="IE00B4L5Y983", as_of=""))
    new = view("S4", fund("W", ROW, isin="IE00B4L5Y983", as_of="2026-09-30"))
    assert met(old, undated, new)[0][1] == "S4"
    assert len(met(old, undated, new)) == 3  # the older ones are no candidates
