"""Covariances as a caller names them, and the volatilities before and after that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from research.domain import SourceView, ToolRefused
from research.domains.investment.formulas.volatility import (
    NotACovariance,
    check_covariance,
    portfolio_pct,
)
from research.domains.investment.tools.book import Book
from research.domains.investment.tools.change import Weights, one_fund
from research.domains.investment.tools.given import origin
from research.domains.investment.tools.schema import (
    Arguments,
    Code,
    DecimalText,
    Text,
    decimal,
)


class Covariance(Arguments):
    """The covariance of two funds, or the variance of one."""

    one: Annotated[
        Text, Field(description="Source handle, ISIN, ticker or name of a line or fund.")
    ]
    other: Annotated[Text, Field(description="The other one; the same for a variance.")]
    value: Annotated[DecimalText, Field(description="Percent squared a year.")]


def volatilities(
    book: Book,
    weights: Weights,
    given: Sequence[Covariance],
    cited: str,
    sources: Sequence[SourceView],
) -> tuple[Decimal, Decimal, SourceView | None]:
    """Return the volatility before and after in percent a year, and the source that holds the covariances.

    Raises:
        ToolRefused: `no_data`: a covariance of two things with a weight is missing; `bad_arguments`: they
            contradict each other; as in `origin`.
    """
    held = [
        (fund, both) for fund, both in zip(weights.funds, weights.both(), strict=True) if any(both)
    ]
    known: dict[tuple[int, int], Decimal] = {}
    source = None
    for each in given:
        value = decimal(each.value)
        if value is None:
            raise ToolRefused(Code.BAD_ARGUMENTS, "a covariance has a value")
        source = origin(value, cited, sources)
        pair = id(one_fund(book, each.one)), id(one_fund(book, each.other))
        if known.get(pair, value) != value:
            raise ToolRefused(Code.BAD_ARGUMENTS, "two covariances for one pair")
        known[pair] = known[pair[1], pair[0]] = value
    ids = [id(fund) for fund, _ in held]
    if any((one, other) not in known for one in ids for other in ids):
        raise ToolRefused(Code.NO_DATA, "a covariance of two of the lines is not given")
    matrix = [[known[one, other] for other in ids] for one in ids]
    try:
        check_covariance(matrix)
    except NotACovariance as problem:
        raise ToolRefused(Code.BAD_ARGUMENTS, str(problem)) from problem
    before = portfolio_pct([both[0] for _, both in held], matrix)
    after = portfolio_pct([both[1] for _, both in held], matrix)
    return before, after, source
