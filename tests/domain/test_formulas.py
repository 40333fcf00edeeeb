"""Formulas as tables: gates, money, valuation, long and short, what is not known, covariances."""

from __future__ import annotations

from decimal import Decimal

import pytest

from research.domains.investment.formulas.concentration import concentration, hhi_bounds
from research.domains.investment.formulas.costs import weighted_cost
from research.domains.investment.formulas.figures import as_stated
from research.domains.investment.formulas.funding import CannotFund, funded
from research.domains.investment.formulas.gates import Stated, gate
from research.domains.investment.formulas.money import decimals, known_unit, money, shown_money
from research.domains.investment.formulas.volatility import (
    Mix,
    NotACovariance,
    check_covariance,
    portfolio_pct,
)
from tests.domain.sources import ask, fund, portfolio, row_of, view

D = Decimal
GATES = [
    ("100", Stated.POINT),
    ("95", Stated.POINT),
    ("94.999", Stated.POINT_AND_BOUNDS),
    ("80", Stated.POINT_AND_BOUNDS),
    ("79.999", Stated.BOUNDS),
    ("50", Stated.BOUNDS),
    ("49.999", Stated.CANNOT),
    ("0", Stated.CANNOT),
]


@pytest.mark.parametrize(("coverage", "stated"), GATES)
def test_gates_by_coverage(coverage: str, stated: Stated) -> None:
    assert gate(D(coverage)) is stated


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        (Stated.POINT, "12.35"),
        (Stated.POINT_AND_BOUNDS, "12.35"),
        (Stated.BOUNDS, "10.00 to 20.00"),
        (Stated.CANNOT, "cannot be stated"),
    ],
)
def test_a_figure_is_written_in_the_form_its_coverage_allows(stated: Stated, text: str) -> None:
    assert as_stated(D("12.345"), (D(10), D(20)), stated) == text


COVERED = [
    ("97", "point", "97.00", ["97.00", "100.00"]),
    ("90", "point_and_bounds", "90.00", ["90.00", "100.00"]),
    ("60", "bounds", "60.00 to 100.00", ["60.00", "100.00"]),
    ("30", "cannot_be_stated", "cannot be stated", []),
]


@pytest.mark.parametrize(("share", "stated", "told", "bounds"), COVERED)
class TestGatesOfALookThrough:
    """A fund whose file leaves the sector of some of its weight open."""

    def test_say_what_may_be_stated(
        self, share: str, stated: str, told: str, bounds: list[str]
    ) -> None:
        rows = (f"X,,XX,Energy,Equity,{share}", f"Y,,YY,,Equity,{100 - int(share)}")
        own = portfolio("A,,AAA,100,Equity fund,")
        sources = [view("S1", own), view("S2", fund("A", *rows, ticker="AAA"))]
        shown = ask("look_through", sources, dimension="sector")
        assert (shown["stated"], shown["before_pct"]) == (stated, told)
        assert shown["bounds"]["before_pct"] == bounds
        assert shown["coverage"]["classified_pct"] == f"{share}.00"
        assert row_of(shown, "Unclassified")["before_pct"] == f"{100 - int(share)}.00"
        beside = [row["bounds"]["before_pct"] for row in shown["rows"] if "bounds" in row]
        assert beside == ([bounds] if stated == "point_and_bounds" else [])
        named = {row["bucket"] for row in shown["rows"]}
        assert ("Energy" in named) is (stated != "cannot_be_stated")


class TestChangeBounds:
    def test_are_those_of_the_changed_weights_alone(self) -> None:
        """A fund that is closed before and after adds nothing to the bounds of the change but its sale."""
        own = portfolio("Closed ETF,,CCC,40,Equity fund,", "B,,BBB,60,Equity fund,")
        b_file = fund("B", "X,,XX,Energy,Equity,100", ticker="BBB")
        new = fund("N", "Y,,YY,Energy,Equity,100", ticker="NNN")
        sources = [view("S1", own), view("S2", b_file), view("S3", new)]
        paid = {"dimension": "sector", "fund": "NNN", "points": "10", "bucket": "Energy"}
        by_b = ask("look_through", sources, funding="from:2", **paid)
        assert by_b["before_pct"] == "60.00 to 100.00"
        assert by_b["change_points"] == "0.00 to 0.00"
        by_closed = ask("look_through", sources, funding="from:1", **paid)
        assert by_closed["change_points"] == "0.00 to 10.00"


