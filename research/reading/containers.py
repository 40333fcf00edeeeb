"""What bytes are, told by themselves: the containers that some domain reads, and what is refused by name."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from typing import Final

from research.domain import Unreadable
from research.reading.limits import MAX_BYTES


class Container(StrEnum):
    """How the content of a file is stored."""

    XLSX = "xlsx"
    XLS = "xls"
    PDF = "pdf"
    TEXT = "text"  # everything that is text: delimited, JSON, XML, prose


_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_SIGNATURES: Final = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"-----BEGIN ", "a PEM block (a key, certificate or signed message)"),
)
_PARTS: Final = (  # what a ZIP holds → what it is; looked at in this order
    ("xl/workbook.xml", Container.XLSX.value),
    ("xl/workbook.bin", "a binary workbook (XLSB)"),
    ("word/document.xml", "a Word document (DOCX)"),
    ("ppt/presentation.xml", "a PowerPoint presentation (PPTX)"),
    ("content.xml", "an OpenDocument file"),
)
_HTML: Final = re.compile(
    r"(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|table|meta|script|div|title)\b",
    re.IGNORECASE | re.DOTALL,
)
_XHTML: Final = re.compile(r"<\?xml[^>]*>\s*<(!doctype\s+)?html\b", re.IGNORECASE)


def container_of(raw: bytes, *, advice: str) -> Container:
    """Return how the content is stored.

    Args:
        raw: the bytes.
        advice: what to do with what is refused by name, e.g. "save the table as CSV".

    Raises:
        Unreadable: empty, oversized, or something known that nothing here reads.
    """
    if not raw:
        raise Unreadable("the file is empty (0 bytes)")
    if len(raw) > MAX_BYTES:
        raise Unreadable(
            f"the file has {len(raw):,} bytes, more than the limit of {MAX_BYTES:,}",
            first_bytes=raw,
        )
    if raw.startswith(_ZIP):
        return _of_zip(raw, advice)
    if raw.startswith(_OLE):
        return Container.XLS
    if raw[:1024].lstrip().startswith(b"%PDF-"):
        return Container.PDF
    for signature, what in _SIGNATURES:
        if raw.startswith(signature) and not raw.startswith(b"-----BEGIN PRIVACY-ENHANCED"):
            raise refusal(f"{what}, which no reader here reads; {advice}", raw)
    return Container.TEXT


def _of_zip(raw: bytes, advice: str) -> Container:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, UnicodeError) as error:
        raise refusal("a ZIP container that is damaged (cut off, perhaps)", raw) from error
    what = next((found for part, found in _PARTS if part in names), "a ZIP archive")
    if what != Container.XLSX:
        raise refusal(f"{what}, which no reader here reads; {advice}", raw)
    return Container.XLSX


def refuse_html(head: str, raw: bytes) -> None:
    """Refuse a text that is a web page, told by how it begins.

    Raises:
        Unreadable: it is one.
    """
    start = head.lstrip()[:4096]
    if _HTML.match(start) or _XHTML.match(start):
        raise refusal("an HTML page, as a blocked or moved download leaves behind", raw)


def refusal(what: str, raw: bytes) -> Unreadable:
    """Say what bytes are and how they begin."""
    return Unreadable(f"this is {what}; it begins with {raw[:40]!r}", first_bytes=raw)
