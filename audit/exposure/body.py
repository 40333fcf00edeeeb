"""Decode a sealed body into messages without losing where its parts stand.

Each part's slice is cut out of the bytes and a token nobody could guess is put in its place; the rest is
parsed as JSON, and the tokens say where in which string each part stood.

Source: design.md D4 (a slice is the JSON string content of its text).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullbear.models import RequestPart


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text inside a message: the host's own, or (with an ordinal) a part."""

    text: str
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One message of the conversation: its role and what it is made of."""

    role: str
    segments: Sequence[Segment]
    tools: Sequence[tuple[str, Sequence[Segment]]] = ()  # a tool's name and its arguments
    answers: str = ""  # the id of the tool call it answers


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as its reader sees it.

    Args:
        lines: its messages, in order.
        settings: the other keys that are plain values.
        tools: name and description of each tool it offers, and the schema of its arguments as JSON.
        answer_form: the structured output it asks for, as JSON.
        placed: ordinals of the parts that were found inside a message.
    """

    lines: Sequence[Line]
    settings: Mapping[str, str] = field(default_factory=dict)
    tools: Sequence[tuple[str, str, str]] = ()
    answer_form: str = ""
    placed: frozenset[int] = frozenset()


def decode(raw: bytes, parts: Sequence[RequestPart], token: str) -> Decoded:
    """Decode a body.

    Args:
        raw: the sealed bytes.
        parts: what stands where in them.
        token: random, so that no text can imitate the place of a part.

    Raises:
        ValueError: the bytes are not JSON, or a part does not lie inside a string.
    """
    marked = bytearray()
    at = 0
    for part in sorted(parts, key=lambda one: one.byte_start):
        if part.byte_start < at:
            raise ValueError(f"part {part.ordinal} overlaps the one before it")
        marked += raw[at : part.byte_start] + f"{token}:{part.ordinal};".encode()
        at = part.byte_end
    marked += raw[at:]
    body = json.loads(bytes(marked))
    lines = [_line(one, token) for one in body["messages"]]
    placed = frozenset(s.part for line in lines for s in _all(line) if s.part is not None)
    return Decoded(
        lines=lines,
        settings={k: str(v) for k, v in body.items() if isinstance(v, str | int | float | bool)},
        tools=[_tool(one["function"]) for one in body.get("tools", ())],
        answer_form=_json(body["response_format"]) if "response_format" in body else "",
        placed=placed,
    )


def _all(line: Line) -> list[Segment]:
    return [*line.segments, *(segment for _, tool in line.tools for segment in tool)]


def _line(message: Mapping[str, Any], token: str) -> Line:
    return Line(
        role=str(message["role"]),
        segments=_segments(message.get("content") or "", token),
        tools=[
            (
                str(one["function"]["name"]),
                _segments(str(one["function"]["arguments"]), token),
            )
            for one in message.get("tool_calls") or ()
        ],
        answers=str(message.get("tool_call_id", "")),
    )


def _segments(text: str, token: str) -> list[Segment]:
    found: list[Segment] = []
    at = 0
    for match in re.finditer(rf"{token}:([0-9]+);", text):
        found.append(Segment(text[at : match.start()]))
        found.append(Segment("", int(match[1])))
        at = match.end()
    found.append(Segment(text[at:]))
    return [one for one in found if one.text or one.part is not None]


def _tool(function: Mapping[str, Any]) -> tuple[str, str, str]:
    return (
        str(function["name"]),
        str(function.get("description", "")),
        _json(function["parameters"]),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
