"""Find the canonical record behind what an execution was shown in the request that asks for a tool.

Source: design.md D14: by stored parts and digests; provenance is the canonical record's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from bullbear.content import load_bytes, salted
from bullbear.models import Content, ModelRequest, RequestPart
from dialogue.models import Claim, PeerMessage
from research.citations import Shown
from research.kinds import PartKind
from research.models import ToolCall

# For each kind of part: its rows, their text and its digest, and the letter of their handle.
_RECORDS: Mapping[str, tuple[Any, str, str]] = {
    PartKind.TOOL_RESULT: (ToolCall, "result", "T"),
    PartKind.MESSAGE: (PeerMessage, "text", "M"),
    PartKind.CLAIM_QUOTE: (Claim, "quote", "C"),
}


def shown_in(request_id: UUID, handles: Collection[str]) -> Mapping[str, Sequence[Shown]]:
    """Return, by handle, every place of a request where one of these records stands.

    A refused tool call shows nothing.
    """
    found: dict[str, list[Shown]] = defaultdict(list)
    if not handles:
        return found
    body = load_bytes(ModelRequest.objects.select_related("body").get(pk=request_id).body)
    parts = RequestPart.objects.filter(request_id=request_id, kind__in=list(_RECORDS))
    by_kind: dict[str, list[RequestPart]] = defaultdict(list)
    for part in parts.order_by("ordinal"):
        by_kind[part.kind].append(part)
    for kind, placed in by_kind.items():
        model, field, letter = _RECORDS[kind]
        wanted = {UUID(part.record) for part in placed}
        rows = {
            str(row.pk): row for row in model.objects.select_related(field).filter(pk__in=wanted)
        }
        for part in placed:
            row = rows.get(part.record)
            handle = f"{letter}{row.number}" if row else ""
            if handle in handles and not getattr(row, "refusal", ""):
                found[handle].append(_shown(body, part, row, field))
    return found


def _shown(body: bytes, part: RequestPart, row: Any, field: str) -> Shown:
    content: Content = getattr(row, field)
    raw = load_bytes(content)
    return Shown(
        piece=body[part.byte_start : part.byte_end],
        piece_sha256=part.sha256,
        text=raw.decode(errors="replace"),
        is_whole=salted(bytes(content.salt), raw) == getattr(row, f"{field}_digest"),
        lineage=frozenset(row.lineage),
    )
