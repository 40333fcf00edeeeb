"""Recognise what is no table of positions, by content and never by file name."""

from __future__ import annotations

import re
from typing import Final

from research.domain import Unreadable
from research.domains.investment.readers.limits import MAX_BYTES

_SIGNATURES: Final = (
    (b"PK\x03\x04", "a ZIP container (an XLSX workbook or an archive)"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an OLE container (an XLS workbook or an old Office file)",
    ),
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
)
_HTML: Final = re.compile(r"<(!doctype html|html|head|body)\b", re.IGNORECASE)
_MARKUP: Final = (
    (re.compile(r"<\?xml|<[A-Za-z][\w:.-]*(\s[^<>]*)?/?>"), "an XML document"),
    (re.compile(r"\{\s*(\"|\})|\[\s*[\[{\"\]\d-]"), "a JSON document"),
)


def refuse_bytes(raw: bytes) -> None:
    """Refuse an empty or oversized file and known binary formats.

    Raises:
        Unreadable: naming what the bytes are.
    """
    if not raw:
        raise Unreadable("the file is empty (0 bytes)")
    if len(raw) > MAX_BYTES:
        raise Unreadable(
            f"the file has {len(raw):,} bytes, more than the limit of {MAX_BYTES:,}",
            first_bytes=raw,
        )
    for signature, what in _SIGNATURES:
        if raw.startswith(signature):
            raise _refusal(f"{what}, which no reader here reads; save the table as CSV", raw)


def refuse_text(text: str, raw: bytes) -> None:
    """Refuse text without content, and text in another format than a delimited table.

    Raises:
        Unreadable: naming what the text is, with the first bytes.
    """
    start = text.lstrip()[:1024]
    if not start:
        raise Unreadable("the file is empty (white space only)", first_bytes=raw)
    if _HTML.match(start):
        raise _refusal("an HTML page, as a blocked or moved download leaves behind", raw)
    for pattern, what in _MARKUP:
        if pattern.match(start):
            raise _refusal(f"{what}, which no reader here reads; save the table as CSV", raw)


def _refusal(what: str, raw: bytes) -> Unreadable:
    return Unreadable(f"this is {what}; it begins with {raw[:40]!r}", first_bytes=raw)
