"""The tool `concentration`: HHI, effective number and ten largest, of the lines or of what is behind them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.formulas.buckets import Dimension
from research.domains.investment.formulas.concentration import FORMULA, Concentration
from research.domains.investment.formulas.figures import as_stated, shown
from research.domains.investment.formulas.gates import Stated
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.change import (
    ChangeArguments,
    Weights,
    alone,
    one_fund,
    weights_of,
)
from research.domains.investment.tools.look_through_result import (
    bounds_beside,
    largest,
    level_bounds_of,
    level_of,
    names_of,
)
from research.domains.investment.tools.looked import (
    Looked,
    look,
    notes_of,
    shown_inputs,
    taxonomy_of,
)
from research.domains.investment.tools.schema import Code
from research.reading.arguments import Text, checked, parameters_of

_LARGEST: Final = 10
_ZERO: Final = Decimal(0)


class Level(StrEnum):
    """What is counted as one."""

    LINES = "lines"  # the fund level: each line as it stands
    SECTOR = "sector"
    ASSET_CLASS = "asset_class"
    SECURITY = "security"


_TOLD: Final = {
    Level.LINES: "fund level: the lines as they stand, not looked through",
    Level.SECTOR: "look-through by sector",
    Level.ASSET_CLASS: "look-through by asset class",
    Level.SECURITY: "look-through by security",
}
_DOES_NOT_SHOW: Final = {
    True: (
        "What is inside the lines: two funds of the same securities count as two. Concentration of "
        "weights is also no measure of how much they move, or move together."
    ),
    False: (
        "How much the weights move, or move together: concentration counts weights at this level "
        "and nothing else."
    ),
}


class ConcentrationArguments(ChangeArguments):
    """The level, and what is looked at: the portfolio before and after a change, or one fund."""

    level: Annotated[
        Level,
        Field(
            strict=False,
            description="What counts as one: a line (fund level), or what is behind the lines.",
        ),
    ]
    of: Annotated[
        Text,
        Field(description='A fund to look at alone; "" for the portfolio.'),
    ] = ""


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, ConcentrationArguments)
    book = book_of(sources)
    if asked.of:
        return _of_fund(book, asked)
    book.needed_portfolio()
    return _result(book, asked.level, weights_of(book, asked), "portfolio")


def _of_fund(book: Book, asked: ConcentrationArguments) -> ToolResult:
    if asked.fund or asked.points:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, "a fund alone has no change: leave fund and points empty"
        )
    if asked.level is Level.LINES:
        raise ToolRefused(
            Code.BAD_ARGUMENTS, "a fund has no lines: choose security, sector or asset class"
        )
    fund = one_fund(book, asked.of)
    if fund.source is None:
        raise ToolRefused(
            Code.NO_HOLDINGS, "no file among your sources lists what this fund holds"
        )
    return _result(book, asked.level, alone(fund), fund.name)


def _result(book: Book, level: Level, weights: Weights, of: str) -> ToolResult:
    at_lines = level is Level.LINES
    looked = look(book, Dimension.SECURITY if at_lines else Dimension(level.value), weights)
    if not at_lines and not any(bucket.known for bucket in looked.after.buckets):
        raise ToolRefused(Code.NO_DATA, "the files hold no label for this level")
    inputs = looked.inputs[:1] if at_lines else looked.inputs
    measured = _lines(looked) if at_lines else _level(looked)
    shown_result = {
        "formula": FORMULA,
        "of": of,
        "level": _TOLD[level],
        "taxonomy": "" if at_lines else taxonomy_of(looked.dimension, inputs),
        "denominator": f"percent of {'portfolio' if weights.of_portfolio else 'fund'} weight",
        "weights_sum_pct": {
            "before": shown(looked.before.lines.sum_pct if at_lines else looked.before.net_pct),
            "after": shown(looked.after.lines.sum_pct if at_lines else looked.after.net_pct),
        },
        "change": weights.change.shown(),
        **measured,
        "inputs": shown_inputs(book, inputs),
        "notes": [] if at_lines else notes_of(looked),
        "does_not_show": _DOES_NOT_SHOW[at_lines],
    }
    return ToolResult(shown=shown_result, used=frozenset(each.source_id for each in inputs))


def _lines(looked: Looked) -> dict[str, Any]:
    """Write the concentration of the lines; what is in them does not enter."""
    pairs = list(zip(looked.weights.funds, looked.weights.both(), strict=True))
    pairs.sort(key=lambda each: -each[1][1])
    fresh = shown(looked.coverage.fresh_pct)
    return {
        "stated": Stated.POINT.value,
        "before": _measures(looked.before.lines),
        "after": _measures(looked.after.lines),
        "bounds": {
            "before": _no_bounds(looked.before.lines),
            "after": _no_bounds(looked.after.lines),
        },
        "largest": [
            {"name": fund.name, "before_pct": shown(before), "after_pct": shown(after)}
            for fund, (before, after) in pairs[:_LARGEST]
        ],
        "coverage": {"looked_through_pct": "0.00", "classified_pct": "100.00", "fresh_pct": fresh},
    }


def _measures(one: Concentration) -> dict[str, Any]:
    return {
        "count": one.count,
        "hhi": shown(one.hhi, 5),
        "effective_n": shown(one.effective_n),
        "top_ten_pct": shown(one.top_ten_pct),
    }


def _no_bounds(one: Concentration) -> dict[str, list[str]]:
    return {
        "hhi": [shown(one.hhi, 5)] * 2,
        "effective_n": [shown(one.effective_n)] * 2,
    }


def _level(looked: Looked) -> dict[str, Any]:
    """Write the concentration of the buckets, in the form the coverage allows."""
    stated = looked.stated
    return {
        "stated": stated.value,
        "before": {"count": looked.before.level.count, **level_of(looked.before, stated)},
        "after": {"count": looked.after.level.count, **level_of(looked.after, stated)},
        "bounds": {
            "before": level_bounds_of(looked.before, stated),
            "after": level_bounds_of(looked.after, stated),
        },
        "largest": _largest(looked, stated),
        "coverage": looked.coverage.shown(),
    }


def _largest(looked: Looked, stated: Stated) -> list[dict[str, Any]]:
    if stated is Stated.CANNOT:
        return []
    before, after = looked.before, looked.after
    first = largest(looked, _LARGEST, known=True)
    names = names_of(looked, first)
    return [
        {
            "name": names[each],
            "before_pct": as_stated(before.buckets.get(each, _ZERO), before.bounds(each), stated),
            "after_pct": as_stated(after.buckets.get(each, _ZERO), after.bounds(each), stated),
            **bounds_beside(looked, each, stated),
        }
        for each in first
    ]


CONCENTRATION: Final = Tool(
    name="concentration",
    version="1",
    description=(
        "Measure how concentrated the portfolio is before and after a change, or one fund alone: "
        "HHI (sum of squared shares), effective number and ten largest, at the level you name. The "
        "fund level and the look-through may point in different directions."
    ),
    parameters=parameters_of(ConcentrationArguments),
    run=_run,
)
