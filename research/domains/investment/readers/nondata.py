"""What a text is written in, told by itself: the markups that are read, and what is refused by name."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from research.domain import Unreadable
from research.reading.containers import refusal, refuse_html


class Markup(StrEnum):
    """What a text is written in."""

    XML = "xml"
    JSON = "json"
    SUBMISSION = "submission"  # an SEC full submission: documents in SGML
    PLAIN = "plain"  # delimited, Markdown or prose


_SPREADSHEETML: Final = re.compile(r"urn:schemas-microsoft-com:office:spreadsheet")
_SUBMISSION: Final = re.compile(r"<SEC-DOCUMENT>|<SEC-HEADER>|-----BEGIN PRIVACY-ENHANCED")
_XML: Final = re.compile(r"<\?xml|<!--|<!DOCTYPE|<[A-Za-z_][\w:.-]*(\s[^<>]*)?/?>")
_JSON: Final = re.compile(r"\{\s*(\"|\})|\[\s*[\[{\"\]\d-]")


def markup_of(head: str, raw: bytes) -> Markup:
    """Return what a text is written in, from how it begins.

    Raises:
        Unreadable: text without content, HTML, SpreadsheetML.
    """
    start = head.lstrip()[:4096]
    if not start:
        raise Unreadable("the file is empty (white space only)", first_bytes=raw)
    refuse_html(start, raw)
    if start.startswith("<") and _SPREADSHEETML.search(start):
        raise refusal(
            "SpreadsheetML (an Excel 2003 XML workbook, often under the name .xls), which no reader "
            "here reads; open it in a spreadsheet and save the table as XLSX or CSV",
            raw,
        )
    if _SUBMISSION.match(start):
        return Markup.SUBMISSION
    if _XML.match(start):
        return Markup.XML
    return Markup.JSON if _JSON.match(start) else Markup.PLAIN