class TestSmallWeights:
    def test_below_a_limit_widen_the_bounds(self) -> None:
        """A row "<0.01%" lies between 0 and that, and no point is made up for it."""
        own = view("S1", portfolio("A,,AAA,100,Equity fund,"))
        held = view("S2", fund("A", "X,,XX,Energy,Equity,100", ticker="AAA"))
        small = {
            **held.reading.rows[0],
            "row": 8,
            "name": "Y",
            "ticker": "YY",
            "weight_pct": "",
            "weight_below_pct": "0.01",
        }
        rows = (*held.reading.rows, small)
        reading = held.reading.__class__(
            **{
                field: getattr(held.reading, field)
                for field in held.reading.__dataclass_fields__
                if field != "rows"
            },
            rows=rows,
        )
        shown = ask(
            "look_through",
            [own, held.__class__("S2", "id-S2", "", "", reading)],
            dimension="sector",
        )
        assert shown["before_pct"] == "100.00"
        assert shown["bounds"]["before_pct"] == ["100.00", "100.01"]


class TestMoney:
    @pytest.mark.parametrize(
        ("amount", "unit", "whole", "currency"),
        [
            ("12345", "GBX", "123.45", "GBP"),
            ("12345", "GBp", "123.45", "GBP"),
            ("12345", "GBP", "12345", "GBP"),
            ("500", "ZAc", "5", "ZAR"),
            ("500", "ILA", "5", "ILS"),
            ("500", "usd", "500", "USD"),
        ],
    )
    def test_minor_units_are_hundredths(
        self, amount: str, unit: str, whole: str, currency: str
    ) -> None:
        assert money(D(amount), unit) == (D(whole), currency)

    @pytest.mark.parametrize(
        ("currency", "text"), [("EUR", "1.01"), ("JPY", "1"), ("KWD", "1.005"), ("XYZ", "1.01")]
    )
    def test_amounts_have_the_decimals_of_their_currency(self, currency: str, text: str) -> None:
        assert shown_money(D("1.005"), currency) == text
        assert decimals(currency) == len(text.partition(".")[2])

    def test_a_word_is_no_unit(self) -> None:
        assert known_unit("GBp")
        assert not known_unit("euros")


class TestFunded:
    @pytest.mark.parametrize(
        ("rule", "after"),
        [("pro_rata", ("54", "36", "10")), ("from:1", ("50", "40", "10"))],
    )
    def test_a_new_fund_is_paid_for(self, rule: str, after: tuple[str, ...]) -> None:
        assert funded([D(60), D(40)], None, D(10), rule) == tuple(map(D, after))

    @pytest.mark.parametrize("rule", ["from:0", "from:3", "from:2", "", "cash", "from:1,2"])
    def test_a_rule_that_cannot_pay_is_refused(self, rule: str) -> None:
        with pytest.raises(CannotFund):
            funded([D(60), D(5)], None, D(10), rule)


class TestConcentrationBounds:
    def test_lie_around_every_way_to_place_what_is_not_known(self) -> None:
        low, high = hhi_bounds([D(50), D(30)], (D(0), D(20)))
        assert (low, high) == (D("0.34"), D("0.58"))
        for placed in ([50, 30, 20], [70, 30], [50, 50], [60, 40], [50, 30, 10, 10]):
            assert low <= concentration(map(D, placed)).hhi <= high

    def test_short_weight_may_undo_a_known_one(self) -> None:
        low, high = hhi_bounds([D(50)], (D(-50), D(50)))
        assert low == 0
        assert high == D("2.25")


class TestCost:
    def test_a_missing_ratio_adds_nothing_and_is_not_scaled_away(self) -> None:
        found = weighted_cost([D(60), D(40)], [D("0.5"), None])
        assert (found.cost_pct, found.stated_pct) == (D("0.3"), D(60))
        assert not found.complete


class TestVolatility:
    def test_two_things_agree_with_their_covariance_matrix(self) -> None:
        mix = Mix(D("0.1"), D(12), D(22))
        covariance = D("0.6") * 12 * 22
        matrix = [[D(144), covariance], [covariance, D(484)]]
        check_covariance(matrix)
        assert abs(portfolio_pct([D(90), D(10)], matrix) - mix.after_pct(D("0.6"))) < D("1e-20")

    def test_all_into_the_fund_has_no_break_even(self) -> None:
        mix = Mix(D(1), D(12), D(22))
        assert mix.break_even() is None
        assert mix.after_pct(D("0.3")) == 22

    @pytest.mark.parametrize(
        "matrix",
        [
            [["1", "0.5"], ["0.4", "1"]],
            [["1", "2"], ["2", "1"]],
            [["-1", "0"], ["0", "1"]],
            [["0", "1"], ["1", "4"]],
            [["1", "0.9", "-0.9"], ["0.9", "1", "0.9"], ["-0.9", "0.9", "1"]],
        ],
        ids=["not symmetric", "correlation 2", "negative", "of nothing", "contradicting"],
    )
    def test_what_is_no_covariance_is_refused(self, matrix: list[list[str]]) -> None:
        with pytest.raises(NotACovariance):
            check_covariance([[D(value) for value in row] for row in matrix])

    def test_a_singular_one_is_a_covariance(self) -> None:
        check_covariance([[D(1), D(2)], [D(2), D(4)]])
        check_covariance([[D(0), D(0)], [D(0), D(4)]])
