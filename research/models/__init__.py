"""The rows of what an execution does alone."""

from research.models.opening import Finding, Opening, Plan
from research.models.release import Release
from research.models.source import ParseReport, RootSource, ScopeGrant, Source
from research.models.toolcall import ToolCall

__all__ = [
    "Finding",
    "Opening",
    "ParseReport",
    "Plan",
    "Release",
    "RootSource",
    "ScopeGrant",
    "Source",
    "ToolCall",
]
