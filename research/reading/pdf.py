"""The text of a PDF, page by page; pictures of text hold none, and that is a finding."""

from __future__ import annotations

import io
import logging
import re
import zlib
from typing import Final

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from research.domain import Reading, Unreadable
from research.reading.containers import refusal
from research.reading.dates import NOT_STATED
from research.reading.document import Passage, passages_of, reading_of
from research.reading.limits import MAX_DOCUMENT_CHARACTERS, MAX_PAGES

# What pypdf lets through when it meets a damaged file.
_DAMAGED: Final = (
    PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError,
    NotImplementedError, AssertionError, OSError, EOFError, zlib.error,
)  # fmt: skip
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

logging.getLogger("pypdf").setLevel(
    logging.CRITICAL
)  # what it says of damage is said by the refusal


def read(raw: bytes) -> Reading:
    """Read the text of all pages.

    Raises:
        Unreadable: damaged, encrypted, or too large.
    """
    try:
        pages = _pages(raw)
    except Unreadable:
        raise
    except _DAMAGED as error:
        raise refusal(f"a PDF that is damaged ({type(error).__name__})", raw) from error
    rows: list[Passage] = []
    empty: list[int] = []
    for number, text in enumerate(pages, start=1):
        parts = [part.strip() for part in _BLANK_LINE.split(text) if part.strip()]
        if not parts:
            empty.append(number)
        for part in parts:
            rows += passages_of(part, len(rows) + 1, page=number)
    findings = ["The text was taken out of a PDF: the order of columns and tables may be lost."]
    if empty:
        findings.append(
            f"Pages without text (pictures, perhaps): {len(empty)}, the first is page {empty[0]}."
        )
    return reading_of(
        rows,
        reader="pdf_text/1",
        what="the text of a PDF",
        title="",
        as_of=NOT_STATED,
        findings=findings,
        more={"pages": str(len(pages))},
    )


def _pages(raw: bytes) -> list[str]:
    reader = PdfReader(io.BytesIO(raw), strict=False)
    if reader.is_encrypted:
        raise refusal("an encrypted PDF", raw)
    if len(reader.pages) > MAX_PAGES:
        raise Unreadable(
            f"the PDF has {len(reader.pages):,} pages, more than the limit of {MAX_PAGES}"
        )
    pages: list[str] = []
    characters = 0
    for page in reader.pages:
        text = _CONTROL.sub(" ", page.extract_text())
        characters += len(text)
        if characters > MAX_DOCUMENT_CHARACTERS:
            raise Unreadable(
                f"the PDF has more than the limit of {MAX_DOCUMENT_CHARACTERS:,} characters of text"
            )
        pages.append(text)
    return pages
