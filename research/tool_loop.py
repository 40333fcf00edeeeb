"""Run the tools that an answer asks for: outside any transaction, on immutable rows.

Source: design.md D7 step 3, D15, D16.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bullbear.boundedjson import JsonRefused, parse
from bullbear.transactions import outside_transaction
from research.authority import may_use
from research.citations import Shown, resolve
from research.completions import AskedTool
from research.domain import Domain, SourceView, Tool, ToolRefused, ToolResult

SECONDS_FOR_ALL = 2.0
_SOURCE = re.compile(r'"(S[1-9][0-9]{0,3})"')
_POOL = ThreadPoolExecutor(max_workers=8, thread_name_prefix="tool")


class ToolRefusal(StrEnum):
    """Why the host refused a tool call; a domain's tools add codes of their own."""

    UNKNOWN_TOOL = "unknown_tool"
    NOT_AUTHORIZED = "not_authorized"
    BAD_ARGUMENTS = "bad_arguments"
    TOOL_BUDGET = "tool_budget"
    TOOL_TOO_SLOW = "tool_too_slow"


@dataclass(frozen=True, slots=True)
class RanTool:
    """One tool call and what came of it: `text` is the projection that a model is shown."""

    index: int
    name: str
    version: str
    text: str
    refusal: str
    used: frozenset[str]
    cited: frozenset[str] = frozenset()  # lineage of the records whose figures it was given


def named_sources(asked: Sequence[AskedTool]) -> frozenset[str]:
    """Name the source handles that tool calls are given as an argument of their own."""
    found = {handle for one in asked for handle in _SOURCE.findall(one.arguments)}
    return frozenset(found)


@outside_transaction
def run_tools(
    asked: Sequence[AskedTool],
    *,
    domain: Domain,
    authorization: Mapping[str, Any],
    sources: Sequence[SourceView],
    allowed: int,
    shown: Mapping[str, Sequence[Shown]] = {},
) -> list[RanTool]:
    """Run tool calls in order, in two seconds in all.

    Args:
        asked: what the answer asks for.
        domain: whose tools they are.
        authorization: of the execution that asks.
        sources: what it may read.
        allowed: how many calls its request reserved.
        shown: by handle, what stood in the request that asks: figures of it may be arguments.
    """
    end = time.monotonic() + SECONDS_FOR_ALL
    tools = {tool.name: tool for tool in domain.tools}
    ran = []
    for index, one in enumerate(asked):
        tool = tools.get(one.name)
        try:
            given = _checked(one, tool, authorization, within_budget=index < allowed)
            cited = resolve(given, shown)
            result = _bounded(tool, cited.arguments, sources, end)
            ran.append(_ran(index, one.name, tool, result, cited.lineage))
        except ToolRefused as refused:
            ran.append(_refused(index, one.name, tool, refused.code))
    return ran


def _checked(
    one: AskedTool, tool: Tool | None, authorization: Mapping[str, Any], *, within_budget: bool
) -> Mapping[str, Any]:
    if not within_budget:
        raise ToolRefused(ToolRefusal.TOOL_BUDGET, "no tool call is left")
    if tool is None:
        raise ToolRefused(ToolRefusal.UNKNOWN_TOOL, "there is no such tool")
    if not may_use(authorization, tool.name):
        raise ToolRefused(ToolRefusal.NOT_AUTHORIZED, "this tool was not issued")
    try:
        arguments = parse(one.arguments).value
    except JsonRefused as error:
        raise ToolRefused(ToolRefusal.BAD_ARGUMENTS, str(error)) from error
    if not isinstance(arguments, dict):
        raise ToolRefused(ToolRefusal.BAD_ARGUMENTS, "arguments are an object")
    return arguments


def _bounded(
    tool: Tool | None, arguments: Mapping[str, Any], sources: Sequence[SourceView], end: float
) -> ToolResult:
    if tool is None:
        raise AssertionError("checked before")
    left = end - time.monotonic()
    try:
        return _POOL.submit(tool.run, arguments, sources).result(timeout=max(left, 0.001))
    except TimeoutError as error:
        raise ToolRefused(ToolRefusal.TOOL_TOO_SLOW, "the time for tools is over") from error


def _ran(
    index: int, name: str, tool: Tool | None, result: ToolResult, cited: frozenset[str]
) -> RanTool:
    text = json.dumps(result.shown, ensure_ascii=False)
    return RanTool(index, name[:64], tool.version if tool else "", text, "", result.used, cited)


def _refused(index: int, name: str, tool: Tool | None, code: str) -> RanTool:
    text = json.dumps({"error": str(code)})
    version = tool.version if tool else ""
    return RanTool(index, name[:64], version, text, str(code), frozenset())
