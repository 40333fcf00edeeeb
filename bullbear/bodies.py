"""Write a request body and say where each text stands in it.

A body is UTF-8 JSON, not ASCII-escaped.  A *piece* is a text inside some JSON string; its slice is exactly
the JSON string content of that text, so a reader can cut it out, decode it and compare it with its record.

Source: design.md D4, D8.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that stands in a request: of a record, or (without a kind) the host's own."""

    text: str
    kind: str = ""
    record: str = ""
    lineage: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Pieces:
    """One JSON string made of pieces, in order."""

    items: tuple[Piece, ...]


# A body before it is written: JSON whose strings may be `Pieces`.
Draft: TypeAlias = "bool | int | str | Pieces | Sequence[Draft] | Mapping[str, Draft] | None"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a piece of a record stands, in bytes of the body."""

    piece: Piece
    start: int
    end: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Body:
    """Finished bytes with the spans of their pieces."""

    raw: bytes
    spans: tuple[Span, ...]

    @property
    def sha256(self) -> str:
        """The digest of the wire bytes, in hex."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def lineage(self) -> frozenset[str]:
        """All labels that any text of an answer may depend on."""
        return frozenset().union(*(span.piece.lineage for span in self.spans))


def write(draft: Mapping[str, Draft]) -> Body:
    """Write a draft as UTF-8 JSON, keys in the order given.

    Raises:
        UnicodeEncodeError: a text holds a lone surrogate.
        TypeError: something is not JSON.
    """
    out = bytearray()
    spans: list[Span] = []
    _write(draft, out, spans)
    return Body(bytes(out), tuple(spans))


def read_slice(raw: bytes, start: int, end: int) -> str:
    """Decode the slice of a body back to the text it stands for.

    Raises:
        ValueError: it is not the content of a JSON string.
    """
    text = json.loads(b'"' + raw[start:end] + b'"')
    if not isinstance(text, str):
        raise TypeError("a slice is a string")
    return text


def _write(draft: Any, out: bytearray, spans: list[Span]) -> None:
    match draft:
        case Pieces():
            out += b'"'
            for piece in draft.items:
                _write_piece(piece, out, spans)
            out += b'"'
        case Mapping():
            _write_items(list(draft.items()), out, spans)
        case list() | tuple():
            out += b"["
            for index, item in enumerate(draft):
                out += b"," if index else b""
                _write(item, out, spans)
            out += b"]"
        case None | bool() | int() | str():
            out += json.dumps(draft, ensure_ascii=False).encode()
        case _:
            raise TypeError(f"{type(draft).__name__} in a request body")


def _write_items(items: list[tuple[Any, Any]], out: bytearray, spans: list[Span]) -> None:
    out += b"{"
    for index, (key, value) in enumerate(items):
        if not isinstance(key, str):
            raise TypeError(f"{type(key).__name__} as a key of a request body")
        out += b"," if index else b""
        out += json.dumps(key, ensure_ascii=False).encode() + b":"
        _write(value, out, spans)
    out += b"}"


def _write_piece(piece: Piece, out: bytearray, spans: list[Span]) -> None:
    start = len(out)
    raw = json.dumps(piece.text, ensure_ascii=False)[1:-1].encode()
    out += raw
    if piece.kind:
        spans.append(Span(piece, start, len(out), hashlib.sha256(raw).hexdigest()))
