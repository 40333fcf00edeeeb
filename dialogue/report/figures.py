"""Put figures in the place of their handles: `[[T2.after_pct]]` is that field of that tool result.

A model cites a figure, the host writes it: no figure of a report is a model's own.

Source: design.md D13.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

HANDLE = re.compile(r"\[\[(T[1-9][0-9]{0,3})\.([A-Za-z_][A-Za-z0-9_]{0,63})\]\]")


def render_figures(text: str, results: Mapping[str, Mapping[str, Any]]) -> str:
    """Write the figures that `text` cites; a handle that names none stays visibly as it is.

    Args:
        text: prose with handles.
        results: tool results by their handle, as a model was shown them.
    """

    def figure(match: re.Match[str]) -> str:
        value = results.get(match[1], {}).get(match[2])
        if isinstance(value, str):
            return value
        known = isinstance(value, int) and not isinstance(value, bool)
        return str(value) if known else match[0]

    return HANDLE.sub(figure, text)
