"""Show text of models and files as data: escaped, and with nothing hidden in it.

A character that changes how text is laid out or that cannot be seen – a bidirectional control, a zero-width
space, a tag character, a control code – is shown as its number.

Source: design.md D14, D15 (text is data); https://www.unicode.org/reports/tr9/ (bidirectional controls).
"""

from __future__ import annotations

import re
import unicodedata

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# Joiners are left alone: words of several languages, and many emoji, are written with them.
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control codes but tab and line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f"  # tag characters
    "]"
)


def visible(text: str) -> SafeString:
    """Escape text and show what hides in it as its code point."""
    return format_html_join("", "{}{}", _runs(text))


def _runs(text: str) -> list[tuple[str, SafeString | str]]:
    runs: list[tuple[str, SafeString | str]] = []
    at = 0
    for match in _HIDDEN.finditer(text):
        runs.append((text[at : match.start()], _shown(match[0])))
        at = match.end()
    return [*runs, (text[at:], "")]


def _shown(character: str) -> SafeString:
    return format_html(
        '<span class="bb-hidden" title="{}">[U+{}]</span>',
        unicodedata.name(character, "control code"),
        f"{ord(character):04X}",
    )
