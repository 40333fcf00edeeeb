"""Covariances as a source holds them or a caller names them, and the volatilities that follow.

    percent squared a year = value × 10,000 where it is of fractions, × 12 or 252 where of months or days

Source: the usual scaling of a variance with time, for returns that do not depend on each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field

from research.domain import SourceView, ToolRefused
from research.domains.investment.codes import name_key
from research.domains.investment.formulas.volatility import (
    NotACovariance,
    check_covariance,
    portfolio_pct,
)
from research.domains.investment.matching import Fund
from research.domains.investment.tools.book import Book
from research.domains.investment.tools.change import Weights, one_fund
from research.domains.investment.tools.schema import Code, DecimalText, decimal
from research.reading.arguments import Arguments, Text

Pairs = dict[tuple[int, int], Decimal]


class Unit(StrEnum):
    """In what covariances are stated; the files do not say it."""

    PERCENT_A_YEAR = "percent_a_year"
    FRACTIONS_A_YEAR = "fractions_a_year"
    FRACTIONS_A_MONTH = "fractions_a_month"
    FRACTIONS_A_DAY = "fractions_a_day"


_FACTORS: Final[Mapping[Unit, int]] = {
    Unit.PERCENT_A_YEAR: 1,
    Unit.FRACTIONS_A_YEAR: 10_000,
    Unit.FRACTIONS_A_MONTH: 120_000,
    Unit.FRACTIONS_A_DAY: 2_520_000,
}


class Covariance(Arguments):
    """The covariance of two funds, or the variance of one."""

    one: Annotated[
        Text, Field(description="Source handle, ISIN, ticker or name of a line or fund.")
    ]
    other: Annotated[Text, Field(description="The other one; the same for a variance.")]
    value: Annotated[DecimalText, Field(description="In the unit named beside it.")]


def named(book: Book, given: Sequence[Covariance]) -> Pairs:
    """Return the covariances of a call by the funds they are of.

    Raises:
        ToolRefused: `unknown_fund`, or `bad_arguments`: no value, or two for one pair.
    """
    known: Pairs = {}
    names = {name for each in given for name in (each.one, each.other)}
    funds = {name: id(one_fund(book, name)) for name in names}
    for each in given:
        value = decimal(each.value)
        pair = funds[each.one], funds[each.other]
        if value is None or known.get(pair, value) != value:
            raise ToolRefused(Code.BAD_ARGUMENTS, "one value for each pair")
        known[pair] = known[pair[1], pair[0]] = value
    return known


def of_source(source: SourceView, funds: Sequence[Fund]) -> Pairs:
    """Return the covariances that a matrix states for funds: its names are their ticker, ISIN or name."""
    rows = source.reading.rows
    places = {name_key(row["name"]): at for at, row in enumerate(rows)}
    at = {}
    for fund in funds:
        keys = (name_key(key) for key in (fund.ticker, fund.isin, fund.name) if key)
        place = next((places[key] for key in keys if key in places), None)
        if place is not None:
            at[id(fund)] = place
    return {
        (one, other): Decimal(rows[first]["values"][second])
        for one, first in at.items()
        for other, second in at.items()
    }


def volatilities(weights: Weights, known: Pairs, unit: Unit) -> tuple[Decimal, Decimal]:
    """Return the volatility before and after, in percent a year.

    Raises:
        ToolRefused: `no_data`: a covariance of two things with a weight is missing; `bad_arguments`: they
            contradict each other.
    """
    held = [
        (id(fund), both)
        for fund, both in zip(weights.funds, weights.both(), strict=True)
        if any(both)
    ]
    ids = [one for one, _ in held]
    if any((one, other) not in known for one in ids for other in ids):
        raise ToolRefused(Code.NO_DATA, "a covariance of two of the lines is not given")
    factor = _FACTORS[unit]
    matrix = [[known[one, other] * factor for other in ids] for one in ids]
    try:
        check_covariance(matrix)
    except NotACovariance as problem:
        raise ToolRefused(Code.BAD_ARGUMENTS, str(problem)) from problem
    before, after = (portfolio_pct([both[side] for _, both in held], matrix) for side in (0, 1))
    return before, after
