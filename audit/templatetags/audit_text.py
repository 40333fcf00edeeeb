"""Filters of the audit templates."""

from __future__ import annotations

from django import template

from audit.visible import visible

register = template.Library()
register.filter("visible", visible)


@register.filter
def item(mapping: dict[object, object], key: object) -> object:
    """Look a value up by a variable key."""
    return mapping.get(key)


@register.filter
def spaced(word: str) -> str:
    """Write the word of an enum as a reader would."""
    return word.replace("_", " ")


_SIGNS = {"yes": "✓", "unknown": "?", "no": "✕", "not yet": "…", "no further turn": "–"}


@register.filter
def sign(answer: str) -> str:
    """Return the sign that stands beside, never instead of, the word of a mark."""
    return _SIGNS.get(answer, "")


@register.filter
def tone(answer: str) -> str:
    """Return the style of a mark: unknown is never that of yes."""
    return answer.replace(" ", "-")
