"""The sources of a Root as the tools of one execution see them.

Source: design.md D14: what an authorization does not list is not there.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from uuid import UUID

from bullbear.content import load_all
from bullbear.models import Child
from research.authority import may_see
from research.domain import Reading, SourceView
from research.models import RootSource, Source

READINGS_KEPT = 256  # readings are immutable: a process keeps the ones it used last


def source_views(
    child: Child, *, shared: Collection[str] | None = None, named: Collection[str] = ()
) -> list[SourceView]:
    """Load the sources that an execution is authorized for, in the order of their handles.

    Args:
        child: who asks.
        shared: the labels that both sides hold, where it may read others only by name.
        named: the handles that its tool calls name.
    """
    linked = RootSource.objects.filter(root_id=child.root_id).select_related("source")
    allowed = [
        one
        for one in linked.order_by("number")
        if one.source.scope
        and may_see(child.authorization, [str(one.source_id)])
        and (shared is None or str(one.source_id) in shared or f"S{one.number}" in named)
    ]
    texts = load_all(
        [one.source.title_id for one in allowed]
        + [one.assigned_to_id for one in allowed if one.assigned_to_id]
    )
    return [
        SourceView(
            handle=f"S{one.number}",
            source_id=str(one.source_id),
            title=texts[one.source.title_id].decode(),
            assigned_to=texts[one.assigned_to_id].decode() if one.assigned_to_id else "",
            reading=reading_of(one.source_id),
        )
        for one in allowed
    ]


@functools.lru_cache(maxsize=READINGS_KEPT)
def reading_of(source_id: UUID) -> Reading:
    """Load what the reader made of a source."""
    source = Source.objects.select_related("parse_report").get(pk=source_id)
    content_id = source.parse_report.reading_id
    return Reading(**json.loads(load_all([content_id])[content_id]))
