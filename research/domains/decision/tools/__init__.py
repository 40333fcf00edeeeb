"""The tools a model may call: read-only, one file each; every passage they show is verbatim."""

from __future__ import annotations

from typing import Final

from research.domain import Tool
from research.domains.decision.tools.list_sources import LIST_SOURCES
from research.domains.decision.tools.read_source import READ_SOURCE
from research.domains.decision.tools.search_sources import SEARCH_SOURCES

TOOLS: Final[tuple[Tool, ...]] = (LIST_SOURCES, READ_SOURCE, SEARCH_SOURCES)
