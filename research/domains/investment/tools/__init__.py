"""The tools a model may call: read-only, one file each, listed here."""

from __future__ import annotations

from typing import Final

from research.domain import Tool
from research.domains.investment.tools.list_sources import LIST_SOURCES
from research.domains.investment.tools.look_through import LOOK_THROUGH
from research.domains.investment.tools.read_source import READ_SOURCE

TOOLS: Final[tuple[Tool, ...]] = (LIST_SOURCES, READ_SOURCE, LOOK_THROUGH)
