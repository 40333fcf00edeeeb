"""How a passage is shown, whichever tool shows it."""

from __future__ import annotations

from typing import Any

from research.domain import Json, SourceView


def shown_passage(source: SourceView, row: Json) -> dict[str, Any]:
    """Show a passage: where it stands, and all of its words."""
    shown: dict[str, Any] = {
        "source": source.handle,
        "number": row["number"],
        "row": row["row"],
        "path": row.get("path", ""),
        "text": row["text"],
    }
    return {**shown, "page": row["page"]} if "page" in row else shown
