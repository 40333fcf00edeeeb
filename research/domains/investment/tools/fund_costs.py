"""The tool `fund_costs`: the weighted expense ratio of the portfolio, before and after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.codes import fund_like
from research.domains.investment.formulas.costs import FORMULA, Cost, in_money, weighted_cost
from research.domains.investment.formulas.figures import CANNOT_BE_STATED, shown
from research.domains.investment.formulas.gates import Stated, gate
from research.domains.investment.formulas.money import known_unit, money, shown_money
from research.domains.investment.matching import Fund
from research.domains.investment.positions import stated_number
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.change import (
    ChangeArguments,
    Weights,
    one_fund,
    weights_of,
)
from research.domains.investment.tools.given import SOURCE_ARGUMENT, Citable, shown_origin
from research.domains.investment.tools.looked import shown_inputs
from research.domains.investment.tools.schema import Code, DecimalText, decimal
from research.reading.arguments import Arguments, Text, checked, parameters_of

_MAX_RATIOS: Final = 60
_MAX_RATIO: Final = 100
_DOES_NOT_SHOW: Final = (
    "Trading costs, spreads, taxes, performance fees and what the change itself costs; nor whether "
    "a dearer fund earns its cost."
)


class Ratio(Arguments):
    """The expense ratio of one fund."""

    fund: Annotated[Text, Field(description="Source handle, ISIN, ticker or name of the fund.")]
    ratio_pct: Annotated[DecimalText, Field(description='Percent a year, such as "0.20".')]
    source: Annotated[Text, Field(description=SOURCE_ARGUMENT)] = ""


class FundCostsArguments(ChangeArguments):
    """A change, the expense ratios that the sources do not state, and an amount of money."""

    ratios: Annotated[
        list[Ratio],
        Field(
            max_length=_MAX_RATIOS,
            description="Expense ratios that the portfolio and holdings files do not state.",
        ),
    ] = []
    amount: Annotated[
        DecimalText, Field(description='Value of the portfolio, to get money; "" without.')
    ] = ""
    currency: Annotated[
        Text, Field(description='Its currency or unit, such as "EUR" or "GBX"; "" without.')
    ] = ""


@dataclass(frozen=True, slots=True)
class _Known:
    """The ratio of one fund and where it comes from."""

    ratio: Decimal | None
    said_by: str
    source: SourceView | None = None


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, FundCostsArguments)
    book = book_of(sources)
    portfolio = book.needed_portfolio()
    weights = weights_of(book, asked)
    given = _given(book, asked, sources)
    known = [_known(portfolio, fund, given) for fund in weights.funds]
    if all(each.ratio is None or each.said_by == _DIRECT for each in known):
        raise ToolRefused(Code.NO_DATA, "no source and no argument states an expense ratio")
    return _result(book, asked, weights, known)


def _given(
    book: Book, asked: FundCostsArguments, sources: Sequence[SourceView]
) -> Mapping[int, _Known]:
    """Return the ratios of the call, by the identity of their fund."""
    found: dict[int, _Known] = {}
    citable = Citable(sources)
    for one in asked.ratios:
        ratio = decimal(one.ratio_pct)
        if ratio is None or not 0 <= ratio <= _MAX_RATIO:
            raise ToolRefused(Code.BAD_ARGUMENTS, "ratio_pct is a decimal text of 0 to 100")
        fund = one_fund(book, one.fund)
        if id(fund) in found:
            raise ToolRefused(Code.BAD_ARGUMENTS, "two ratios for one fund")
        source = citable.origin(ratio, one.source)
        found[id(fund)] = _Known(ratio, shown_origin(source), source)
    return found


_DIRECT: Final = "held directly: no expense ratio"


def _known(portfolio: SourceView, fund: Fund, given: Mapping[int, _Known]) -> _Known:
    """Return the ratio the call names, else the portfolio's own, else the one of the holdings file."""
    if id(fund) in given:
        return given[id(fund)]
    line = fund.line
    if line and line.expense_ratio_pct is not None:
        return _Known(line.expense_ratio_pct, f"{portfolio.handle} row {line.row}", portfolio)
    if fund.source:
        stated = stated_number(fund.source.reading.summary.get("expense_ratio_pct"))
        return _Known(stated, fund.source.handle if stated is not None else "", fund.source)
    if line and (line.row_class in ("cash", "derivative") or not _may_be_fund(fund)):
        return _Known(Decimal(0), _DIRECT)
    return _Known(None, "")


def _may_be_fund(fund: Fund) -> bool:
    """Whether a line without holdings may be a fund: only what says that it is a security is none."""
    line = fund.line
    if line is None or fund_like(line.name, line.asset_class):
        return True
    return not line.sector and line.asset_class.casefold() not in _SECURITIES


