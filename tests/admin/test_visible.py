"""Nothing hides in a text that is shown."""

from __future__ import annotations

import pytest

from audit.visible import visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a < b & c", "a &lt; b &amp; c"),
        ("line\n\ttab", "line\n\ttab"),
        ("naïve – „Zitat“ 投資 👩‍💻", "naïve – „Zitat“ 投資 👩‍💻"),
        (
            "a\u202eb",
            'a<span class="bb-hidden" title="RIGHT-TO-LEFT OVERRIDE">[U+202E]</span>b',
        ),
        ("\u200b", '<span class="bb-hidden" title="ZERO WIDTH SPACE">[U+200B]</span>'),
        ("\x1b", '<span class="bb-hidden" title="control code">[U+001B]</span>'),
        (
            "\U000e0041",
            '<span class="bb-hidden" title="TAG LATIN CAPITAL LETTER A">[U+E0041]</span>',
        ),
    ],
    ids=["markup", "white space", "other scripts", "bidi", "zero width", "escape", "tag"],
)
def test_visible(text: str, seen: str) -> None:
    """Escape markup, show what cannot be seen, leave the rest alone."""
    assert visible(text) == seen
