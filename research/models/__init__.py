"""The rows of what an execution does alone."""

from research.models.opening import Finding, Opening, Plan
from research.models.source import ParseReport, RootSource, ScopeGrant, Source
from research.models.toolcall import ToolCall

__all__ = [
    "Finding",
    "Opening",
    "ParseReport",
    "Plan",
    "RootSource",
    "ScopeGrant",
    "Source",
    "ToolCall",
]
