"""The tools a model may call: read-only, one file each, listed here.

    list_sources, read_source, search_sources   what there is to read
    look_through, concentration, overlap        what the files add up to
    fund_costs, volatility_effect               what follows from figures that a source or a caller states

`schema` says why they refuse, `book` what they compute on, `change` the change of weights they all take,
`looked` the look-through behind several of them, `given` figures that a caller puts in.
"""

from __future__ import annotations

from typing import Final

from research.domain import Tool
from research.domains.investment.tools.concentration import CONCENTRATION
from research.domains.investment.tools.fund_costs import FUND_COSTS
from research.domains.investment.tools.list_sources import LIST_SOURCES
from research.domains.investment.tools.look_through import LOOK_THROUGH
from research.domains.investment.tools.overlap import OVERLAP
from research.domains.investment.tools.read_source import READ_SOURCE
from research.domains.investment.tools.search_sources import SEARCH_SOURCES
from research.domains.investment.tools.volatility_effect import VOLATILITY_EFFECT

TOOLS: Final[tuple[Tool, ...]] = (
    LIST_SOURCES,
    READ_SOURCE,
    SEARCH_SOURCES,
    LOOK_THROUGH,
    CONCENTRATION,
    OVERLAP,
    FUND_COSTS,
    VOLATILITY_EFFECT,
)
