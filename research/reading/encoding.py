"""Bytes to text: byte order mark, then strict UTF-8, then one guess that is put on record."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
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
_SLICE: Final = 1024 * 1024
_HEAD: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Text:
    """Bytes whose encoding is known and checked; they are decoded as they are read.

    Shape:
        findings: what a person should know about how they are decoded
    """

    raw: bytes
    encoding: str
    mark: int  # bytes of the byte order mark
    findings: tuple[str, ...]

    def stream(self) -> io.TextIOWrapper:
        """Return the text as a file, its line ends untouched."""
        held = io.BytesIO(self.raw)  # shares the bytes
        held.seek(self.mark)
        return io.TextIOWrapper(held, encoding=self.encoding, newline="")

    def whole(self) -> str:
        """Return the whole text."""
        return self.raw[self.mark :].decode(self.encoding)

    def head(self) -> str:
        """Return the beginning of the text."""
        return self.stream().read(_HEAD)


def decode(raw: bytes) -> Text:
    """Return the text of bytes, every one of them checked.

    Raises:
        Unreadable: binary content, or an encoding that cannot be told.
    """
    mark, name = next(((m, n) for m, n in _MARKS if raw.startswith(m)), (b"", ""))
    findings: tuple[str, ...] = ()
    if not name:
        if b"\x00" in raw:
            raise _binary(raw)
        name, findings = _unmarked(raw)
    text = Text(raw, name, len(mark), findings)
    _check(text, by_mark=bool(mark))
    return text


def _check(text: Text, *, by_mark: bool) -> None:
    row = 1
    try:
        for part in _parts(text):
            control = _CONTROL.search(part)
            if control:
                row += part.count("\n", 0, control.start())
                raise Unreadable(
                    f"row {row} holds the control character U+{ord(control[0]):04X}: "
                    "this is binary data, not a text file",
                    row=row,
                    first_bytes=text.raw,
                )
            row += part.count("\n")
    except UnicodeDecodeError as error:
        said = "the byte order mark says" if by_mark else "the encoding was taken for"
        raise Unreadable(
            f"{said} {text.encoding}, but a byte in row {row} is not: unknown encoding",
            first_bytes=text.raw,
        ) from error


def _parts(text: Text) -> Iterator[str]:
    with text.stream() as stream:
        while part := stream.read(_SLICE):
            yield part


def _unmarked(raw: bytes) -> tuple[str, tuple[str, ...]]:
    at = _first_that_is_not_utf8(raw)
    if at is None:
        return "utf-8", ()
    row = raw.count(b"\n", 0, at) + 1
    guess = _guess(raw)
    if not guess:
        raise Unreadable(
            f"unknown encoding: row {row} is not UTF-8, and the bytes look like neither "
            "Chinese (GB18030) nor western European (cp1252) text",
            row=row,
            first_bytes=raw,
        )
    return guess, (
        f"Row {row} is not UTF-8; the encoding was guessed as {guess}: check names with accents.",
    )


def _first_that_is_not_utf8(raw: bytes) -> int | None:
    """Return where strict UTF-8 ends, or None; a slice ends at a line's end, never within a character."""
    start = 0
    while start < len(raw):
        end = raw.find(b"\n", start + _SLICE) + 1 or len(raw)
        try:
            raw[start:end].decode("utf-8")
        except UnicodeDecodeError as error:
            return start + error.start
        start = end
    return None


def _guess(raw: bytes) -> str:
    """Return "gb18030" or "cp1252" where the bytes have its shape, else ""."""
    paired, longest, high = True, 0, 0
    for found in _HIGH_RUN.finditer(raw):
        run = found[0]
        high += len(run)
        longest = max(longest, len(run))
        paired = paired and _GB2312_RUN.fullmatch(run) is not None
    if paired and longest >= _TWO_CHARACTERS and _decodes(raw, "gb18030"):
        return "gb18030"
    if high <= len(raw) * _WESTERN_SHARE and _decodes(raw, "cp1252"):
        return "cp1252"
    return ""


def _decodes(raw: bytes, name: str) -> bool:
    try:
        for _ in _parts(Text(raw, name, 0, ())):
            pass
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
