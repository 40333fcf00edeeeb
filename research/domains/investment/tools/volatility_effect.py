"""The tool `volatility_effect`: what a change does to total volatility, or on what that depends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from research.domain import Json, SourceView, Tool, ToolRefused, ToolResult
from research.domains.investment.formulas.figures import CANNOT_BE_STATED, shown, shown_interval
from research.domains.investment.formulas.funding import PRO_RATA
from research.domains.investment.formulas.gates import Stated
from research.domains.investment.formulas.volatility import FORMULA, Mix
from research.domains.investment.tools.book import Book, book_of
from research.domains.investment.tools.change import ChangeArguments, Weights, weights_of
from research.domains.investment.tools.covariances import (
    Covariance,
    Unit,
    named,
    of_source,
    volatilities,
)
from research.domains.investment.tools.given import SOURCE_ARGUMENT, Citable, shown_origin
from research.domains.investment.tools.looked import shown_inputs
from research.domains.investment.tools.schema import Code, DecimalText, decimal
from research.reading.arguments import Text, checked, parameters_of

_MAX_VOLATILITY: Final = 1000
_MAX_COVARIANCES: Final = 500
_MAX_CORRELATIONS: Final = 12
_EXAMPLES: Final = ("-1.00", "0.00", "0.30", "0.60", "0.85", "0.95", "1.00")
_ONE: Final = Decimal(1)
_DOES_NOT_SHOW: Final = (
    "Whether the volatilities and correlations put in are right or will last, and what the change "
    "returns. Without the correlation the direction of total volatility stays open."
)


class VolatilityArguments(ChangeArguments):
    """A change, and what is known of volatilities: two of them, or all covariances."""

    portfolio_volatility_pct: Annotated[
        DecimalText,
        Field(description='Volatility of the portfolio before the change, percent a year; "".'),
    ] = ""
    fund_volatility_pct: Annotated[
        DecimalText, Field(description='Volatility of the fund, percent a year; "".')
    ] = ""
    correlation: Annotated[
        DecimalText,
        Field(description='Correlation of fund and portfolio, -1 to 1; "" where not known.'),
    ] = ""
    correlations: Annotated[
        list[DecimalText],
        Field(
            max_length=_MAX_CORRELATIONS,
            description="Correlations to show the result for; empty for a few examples.",
        ),
    ] = []
    source: Annotated[Text, Field(description=SOURCE_ARGUMENT)] = ""
    covariance_source: Annotated[
        Text,
        Field(
            description=(
                "Handle of a source that is a covariance matrix, in place of the volatilities; its "
                'names are tickers, ISINs or names of the lines and the fund; "" without.'
            )
        ),
    ] = ""
    covariances: Annotated[
        list[Covariance],
        Field(
            max_length=_MAX_COVARIANCES,
            description="Covariances of all lines and the fund, where no source has them.",
        ),
    ] = []
    covariance_unit: Annotated[
        Unit,
        Field(strict=False, description="The unit of the covariances, which no file states."),
    ] = Unit.PERCENT_A_YEAR


@dataclass(frozen=True, slots=True)
class _Given:
    """The figures of the call, and the source that holds them."""

    mix: Mix
    correlation: Decimal | None
    source: SourceView | None


def _run(arguments: Json, sources: Sequence[SourceView]) -> ToolResult:
    asked = checked(arguments, VolatilityArguments)
    book = book_of(sources)
    book.needed_portfolio()
    weights = weights_of(book, asked)
    if weights.change.fund is None:
        raise ToolRefused(Code.BAD_ARGUMENTS, "name the fund and the points of the change")
    if asked.covariances or asked.covariance_source:
        return _of_covariances(book, asked, weights, sources)
    if weights.change.funding != PRO_RATA:
        raise ToolRefused(
            Code.NO_DATA, "paid by one line, the effect follows only from covariances"
        )
    return _of_two(book, asked, weights, sources)


def _of_two(
    book: Book,
    asked: VolatilityArguments,
    weights: Weights,
    sources: Sequence[SourceView],
) -> ToolResult:
    given = _given(asked, weights, sources)
    mix, portfolio = given.mix, asked.portfolio_volatility_pct
    between = mix.after_pct(-_ONE), mix.after_pct(_ONE)
    known = given.correlation is not None
    after = mix.after_pct(given.correlation) if given.correlation is not None else None
    figures = {
        "stated": (Stated.POINT if known else Stated.BOUNDS).value,
        "before_pct": shown(mix.portfolio_pct),
        "after_pct": shown(after) if after is not None else " to ".join(shown_interval(between)),
        "change_points": shown(after - mix.portfolio_pct)
        if after is not None
        else CANNOT_BE_STATED,
        "direction": _direction(mix, after),
        **_break_even(mix),
        "share_moved_pct": shown(mix.share * 100),
        "by_correlation": [
            {"correlation": text, "after_pct": shown(mix.after_pct(Decimal(text)))}
            for text in asked.correlations or _EXAMPLES
        ],
        "bounds": {
            "before_pct": [shown(mix.portfolio_pct)] * 2,
            "after_pct": [shown(after)] * 2 if after is not None else shown_interval(between),
        },
        "given": [
            {"what": "volatility of the portfolio, percent a year", "value": portfolio},
            {"what": "volatility of the fund, percent a year", "value": asked.fund_volatility_pct},
            {"what": "correlation of both", "value": asked.correlation or "not known"},
        ],
    }
    return _result(book, weights, figures, given.source)


def _given(asked: VolatilityArguments, weights: Weights, sources: Sequence[SourceView]) -> _Given:
    portfolio = decimal(asked.portfolio_volatility_pct)
    fund = decimal(asked.fund_volatility_pct)
    if portfolio is None or fund is None:
        raise ToolRefused(Code.NO_DATA, "no volatility is given, and none follows from weights")
    if not (0 < portfolio <= _MAX_VOLATILITY and 0 < fund <= _MAX_VOLATILITY):
        raise ToolRefused(Code.BAD_ARGUMENTS, "a volatility is above 0 and at most 1000 percent")
    correlation = decimal(asked.correlation)
    others = [Decimal(each or 2) for each in (*asked.correlations, asked.correlation or "0")]
    if any(abs(each) > 1 for each in others):
        raise ToolRefused(Code.BAD_ARGUMENTS, "a correlation is -1 to 1")
    given = [value for value in (portfolio, fund, correlation) if value is not None]
    citable = Citable(sources)
    cited = [citable.origin(value, asked.source) for value in given]
    return _Given(Mix(_share(weights), portfolio, fund), correlation, cited[0])


def _share(weights: Weights) -> Decimal:
    """Return the share of everything that goes into the fund, the rest staying in proportion.

    A fund that is held already grows by its points; the others give them, and all of the old portfolio is
    scaled by the same factor.
    """
    held = weights.change.fund.line if weights.change.fund else None
    total = sum(weights.before, Decimal(0))
    others = total - (held.weight_pct if held else 0)
    return weights.change.points / others


def _direction(mix: Mix, after: Decimal | None) -> str:
    """Say in one word which way it goes, as far as that is known."""
    if after is not None:
        return "rises" if after > mix.portfolio_pct else "falls or stays"
    if mix.after_pct(_ONE) < mix.portfolio_pct:
        return "falls at any correlation"
    if mix.after_pct(-_ONE) > mix.portfolio_pct:
        return "rises at any correlation"
    return "open: it depends on the correlation"


def _break_even(mix: Mix) -> dict[str, str]:
    found = mix.break_even()
    if found is None or abs(found) > 1:
        return {"break_even_correlation": "none", "break_even_reading": "No correlation is one."}
    text = shown(found, 4)
    return {
        "break_even_correlation": text,
        "break_even_reading": (
            f"At a correlation of {text} total volatility stays; below it falls, above it rises."
        ),
    }


def _of_covariances(
    book: Book,
    asked: VolatilityArguments,
    weights: Weights,
    sources: Sequence[SourceView],
) -> ToolResult:
    source = None
    if asked.covariance_source:
        source = next((each for each in sources if each.handle == asked.covariance_source), None)
        if source is None or source.reading.kind != "covariance":
            raise ToolRefused(Code.UNKNOWN_SOURCE, "no covariance matrix has this handle")
    known = of_source(source, weights.funds) if source else named(book, asked.covariances)
    before, after = volatilities(weights, known, asked.covariance_unit)
    figures: dict[str, Any] = {
        "stated": Stated.POINT.value,
        "before_pct": shown(before),
        "after_pct": shown(after),
        "change_points": shown(after - before),
        "direction": "rises" if after > before else "falls or stays",
        "bounds": {"before_pct": [shown(before)] * 2, "after_pct": [shown(after)] * 2},
        "given": [
            {
                "what": "unit of the covariances, as the call says",
                "value": asked.covariance_unit.value,
            }
        ],
    }
    return _result(book, weights, figures, source)


def _result(book: Book, weights: Weights, figures: Json, source: SourceView | None) -> ToolResult:
    portfolio = book.needed_portfolio()
    inputs = [portfolio, *([source] if source and source is not portfolio else [])]
    origins = [
        {"source": "weights", "from": portfolio.handle},
        {"source": "volatilities and correlations", "from": shown_origin(source)},
    ]
    result = {
        "formula": FORMULA,
        "level": "fund level: the portfolio and the fund as two wholes",
        "denominator": "percent a year, standard deviation of the total",
        "change": weights.change.shown(),
        **figures,
        "origins": origins,
        "inputs": shown_inputs(book, [portfolio])
        + [
            {"source": each.handle, "as_of": each.reading.as_of, "rows": "cited"}
            for each in inputs[1:]
        ],
        "does_not_show": _DOES_NOT_SHOW,
    }
    return ToolResult(shown=result, used=frozenset(each.source_id for each in inputs))


VOLATILITY_EFFECT: Final = Tool(
    name="volatility_effect",
    version="1",
    description=(
        "Compute what a change does to the total volatility of the portfolio from volatilities "
        "that you name with their source, and the break-even correlation above which it rises. "
        "Without the correlation the direction stays open."
    ),
    parameters=parameters_of(VolatilityArguments),
    run=_run,
)
