"""Put foreign text into Markdown so that it stays text.

Nothing that a model, a source or a requester wrote opens a heading, a list, a table, a link or HTML, moves a
terminal's cursor or hides itself: Markdown's signs are escaped, invisible signs are named.  The JSON document
keeps the text as it is.

Source: CommonMark 0.31, 2.4 "Backslash escapes"; scenarios.md F13, G02, G06, G10.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"})
_KEPT = frozenset("\n\t")
_INLINE = re.compile(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#A-Za-z0-9]+;)")
_BLOCK = re.compile(r"^(?=[#>+=-]|:-)|^(?P<number>[0-9]{1,9})(?=[.)])")
_INDENT = re.compile(r"^[ \t]+")
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_TAB = 4
_WIDE = frozenset("WF")
NEW_LINE = " ⏎ "


def visible(text: str) -> str:
    """Name each sign that cannot be seen: controls, direction marks, zero-width signs, tags."""
    unified = text.replace("\r\n", "\n")
    return "".join(
        sign
        if sign in _KEPT or unicodedata.category(sign) not in _INVISIBLE
        else f"⟨U+{ord(sign):04X}⟩"
        for sign in unified
    )


def escaped(line: str) -> str:
    """Escape what would be Markdown inside a line."""
    return _INLINE.sub(r"\\\g<0>", line)


def inline(text: str) -> str:
    """Write foreign text into a line of ours, never at its beginning."""
    return NEW_LINE.join(escaped(part).strip() for part in visible(text).split("\n"))


def quoted(text: str) -> str:
    """Write a foreign text into a line of ours, in quotation marks."""
    return f"“{inline(text)}”"


def blockquote(text: str, *, indent: str = "") -> list[str]:
    """Write a foreign text as a block of its own, line by line."""
    return [f"{indent}> {_line(part)}".rstrip() for part in visible(text).split("\n")]


def _line(part: str) -> str:
    """Escape what would be Markdown at the beginning of a line too; indentation stays and means nothing."""
    margin = _INDENT.match(part)
    if margin:
        return _NO_BREAK_SPACE * len(margin[0].expandtabs(_TAB)) + escaped(part[margin.end() :])
    return _BLOCK.sub(lambda found: f"{found['number'] or ''}\\", escaped(part))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table whose columns line up in a terminal too; cells must be escaped."""
    widths = [max(_width(row[at]) for row in [head, *rows]) for at in range(len(head))]
    rule = [f"{'-' * max(3, width)}" for width in widths]
    return [_row(row, widths) for row in (head, rule, *rows)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell + " " * (max(3, width) - _width(cell))
        for cell, width in zip(cells, widths, strict=True)
    ]
    return f"| {' | '.join(padded)} |"


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in _WIDE) for sign in text)
