"""The question, the sources it was put to, and what is known of a cited handle.

Note [Evidence]: of evidence the host knows that it was *cited*, and whether its author was *shown* it.
Whether it *supports* what it is cited for is not checked, and the report says so.

Source: design.md D6, D13.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from bullbear.identity import JsonValue
from bullbear.models import Child
from bullbear.receipts import instant
from dialogue.report.material import Material, Section
from research.models import RootSource

NOT_CHECKED = "not checked"


def question(material: Material) -> Section:
    """The question, word for word, and what it was opened with."""
    root = material.case.root
    return {
        "text": material.text(root.question_id),
        "language": root.language,
        "domain": root.domain,
        "root": str(root.pk),
        "asked_at": instant(root.created_at),
        "deadline_at": instant(root.deadline_at),
        "scopes": list(root.scopes),
        "configuration_sha256": root.configuration_digest,
    }


def sources(material: Material) -> list[JsonValue]:
    """The evidence snapshot: every source that this research could read."""
    return [_source(material, linked) for linked in material.sources]


def _source(material: Material, linked: RootSource) -> Section:
    source = linked.source
    parsed = source.parse_report
    assigned = material.text(linked.assigned_to_id) if linked.assigned_to_id else ""
    return {
        "handle": f"S{linked.number}",
        "title": material.text(source.title_id),
        "kind": parsed.kind,
        "as_of": parsed.as_of,
        "reader": parsed.reader,
        "rows": dict(sorted(parsed.counts.items())),
        "scope": source.scope,
        "sha256": source.raw_sha256,
        "assigned_to": assigned,
    }


def cited(
    material: Material, child: Child, handles: Iterable[str], *, until: UUID | None
) -> list[JsonValue]:
    """Say of each cited handle whether its author was shown it. See Note [Evidence].

    Args:
        material: the record.
        child: the author.
        handles: what he cites.
        until: the request whose answer cites them; what came later was not shown yet.
    """
    shown = material.shown_to(child, until=until)
    return [
        {
            "handle": handle,
            "cited": True,
            "shown": handle in shown,
            "supporting": NOT_CHECKED,
        }
        for handle in handles
    ]
