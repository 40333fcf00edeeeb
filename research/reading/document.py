"""Markdown, plain text and the text of a PDF: passages in order, none of them dropped or shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from research.domain import Reading, Unreadable
from research.reading.dates import NOT_STATED, iso_date
from research.reading.limits import (
    MAX_DOCUMENT_CHARACTERS,
    MAX_PASSAGES,
    PASSAGE_CHARACTERS,
)

PASSAGE: Final = "passage"  # the class of every row of a document
_HEADING: Final = re.compile(r"(#{1,6})\s+(\S.*)")
_HEADINGS: Final = re.compile(r"^#{1,6} \w[^,;|\t]*$", re.MULTILINE)
_FIELD: Final = re.compile(r"([A-Za-z][\w -]{0,40}):\s*(\S.*)")
_DATED: Final = ("as_of", "as of", "date", "updated_at", "updated", "published", "last_modified")
_TITLES: Final = ("title", "name")
_MARKS: Final = re.compile(
    r"^(#{1,6} |[-*+] |> |```|\d+\. )|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\)", re.MULTILINE
)
Passage = dict[str, Any]


def is_markdown(text: str) -> bool:
    """Whether a text has front matter or a heading, as no table has."""
    return text.startswith("---\n") or _HEADINGS.search(text) is not None


def read_text(text: str, findings: tuple[str, ...]) -> Reading:
    """Read Markdown or plain text."""
    if len(text) > MAX_DOCUMENT_CHARACTERS:
        raise Unreadable(
            f"the text has {len(text):,} characters, more than the limit of {MAX_DOCUMENT_CHARACTERS:,}"
        )
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front, first = _front_matter(lines)
    rows = _passages(lines, first)
    markdown = bool(front) or _MARKS.search(text) is not None
    heading = next((row["heading"] for row in rows if row.get("heading")), "")
    title = next((front[key] for key in _TITLES if key in front), "") or heading
    as_of = next((iso_date(front[key]) for key in _DATED if key in front), NOT_STATED)
    return reading_of(
        rows,
        reader="markdown/1" if markdown else "plain_text/1",
        what="a Markdown document" if markdown else "plain text",
        title=title,
        as_of=as_of,
        findings=findings,
        more={"lines": str(len(lines)), **({"front_matter_lines": str(first)} if first else {})},
    )


def reading_of(
    rows: list[Passage],
    *,
    reader: str,
    what: str,
    title: str,
    as_of: str,
    findings: Iterable[str],
    more: dict[str, str],
) -> Reading:
    """Make a reading of passages.

    Raises:
        Unreadable: too many of them.
    """
    if len(rows) > MAX_PASSAGES:
        raise Unreadable(
            f"the document has {len(rows):,} passages, more than the limit of {MAX_PASSAGES:,}",
            row=rows[MAX_PASSAGES]["row"],
        )
    undated = ["The document does not state its date."] if as_of == NOT_STATED else []
    return Reading(
        kind="text",
        reader=reader,
        as_of=as_of,
        identity={"name": title},
        counts={PASSAGE: len(rows)},
        findings=(*findings, *undated),
        rows=tuple(rows),
        summary={"recognised_as": what, **more},
    )


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the fields between two lines `---` at the very top, and how many lines that are."""
    if not lines or lines[0].strip() != "---":
        return {}, 0
    fields: dict[str, str] = {}
    for at, line in enumerate(lines[1:50], start=1):
        if line.strip() == "---":
            return fields, at + 1
        found = _FIELD.fullmatch(line.strip())
        if found:
            fields[found[1].casefold()] = found[2].strip("\"'")
    return {}, 0


def _passages(lines: list[str], first: int) -> list[Passage]:
    """Part lines into paragraphs; front matter is a passage too."""
    rows: list[Passage] = []
    heading, began = "", 0
    held: list[str] = []
    for at, line in enumerate([*lines, ""]):
        found = _HEADING.fullmatch(line.strip()) if at >= first else None
        if (not line.strip() or found) and held:
            rows += passages_of("\n".join(held), began + 1, heading)
            held = []
        if found:
            heading = found[2]
            rows += passages_of(line.strip(), at + 1, heading)
        elif line.strip():
            began = at if not held else began
            held.append(line.rstrip())
    return rows


def passages_of(text: str, row: int, heading: str = "", page: int = 0) -> Iterator[Passage]:
    """Yield a paragraph as one passage, or several where it is long."""
    for start in range(0, len(text), PASSAGE_CHARACTERS):
        passage: Passage = {
            "row": row,
            "class": PASSAGE,
            "text": text[start : start + PASSAGE_CHARACTERS],
        }
        if heading:
            passage["heading"] = heading[:PASSAGE_CHARACTERS]
        if page:
            passage["page"] = page
        yield passage
