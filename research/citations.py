"""Figures that a tool call takes from what its author was shown: `[[M4:23.00]]`, `[[T2.after_pct]]`.

What a model sees of a record is a projection.  The host does not believe it back: it finds the record that
produced it, compares digests and texts, and takes figure and lineage from that canonical record.

    handle ──▶ part of the asking request ──▶ slice, as sealed? ──▶ record's text, as recorded? ──▶ figure

Source: design.md D14; scenarios H07, H13.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from research.domain import ToolRefused

_CITATION = re.compile(
    r"\[\[([TMC][1-9][0-9]{0,3})(?:\.([A-Za-z_][A-Za-z0-9_]{0,63})|:([^\[\]]{1,64}))\]\]"
)


class CitationRefusal(StrEnum):
    """Why a cited figure is no input: without handles, ids or titles."""

    UNKNOWN_REFERENCE = (
        "unknown_reference"  # nothing of this handle stands in the request that asks
    )
    ALTERED_PROJECTION = (
        "altered_projection"  # what was shown is not, byte for byte, what is on record
    )
    EMPTY_PROJECTION = "empty_projection"  # nothing stands there: a gap, never "verified"
    UNKNOWN_FIGURE = "unknown_figure"  # the record holds no such figure


@dataclass(frozen=True, slots=True)
class Shown:
    """A record as it stands in a request, beside what is on record of it.

    Args:
        piece: the slice of the sealed body.
        piece_sha256: what its part says the slice was, in hex.
        text: the canonical record's text.
        is_whole: whether that text has the digest that its record names.
        lineage: of the canonical record.
    """

    piece: bytes
    piece_sha256: str
    text: str
    is_whole: bool
    lineage: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cited:
    """Arguments with their figures in place, and the lineage of the records that these come from."""

    arguments: Mapping[str, Any]
    lineage: frozenset[str]


def cited_handles(arguments: Iterable[str]) -> frozenset[str]:
    """Name the handles that the arguments of tool calls, as raw JSON texts, take figures from."""
    return frozenset(match[1] for one in arguments for match in _CITATION.finditer(one))


def resolve(arguments: Mapping[str, Any], shown: Mapping[str, Sequence[Shown]]) -> Cited:
    """Put the figures that arguments cite in the place of their citations.

    Args:
        arguments: of one tool call.
        shown: by handle, every place of the asking request where that record stands.

    Raises:
        ToolRefused: with a `CitationRefusal`.
    """
    lineage: set[str] = set()

    def figure(match: re.Match[str]) -> str:
        places = shown.get(match[1], ())
        if not places:
            raise _refused(CitationRefusal.UNKNOWN_REFERENCE)
        for place in places:
            check_projection(place)
            lineage.update(place.lineage)
        text = places[0].text
        return _field(text, match[2]) if match[2] else _in_words(text, match[3])

    def put(value: Any) -> Any:
        match value:
            case str():
                return _CITATION.sub(figure, value)
            case list():
                return [put(one) for one in value]
            case dict():
                return {key: put(one) for key, one in value.items()}
            case _:
                return value

    return Cited({key: put(one) for key, one in arguments.items()}, frozenset(lineage))


def check_projection(place: Shown) -> None:
    """Check that a projection is, to the byte, what its canonical record says.

    Raises:
        ToolRefused: it was altered, or is empty.
    """
    if hashlib.sha256(place.piece).hexdigest() != place.piece_sha256 or not place.is_whole:
        raise _refused(CitationRefusal.ALTERED_PROJECTION)
    try:
        said = json.loads(b'"' + place.piece + b'"')
    except ValueError as error:
        raise _refused(CitationRefusal.ALTERED_PROJECTION) from error
    if said != place.text:
        raise _refused(CitationRefusal.ALTERED_PROJECTION)
    if not place.text.strip():
        raise _refused(CitationRefusal.EMPTY_PROJECTION)


def _field(text: str, name: str) -> str:
    """Return a field of a tool result."""
    try:
        result = json.loads(text)
    except ValueError:
        result = None
    value = result.get(name) if isinstance(result, dict) else None
    if value == "":
        raise _refused(CitationRefusal.EMPTY_PROJECTION)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _refused(CitationRefusal.UNKNOWN_FIGURE)
    return str(value)


def _in_words(text: str, figure: str) -> str:
    """Return a figure that stands in a text as a number of its own."""
    alone = rf"(?<![0-9])(?<![0-9][.,]){re.escape(figure)}(?![.,]?[0-9])"
    if not any(one.isdigit() for one in figure) or not re.search(alone, text):
        raise _refused(CitationRefusal.UNKNOWN_FIGURE)
    return figure


def _refused(code: CitationRefusal) -> ToolRefused:
    return ToolRefused(code, "a cited figure is no input")
