"""Bytes to text: byte order mark, then strict UTF-8, then one guess that is put on record."""

from __future__ import annotations

import codecs
import re
from typing import Final

from research.domain import Unreadable

_MARKS: Final = (  # the longer mark first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
_GB2312_RUN: Final = re.compile(rb"(?:[\xa1-\xf7][\xa1-\xfe])+")
_WESTERN_SHARE: Final = 0.3  # more accented letters than this is no western text
_TWO_CHARACTERS: Final = 4  # bytes of two Chinese characters side by side


def decode(raw: bytes) -> tuple[str, list[str]]:
    """Return the text and the findings about how it was decoded.

    Raises:
        Unreadable: binary content, or an encoding that cannot be told.
    """
    mark, name = next(((m, n) for m, n in _MARKS if raw.startswith(m)), (b"", ""))
    if name:
        text, findings = _strictly(raw, mark, name), list[str]()
    elif b"\x00" in raw:
        raise _binary(raw)
    else:
        text, findings = _unmarked(raw)
    control = _CONTROL.search(text)
    if control:
        raise Unreadable(
            f"row {_row(text, control.start())} holds the control character "
            f"U+{ord(control[0]):04X}: this is binary data, not a text file",
            row=_row(text, control.start()),
            first_bytes=raw,
        )
    return text, findings


def _strictly(raw: bytes, mark: bytes, name: str) -> str:
    try:
        return raw[len(mark) :].decode(name)
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"the byte order mark says {name}, but byte {error.start + len(mark)} is not: "
            "unknown encoding",
            first_bytes=raw,
        ) from error


def _unmarked(raw: bytes) -> tuple[str, list[str]]:
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError as error:
        row = raw.count(b"\n", 0, error.start) + 1
        guess = _guess(raw)
        if not guess:
            raise Unreadable(
                f"unknown encoding: row {row} is not UTF-8, and the bytes look like neither "
                "Chinese (GB18030) nor western European (cp1252) text",
                row=row,
                first_bytes=raw,
            ) from error
    return raw.decode(guess), [
        f"Row {row} is not UTF-8; the encoding was guessed as {guess}: check names with accents."
    ]


def _guess(raw: bytes) -> str:
    """Return "gb18030" or "cp1252" where the bytes have its shape, else ""."""
    runs = _HIGH_RUN.findall(raw)
    paired = all(_GB2312_RUN.fullmatch(run) for run in runs)
    if paired and max(map(len, runs)) >= _TWO_CHARACTERS and _decodes(raw, "gb18030"):
        return "gb18030"
    high = sum(map(len, runs))
    if high <= len(raw) * _WESTERN_SHARE and _decodes(raw, "cp1252"):
        return "cp1252"
    return ""


def _decodes(raw: bytes, name: str) -> bool:
    try:
        raw.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _binary(raw: bytes) -> Unreadable:
    at = raw.index(b"\x00")
    row = raw.count(b"\n", 0, at) + 1
    head = raw[:1024]
    if head[1::2].count(0) > len(head) // 4 or head[0::2].count(0) > len(head) // 4:
        problem = (
            "unknown encoding: every other byte is NUL, as in UTF-16 without a byte order mark; "
            "save the file as UTF-8"
        )
    else:
        problem = f"row {row} holds a NUL byte: this is binary data, not a text file"
    return Unreadable(problem, row=row, first_bytes=raw)


def _row(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
