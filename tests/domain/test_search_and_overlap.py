"""The tools `search_sources`, `overlap` and `concentration`: what they show, use and refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from research.domain import Reading, SourceView
from tests.domain.sources import TOOLS, ask, fund, portfolio, refusal, sample, view

POLICY = SourceView(
    "S9",
    "id-S9",
    "policy",
    "",
    Reading(
        kind="text",
        reader="markdown/1",
        as_of="2026-01-31",
        identity={},
        counts={"passage": 2},
        findings=(),
        rows=(
            {"row": 1, "class": "passage", "heading": "Bands", "text": "Drift band 5 points."},
            {"row": 3, "class": "passage", "text": "Review in January. " * 40},
        ),
    ),
)


class TestSearchSources:
    def test_finds_rows_with_all_words_in_any_case(self) -> None:
        shown = ask("search_sources", sample(), query="asml nl0010273215")
        assert [(one["source"], one["row"]) for one in shown["matches"]] == [
            ("S1", 8),
            ("S4", 31),
            ("S5", 43),
            ("S6", 12),
        ]
        assert shown["matches_in_all"] == 4
        assert shown["matches"][1]["weight_pct"] == "1.52"

    def test_finds_passages_of_a_text_and_shortens_them(self) -> None:
        shown = ask("search_sources", [POLICY], query="review january")
        (match,) = shown["matches"]
        assert (match["source"], match["row"], match["class"]) == ("S9", 3, "passage")
        assert len(match["text"]) == 300

    def test_is_bounded_and_says_how_many_there_are(self) -> None:
        shown = ask("search_sources", sample(), query="equity", limit=3)
        assert len(shown["matches"]) == 3
        assert shown["matches_in_all"] > 100

    def test_nothing_found_is_no_statement_and_rests_on_all_that_was_searched(self) -> None:
        result = TOOLS["search_sources"].run({"query": "unobtainium"}, sample())
        assert result.shown["matches"] == []
        assert "no statement about the matter" in result.shown["does_not_show"]
        assert result.used == {f"id-S{n}" for n in range(1, 7)}

    def test_one_source_alone_is_used(self) -> None:
        result = TOOLS["search_sources"].run({"query": "asml", "source": "S4"}, sample())
        assert result.used == {"id-S4"}

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"query": ""}, "bad_arguments"),
            ({"query": "x", "limit": 0}, "bad_arguments"),
            ({"query": "x", "limit": 51}, "bad_arguments"),
            ({"query": "x" * 201}, "bad_arguments"),
            ({"query": "x", "source": "S77"}, "unknown_source"),
        ],
    )
    def test_it_refuses(self, arguments: Mapping[str, Any], code: str) -> None:
        assert refusal("search_sources", arguments, sample()).code == code


A = fund(
    "A", "X,,XX,Energy,Equity,60", "Y,,YY,Energy,Equity,38", "EUR cash,,,,Cash,2", ticker="A1"
)
B = fund(
    "B", "X,,XX,Energy,Equity,25", "Z,,ZZ,Energy,Equity,73", "EUR cash,,,,Cash,2", ticker="B1"
)


class TestOverlap:
    def test_adds_up_the_smaller_weights_and_leaves_cash_out(self) -> None:
        shown = ask("overlap", [view("S1", A), view("S2", B)], first="S1", second="B1")
        assert shown["overlap_pct"] == "25.00"
        assert shown["shared"] == [
            {"name": "X", "first_pct": "60.00", "second_pct": "25.00", "overlap_pct": "25.00"}
        ]
        assert (shown["first_in_shared_pct"], shown["second_in_shared_pct"]) == ("60.00", "25.00")
        assert shown["bounds"] == ["25.00", "25.00"]
        assert shown["denominator"] == "percent of each fund's weight"

    def test_of_the_example(self) -> None:
        shown = ask("overlap", sample(), first="Global Equity ETF", second="Technology ETF")
        assert (shown["overlap_pct"], shown["shared_securities"]) == ("28.50", 16)
        assert [each["source"] for each in shown["inputs"]] == ["S4", "S6"]

    def test_what_is_not_listed_may_be_anything(self) -> None:
        short = fund("B", "X,,XX,Energy,Equity,90", ticker="B1")
        shown = ask("overlap", [view("S1", A), view("S2", short)], first="S1", second="S2")
        assert shown["stated"] == "point_and_bounds"
        assert (shown["overlap_pct"], shown["bounds"]) == ("60.00", ["60.00", "70.00"])

    def test_short_positions_do_not_overlap(self) -> None:
        short = fund("B", "X,,XX,Energy,Equity,-10", "Z,,ZZ,Energy,Equity,110", ticker="B1")
        shown = ask("overlap", [view("S1", A), view("S2", short)], first="S1", second="S2")
        assert shown["overlap_pct"] == "0.00"
        assert shown["second"]["short_pct"] == "-10.00"

    def test_names_alone_are_flagged(self) -> None:
        one = fund("A", "Bond of Utopia,,,,Fixed Income,100", ticker="A1")
        two = fund("B", "BOND OF  UTOPIA,,,,Fixed Income,100", ticker="B1")
        shown = ask("overlap", [view("S1", one), view("S2", two)], first="S1", second="S2")
        assert shown["overlap_pct"] == "100.00"
        assert "Of the overlap, 100.00 points rest on names alone." in shown["notes"]

    @pytest.mark.parametrize(
        ("second", "code"),
        [("Cash account", "no_holdings"), ("S4", "bad_arguments"), ("Nowhere", "unknown_fund")],
    )
    def test_it_refuses(self, second: str, code: str) -> None:
        arguments = {"first": "S4", "second": second}
        assert refusal("overlap", arguments, sample()).code == code


class TestConcentration:
    def test_states_bounds_where_a_fund_is_closed(self) -> None:
        own = portfolio("A,,A1,60,Equity fund,", "Closed ETF,,CCC,40,Equity fund,")
        full = fund("A", "X,,XX,Energy,Equity,100", ticker="A1")
        sources = [view("S1", own), view("S2", full)]
        shown = ask("concentration", sources, level="security")
        assert shown["stated"] == "bounds"
        assert shown["before"]["hhi"] == "0.360000 to 1.000000"
        assert shown["before"]["effective_n"] == "1.00 to 2.78"
        assert shown["before"]["top_ten_pct"] == "cannot be stated"
        assert shown["largest"][0]["before_pct"] == "60.00 to 100.00"
        at_lines = ask("concentration", sources, level="lines")
        assert at_lines["before"]["hhi"] == "0.52000"

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"level": "country"}, "bad_arguments"),
            ({}, "bad_arguments"),
            ({"level": "lines", "of": "S4"}, "bad_arguments"),
            ({"level": "sector", "of": "Cash account"}, "no_holdings"),
            ({"level": "sector", "of": "S4", "fund": "S6", "points": "1"}, "bad_arguments"),
        ],
    )
    def test_it_refuses(self, arguments: Mapping[str, Any], code: str) -> None:
        assert refusal("concentration", arguments, sample()).code == code

    def test_one_fund_alone_needs_and_uses_no_portfolio(self) -> None:
        arguments = {"level": "security", "of": "S4"}
        assert TOOLS["concentration"].run(arguments, sample()).used == {"id-S4"}


def with_rows(source: SourceView, *more: Mapping[str, str]) -> SourceView:
    """Return a source whose rows state further codes, in order."""
    rows = [{**row, **extra} for row, extra in zip(source.reading.rows, more, strict=True)]
    reading = source.reading
    return SourceView(
        source.handle,
        source.source_id,
        source.title,
        source.assigned_to,
        Reading(
            kind=reading.kind,
            reader=reading.reader,
            as_of=reading.as_of,
            identity=reading.identity,
            counts=reading.counts,
            findings=reading.findings,
            rows=rows,
            summary=reading.summary,
        ),
    )


class TestIdentity:
    """One security in two files, named by other codes in each."""

    ISIN = fund("A", "Apple Inc,US0378331005,,Energy,Equity,100", ticker="A1")
    BARE = fund("B", "APPLE INC COM,,,Energy,Equity,100", ticker="B1")

    @pytest.mark.parametrize(
        ("first", "second", "overlap"),
        [
            ({}, {"cusip": "037833100"}, "100.00"),
            ({}, {"cusip": "03783310"}, "100.00"),
            ({"sedol": "2046251"}, {"sedol": "2046251"}, "100.00"),
            ({"figi": "BBG000B9XRY4"}, {"figi": "BBG000B9XRY4"}, "100.00"),
            ({"sedol": "2046251"}, {"sedol": "2046251", "cusip": "037833100"}, "100.00"),
            ({"isin": "", "ticker": "AAPL"}, {"cusip": "037833100", "ticker": "AAPL"}, "100.00"),
            (
                {"isin": "", "ticker": "AAPL", "sedol": "2046251"},
                {"cusip": "037833100", "sedol": "2046251"},
                "100.00",
            ),
            ({"isin": "", "code": "000001"}, {"code": "000001"}, "100.00"),
            ({"sedol": "2046251"}, {"isin": "US5949181045", "sedol": "2046251"}, "0.00"),
            ({}, {"cusip": "594918104"}, "0.00"),
            ({}, {}, "0.00"),
        ],
        ids=[
            "cusip in isin",
            "cusip without its digit",
            "sedol",
            "figi",
            "two codes",
            "ticker of a cusip",
            "ticker, sedol and cusip",
            "unnamed code",
            "two isins",
            "other cusip",
            "no code",
        ],
    )
    def test_codes_come_before_names(
        self, first: Mapping[str, str], second: Mapping[str, str], overlap: str
    ) -> None:
        sources = [
            with_rows(view("S1", self.ISIN), first),
            with_rows(view("S2", self.BARE), second),
        ]
        assert ask("overlap", sources, first="S1", second="S2")["overlap_pct"] == overlap


class TestSectorMap:
    """A file without sectors, beside a map of them."""

    OWN = portfolio("A,,A1,100,Equity fund,")
    BARE = fund("A", "X,,XX,,Equity,60", "Apple,US0378331005,,,Equity,40", ticker="A1")

    def a_map(self, as_of: str) -> SourceView:
        rows = (
            {"row": 2, "class": "label", "ticker": "xx", "isin": "", "sector": "Energy"},
            {"row": 3, "class": "label", "cusip": "037833100", "sector": "Information Technology"},
        )
        summary = {
            "sector_taxonomy": "GICS",
            "sector_version": "2023",
            "taxonomy": "GICS sector labels as stated in the file",
        }
        reading = Reading("sector_map", "sector_map_csv/1", as_of, {}, {}, (), rows, summary)
        return SourceView("S3", "id-S3", "map", "", reading)

    def test_gives_sectors_and_is_an_input(self) -> None:
        sources = [view("S1", self.OWN), view("S2", self.BARE), self.a_map("2026-09-30")]
        result = TOOLS["look_through"].run({"dimension": "sector"}, sources)
        assert {row["bucket"]: row["before_pct"] for row in result.shown["rows"]} == {
            "Energy": "60.00",
            "Information Technology": "40.00",
        }
        assert result.used == {"id-S1", "id-S2", "id-S3"}
        assert result.shown["inputs"][2] == {
            "source": "S3",
            "as_of": "2026-09-30",
            "rows": "2-3",
            "sectors": "GICS; 2023",
        }
        assert result.shown["taxonomy"] == "GICS sector labels as stated in the file"

    def test_without_a_date_says_nothing(self) -> None:
        sources = [view("S1", self.OWN), view("S2", self.BARE), self.a_map("not stated")]
        assert refusal("look_through", {"dimension": "sector"}, sources).code == "no_data"

    def test_is_no_fund(self) -> None:
        sources = [view("S1", self.OWN), self.a_map("2026-09-30"), POLICY]
        assert ask("list_sources", sources)["candidates"] == []
        kinds = [each["kind"] for each in ask("list_sources", sources)["sources"]]
        assert kinds == ["portfolio", "sector_map", "text"]


class TestLinesAndRows:
    def test_a_share_held_directly_is_the_row_with_its_cusip(self) -> None:
        """The line states an ISIN, the fund's file a CUSIP and a ticker."""
        own = portfolio("Apple,US0378331005,AAPL,50,Share,", "A,,A1,50,Equity fund,")
        bare = fund("A", "APPLE COM,,AAPL,Energy,Equity,100", ticker="A1")
        sources = [view("S1", own), with_rows(view("S2", bare), {"cusip": "037833100"})]
        by_security = ask("look_through", sources, dimension="security")
        assert [row["before_pct"] for row in by_security["rows"]] == ["100.00"]
        by_sector = ask("look_through", sources, dimension="sector")
        assert by_sector["before_pct"] == "100.00"
