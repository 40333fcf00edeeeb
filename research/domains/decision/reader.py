"""Bytes to passages: Markdown, plain text and the text of a PDF, told by content and never by name.

Each passage has its number, the row where it begins, the headings above it and its words, verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from research.domain import Json, Reading, Unreadable
from research.reading import document, pdf
from research.reading.containers import Container, container_of, refusal, refuse_html
from research.reading.encoding import decode

ADVICE: Final = "save it as plain text, Markdown or PDF"
BETWEEN_HEADINGS: Final = " > "
_HEADING: Final = re.compile(r"(#{1,6})\s+(\S.*)")
_HEADINGS_OF_A_DOCUMENT: Final = 2  # with fewer, a text is a note


def read(raw: bytes, title: str) -> Reading:  # noqa: ARG001 - a file is what it holds, not its name
    """Read a text.

    Raises:
        Unreadable: the bytes hold no text that is read here; the message says what they are.
    """
    container = container_of(raw, advice=ADVICE)
    if container is Container.PDF:
        reading = pdf.read(raw)
    elif container is Container.TEXT:
        text = decode(raw)
        refuse_html(text.head(), raw)
        reading = document.read_text(text.whole(), text.findings)
    else:
        raise refusal(f"a workbook ({container}), which no reader here reads; {ADVICE}", raw)
    if not reading.rows:
        raise Unreadable(
            f"it holds no text (white space or pictures only); {ADVICE}", first_bytes=raw
        )
    rows = tuple(_numbered(reading.rows))
    headings = sum(is_heading(row) for row in rows)
    is_note = container is Container.TEXT and headings < _HEADINGS_OF_A_DOCUMENT
    return replace(reading, kind="note" if is_note else "document", rows=rows)


def is_heading(row: Json) -> bool:
    """Whether a passage is itself a heading."""
    found = _HEADING.fullmatch(str(row["text"]))
    return found is not None and str(row.get("path", "")).split(BETWEEN_HEADINGS)[-1] == found[2]


def _numbered(rows: Iterable[Json]) -> Iterator[Json]:
    """Give each passage its number and, in place of the nearest heading, all those above it."""
    above: list[tuple[int, str]] = []
    for number, row in enumerate(rows, start=1):
        passage: dict[str, Any] = {"number": number, **row}
        heading = passage.pop("heading", "")
        found = _HEADING.fullmatch(row["text"]) if heading else None
        if found and found[2] == heading:
            above = [one for one in above if one[0] < len(found[1])]
            above.append((len(found[1]), heading))
        if above:
            passage["path"] = BETWEEN_HEADINGS.join(name for _, name in above)
        yield passage
