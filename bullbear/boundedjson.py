"""Parse JSON that a stranger wrote, within bounds, and say by code what is wrong with it.

Python's parser takes what this one refuses: duplicate keys (the last one wins silently), NaN and
Infinity, UTF-16, numbers of any length, nesting up to the recursion limit.  Depth is counted
before the parser sees the text, so a hostile answer never ends in a RecursionError.

Source: design.md D8; scenarios.md F07, F10 to F12.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn


class JsonFault(StrEnum):
    """Why a text is not taken as JSON."""

    TOO_LARGE = "too_large"  # more bytes than the limit
    BYTE_ORDER_MARK = "byte_order_mark"  # RFC 8259 forbids it
    INVALID_UTF8 = "invalid_utf8"  # also: cut inside a character
    NOT_JSON = "not_json"  # empty, cut, HTML, prose around it
    TOO_DEEP = "too_deep"  # nested deeper than the limit
    TOO_MANY_KEYS = "too_many_keys"  # more keys, or more objects and arrays, than the limit
    DUPLICATE_KEY = "duplicate_key"  # one object names a key twice: two readings
    NOT_A_NUMBER = "not_a_number"  # NaN, Infinity or -Infinity
    NUMBER_TOO_LONG = "number_too_long"  # more characters than the limit
    NUMBER_OUT_OF_RANGE = "number_out_of_range"  # such as 1e400, which would become infinite


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of a document is taken.

    Units: `size` in UTF-8 bytes; `depth` in nested objects and arrays; `number` in characters.
    """

    size: int = 2 * 1024 * 1024
    depth: int = 64
    keys: int = 20_000
    number: int = 64


DEFAULT_BOUNDS = Bounds()


class JsonRefused(ValueError):
    """A text is not taken as JSON; `fault` says why."""

    def __init__(self, fault: JsonFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, and whether PostgreSQL could store every text in it."""

    value: Any
    unstorable_text: bool  # a key or string holds NUL or a lone surrogate


_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def parse(source: bytes | str, bounds: Bounds = DEFAULT_BOUNDS) -> Parsed:
    """Parse `source` as one JSON value.

    Args:
        source: UTF-8 bytes, or a string that came out of another JSON document.
        bounds: what is still taken.

    Raises:
        JsonRefused: with the first fault found.
    """
    text = _decoded(source, bounds)
    _check_nesting(text, bounds)
    try:
        value = _decoder(bounds).decode(text)
    except json.JSONDecodeError as error:
        raise JsonRefused(JsonFault.NOT_JSON) from error
    suspect = _SUSPECT.search(text) is not None or _UNSTORABLE.search(text) is not None
    return Parsed(value, unstorable_text=suspect and holds_unstorable_text(value))


def holds_unstorable_text(value: Any) -> bool:
    """Whether a key or string of a parsed value holds NUL or a lone surrogate.

    Source: PostgreSQL manual, 8.14 "JSON Types"; 8.3 "Character Types".
    """
    return any(_UNSTORABLE.search(text) is not None for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            for key, item in value.items():
                yield key
                yield from _texts(item)


def _decoded(source: bytes | str, bounds: Bounds) -> str:
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if len(data) > bounds.size:
        raise JsonRefused(JsonFault.TOO_LARGE)
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonRefused(JsonFault.BYTE_ORDER_MARK)
    if isinstance(source, str):
        return source
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonRefused(JsonFault.INVALID_UTF8) from error


def _check_nesting(text: str, bounds: Bounds) -> None:
    """Count depth and containers outside strings, without parsing."""
    if text.count("[") + text.count("{") <= min(bounds.depth, bounds.keys):
        return
    depth = opened = 0
    for mark in _MARKS.finditer(text):
        match mark[0]:
            case "[" | "{":
                depth += 1
                opened += 1
            case "]" | "}":
                depth -= 1
        if depth > bounds.depth:
            raise JsonRefused(JsonFault.TOO_DEEP)
        if opened > bounds.keys:
            raise JsonRefused(JsonFault.TOO_MANY_KEYS)


def _decoder(bounds: Bounds) -> json.JSONDecoder:
    """Build a decoder whose hooks refuse what `json` takes."""
    keys = 0

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal keys
        keys += len(pairs)
        if keys > bounds.keys:
            raise JsonRefused(JsonFault.TOO_MANY_KEYS)
        value = dict(pairs)
        if len(value) != len(pairs):
            raise JsonRefused(JsonFault.DUPLICATE_KEY)
        return value

    def integer(text: str) -> int:
        if len(text) > bounds.number:
            raise JsonRefused(JsonFault.NUMBER_TOO_LONG)
        return int(text)

    def fraction(text: str) -> float:
        if len(text) > bounds.number:
            raise JsonRefused(JsonFault.NUMBER_TOO_LONG)
        number = float(text)
        if math.isinf(number):
            raise JsonRefused(JsonFault.NUMBER_OUT_OF_RANGE)
        return number

    return json.JSONDecoder(
        object_pairs_hook=members,
        parse_int=integer,
        parse_float=fraction,
        parse_constant=_not_a_number,
    )


def _not_a_number(_text: str) -> NoReturn:
    raise JsonRefused(JsonFault.NOT_A_NUMBER)
