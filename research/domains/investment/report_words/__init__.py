"""How a report shows the figures of this domain's tools, and the line it carries on every page.

One file for each kind of table; tools that list sources and rows have none.

Source: design.md D13 (numbers table), D16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from research.domain import FigureTable, Json, ReportWords
from research.domains.investment.report_words import (
    concentrations,
    costs,
    exposure,
    overlaps,
    volatilities,
)
from research.domains.investment.tools.concentration import CONCENTRATION
from research.domains.investment.tools.fund_costs import FUND_COSTS
from research.domains.investment.tools.look_through import LOOK_THROUGH
from research.domains.investment.tools.overlap import OVERLAP
from research.domains.investment.tools.volatility_effect import VOLATILITY_EFFECT

_TABLES: Final[Mapping[str, Callable[[Json], FigureTable]]] = {
    LOOK_THROUGH.name: exposure.table,
    CONCENTRATION.name: concentrations.table,
    OVERLAP.name: overlaps.table,
    FUND_COSTS.name: costs.table,
    VOLATILITY_EFFECT.name: volatilities.table,
}


def table(name: str, result: Json) -> FigureTable | None:
    """Show the figures of a tool result; a refusal has none."""
    of_tool = _TABLES.get(name)
    return of_tool(result) if of_tool and "formula" in result else None


REPORT_WORDS: Final = ReportWords(
    disclaimer="Not investment advice; drafted by a model.", table=table
)