_SECURITIES: Final = frozenset({"share", "shares", "stock", "equity", "common stock", "bond"})


def _result(
    book: Book, asked: FundCostsArguments, weights: Weights, known: Sequence[_Known]
) -> ToolResult:
    ratios = [each.ratio for each in known]
    before, after = weighted_cost(weights.before, ratios), weighted_cost(weights.after, ratios)
    stated = gate(min(before.stated_pct, after.stated_pct))
    inputs = _inputs(book, known)
    result = {
        "formula": FORMULA,
        "level": "fund level: expense ratios of the lines as they stand",
        "denominator": "percent of portfolio weight, a year",
        "weights_sum_pct": {
            "before": shown(sum(weights.before, Decimal(0))),
            "after": shown(sum(weights.after, Decimal(0))),
        },
        "change": weights.change.shown(),
        "stated": stated.value,
        "before_pct": _cost(before, stated),
        "after_pct": _cost(after, stated),
        "change_points": _difference(before, after),
        "money": _money(asked, before, after, stated),
        "ratios": _ratios(weights, known),
        "coverage": {
            "with_a_ratio_pct": shown(min(before.stated_pct, after.stated_pct)),
            "from_sources_pct": shown(_from_sources(weights, known)),
        },
        "bounds": {"before_pct": _bounds(before, stated), "after_pct": _bounds(after, stated)},
        "inputs": shown_inputs(book, inputs),
        "does_not_show": _DOES_NOT_SHOW,
    }
    return ToolResult(shown=result, used=frozenset(each.source_id for each in inputs))


def _inputs(book: Book, known: Sequence[_Known]) -> list[SourceView]:
    """Return the portfolio, then the sources whose ratios entered."""
    found = {each.source.handle: each.source for each in known if each.source and each.said_by}
    portfolio = book.needed_portfolio()
    found.pop(portfolio.handle, None)
    return [portfolio, *found.values()]


def _cost(one: Cost, stated: Stated) -> str:
    """Write a cost; with lines whose ratio nobody states it is a lower bound."""
    if stated is Stated.CANNOT:
        return CANNOT_BE_STATED
    text = shown(one.cost_pct, 4)
    return text if one.complete or stated.as_point else f"{text} or more"


def _difference(before: Cost, after: Cost) -> str:
    """Write the change, rounded from exact figures; unknown ratios may move it either way."""
    if before.complete and after.complete:
        return shown(after.cost_pct - before.cost_pct, 4)
    return CANNOT_BE_STATED


def _bounds(one: Cost, stated: Stated) -> list[str]:
    if stated is Stated.CANNOT:
        return []
    text = shown(one.cost_pct, 4)
    return [text, text if one.complete else "no bound"]


def _money(asked: FundCostsArguments, before: Cost, after: Cost, stated: Stated) -> dict[str, str]:
    amount = decimal(asked.amount)
    if amount is None and not asked.currency:
        return {}
    if amount is None or amount < 0 or not known_unit(asked.currency):
        raise ToolRefused(
            Code.BAD_ARGUMENTS, "amount and currency belong together, such as 1000 and EUR"
        )
    whole = money(amount, asked.currency)
    costs = [in_money(whole.amount, each.cost_pct) for each in (before, after)]
    texts = [shown_money(each, whole.currency) for each in costs]
    if not stated.as_point:
        texts = [CANNOT_BE_STATED] * 2
    return {
        "amount": shown_money(whole.amount, whole.currency),
        "currency": whole.currency,
        "before_a_year": texts[0],
        "after_a_year": texts[1],
    }


def _ratios(weights: Weights, known: Sequence[_Known]) -> list[dict[str, Any]]:
    return [
        {
            "name": fund.name,
            "ratio_pct": "not stated" if each.ratio is None else f"{each.ratio:f}",
            "said_by": each.said_by,
            "weight_before_pct": shown(before),
            "weight_after_pct": shown(after),
        }
        for fund, each, (before, after) in zip(weights.funds, known, weights.both(), strict=True)
    ][:_MAX_RATIOS]


def _from_sources(weights: Weights, known: Sequence[_Known]) -> Decimal:
    """Return how much weight has a ratio that a source states, the lower of before and after."""
    ratios = [each.ratio if each.source or each.said_by == _DIRECT else None for each in known]
    sides = (weighted_cost(side, ratios) for side in (weights.before, weights.after))
    return min(each.stated_pct for each in sides)


FUND_COSTS: Final = Tool(
    name="fund_costs",
    version="1",
    description=(
        "Compute the weighted expense ratio of the portfolio before and after a change, and what "
        "it is in money. Ratios come from the files; where they state none, name them with the "
        "source that does."
    ),
    parameters=parameters_of(FundCostsArguments),
    run=_run,
)
