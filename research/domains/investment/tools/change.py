"""A proposed change of weights, as the tools take it: which fund, how many points, who pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final

from pydantic import Field

from research.domain import ToolRefused
from research.domains.investment.formulas.figures import shown
from research.domains.investment.formulas.funding import CannotFund, funded
from research.domains.investment.matching import Fund, resolve
from research.domains.investment.tools.book import Book
from research.domains.investment.tools.schema import Code, DecimalText, decimal
from research.reading.arguments import Arguments, Text

_ZERO: Final = Decimal(0)
_MAX_POINTS: Final = 100


class ChangeArguments(Arguments):
    """The arguments that name a change; all of them empty for the portfolio as it is."""

    fund: Annotated[
        Text,
        Field(
            description=(
                "The fund whose weight is raised: a source handle, ISIN, ticker or name from "
                'list_sources; "" to look at the portfolio without a change.'
            )
        ),
    ] = ""
    points: Annotated[
        DecimalText,
        Field(
            description='Percent points of the portfolio moved into it, for instance "10".',
        ),
    ] = ""
    funding: Annotated[
        Text,
        Field(
            description=(
                'Where the points come from: "pro_rata" (all other lines in proportion) or '
                '"from:<line number>".'
            )
        ),
    ] = ""


@dataclass(frozen=True, slots=True)
class Change:
    """The points that move into a fund, and the rule that pays for them."""

    fund: Fund | None
    points: Decimal
    funding: str

    def shown(self) -> dict[str, str]:
        """Write the change as a result shows it."""
        return {
            "fund": self.fund.name if self.fund else "",
            "points": shown(self.points),
            "funding": self.funding,
        }


UNCHANGED: Final = Change(None, _ZERO, "none")


@dataclass(frozen=True, slots=True)
class Weights:
    """What is held before and after a change; `funds` has the new fund last.

    `of_portfolio` is false where one fund alone is looked at: its weight is then 100.
    """

    change: Change
    funds: tuple[Fund, ...]
    before: tuple[Decimal, ...]
    after: tuple[Decimal, ...]
    of_portfolio: bool = True

    def both(self) -> list[tuple[Decimal, Decimal]]:
        """Return the weights before and after of each fund; one not held yet had none."""
        padded = (*self.before, *[_ZERO] * (len(self.after) - len(self.before)))
        return list(zip(padded, self.after, strict=True))


def weights_of(book: Book, asked: ChangeArguments) -> Weights:
    """Return the weights before and after the change that is asked about.

    Raises:
        ToolRefused: no such fund, no such change, or it cannot be paid for.
    """
    change = _change(book, asked)
    held = book.held()
    before = tuple(line.weight_pct for line in book.lines)
    if change.fund is None:
        return Weights(change, held, before, before)
    funds = held if change.fund.line else (*held, change.fund)
    return Weights(change, funds, before, _funded(before, change))


def alone(fund: Fund) -> Weights:
    """Return one fund as if it were everything."""
    whole = (Decimal(100),)
    return Weights(UNCHANGED, (fund,), whole, whole, of_portfolio=False)


def one_fund(book: Book, wanted: str) -> Fund:
    """Return the fund that goes by this name.

    Raises:
        ToolRefused: `unknown_fund`: none, or several.
    """
    funds = resolve(book.funds, wanted)
    if len(funds) != 1:
        raise ToolRefused(
            Code.UNKNOWN_FUND,
            "several lines or files go by this name; use an ISIN or a source handle"
            if funds
            else "no line and no holdings file goes by this name; list_sources shows them",
        )
    return funds[0]


def _change(book: Book, asked: ChangeArguments) -> Change:
    points = decimal(asked.points)
    if not asked.fund:
        if points:
            raise ToolRefused(
                Code.BAD_ARGUMENTS, "points without a fund: name the fund, or no points"
            )
        return UNCHANGED
    fund = one_fund(book, asked.fund)
    if points is None or not 0 < points <= _MAX_POINTS:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, 'points is a decimal text above 0 and up to 100, such as "10"'
        )
    return Change(fund, points, asked.funding)


def _funded(before: Sequence[Decimal], change: Change) -> tuple[Decimal, ...]:
    target: Fund | None = change.fund
    at = target.line.number - 1 if target and target.line else None
    try:
        return funded(before, at, change.points, change.funding)
    except CannotFund as problem:
        raise ToolRefused(Code.BAD_ARGUMENTS, str(problem)) from problem
