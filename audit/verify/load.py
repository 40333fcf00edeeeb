"""Load the record of a Root from its rows: a fixed number of queries, all of one moment.

Source: design.md D4, D18.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet

from audit.proof import dialogue_rows as d
from audit.proof import research_rows as r
from audit.proof import runtime_rows as b
from audit.proof.record import Kept, Record
from audit.proof.vocabulary import CODECS
from audit.verify.snapshot import one_moment
from bullbear.content import load_bytes
from bullbear.models import Child, Content, ModelRequest, Receipt, RequestPart, Root, Timer
from bullbear.models.receipt import Chain
from bullbear.receipts import instant
from dialogue.models import (
    Claim,
    ClaimMove,
    Decision,
    Disposition,
    Gap,
    HalfRound,
    Pair,
    PairOffer,
    PeerMessage,
    Report,
)
from research.models import Finding, Opening, Plan, Release, RootSource, ToolCall

T = TypeVar("T")

CONTENT_COLUMNS = frozenset(
    {
        "question_id",
        "body_id",
        "response_id",
        "raw_id",
        "statement_id",
        "text_id",
        "result_id",
        "quote_id",
        "reason_id",
        "document_id",
    }
)
# A source's columns stand in two tables.
_LOOKUPS: Mapping[type, Mapping[str, str]] = {
    r.SourceRow: {
        "id": "source_id",
        "scope": "source__scope",
        "desk_id": "source__desk_id",
        "raw_id": "source__raw_id",
        "raw_sha256": "source__raw_sha256",
    }
}


class UnknownRoot(LookupError):
    """There is no Root of this id."""


def load_record(root_id: UUID, *, using: str = "audit") -> Record:
    """Load everything on record of a Root.

    Raises:
        UnknownRoot: there is none of this id.
    """
    with one_moment(using):
        return _load(root_id, using)


def _load(root_id: UUID, using: str) -> Record:
    def of_root(model: Any, *order: str, through: str = "root") -> QuerySet[Any]:
        rows = model.objects.using(using).filter(**{through: root_id})
        return rows.order_by(*(order or ("pk",)))  # type: ignore[no-any-return]

    roots = _rows(b.RootRow, Root.objects.using(using).filter(pk=root_id))
    if not roots:
        raise UnknownRoot(str(root_id))

    def of_chain(chain: Chain) -> tuple[b.ReceiptRow, ...]:
        return _rows(b.ReceiptRow, of_root(Receipt, "seq").filter(chain=chain))

    tables: dict[str, tuple[Any, ...]] = {
        "children": _rows(b.ChildRow, of_root(Child)),
        "timers": _rows(b.TimerRow, of_root(Timer, through="child__root")),
        "receipts": of_chain(Chain.RESEARCH),
        "desk": of_chain(Chain.DESK),
        "requests": _rows(b.RequestRow, of_root(ModelRequest)),
        "parts": _rows(
            b.PartRow,
            of_root(RequestPart, "request_id", "ordinal", through="request__root"),
        ),
        "sources": _rows(r.SourceRow, of_root(RootSource, "number")),
        "plans": _rows(r.PlanRow, of_root(Plan)),
        "openings": _rows(r.OpeningRow, of_root(Opening)),
        "findings": _rows(r.FindingRow, of_root(Finding, "number")),
        "releases": _rows(r.ReleaseRow, of_root(Release)),
        "tool_calls": _rows(r.ToolCallRow, of_root(ToolCall, "number")),
        **_of_the_dialogue(of_root),
    }
    wanted = _content_ids([roots, *tables.values()])
    wanted |= _late_contents(tables["receipts"])
    return Record(root=roots[0], **tables, contents=_contents(wanted, using))


def _of_the_dialogue(of_root: Callable[..., QuerySet[Any]]) -> dict[str, tuple[Any, ...]]:
    """Load what executions did together."""
    return {
        "offers": _rows(d.OfferRow, of_root(PairOffer)),
        "pairs": _rows(d.PairRow, of_root(Pair)),
        "half_rounds": _rows(
            d.HalfRoundRow, of_root(HalfRound, "round", "kind", through="pair__root")
        ),
        "messages": _rows(d.MessageRow, of_root(PeerMessage, "number")),
        "claims": _rows(d.ClaimRow, of_root(Claim, "number")),
        "moves": _rows(d.MoveRow, of_root(ClaimMove, through="claim__root")),
        "dispositions": _rows(d.DispositionRow, of_root(Disposition)),
        "decisions": _rows(d.DecisionRow, of_root(Decision)),
        "gaps": _rows(d.GapRow, of_root(Gap)),
        "reports": _rows(d.ReportRow, of_root(Report, "version")),
    }


def _rows(row: type[T], found: QuerySet[Any]) -> tuple[T, ...]:
    renamed = _LOOKUPS.get(row, {})
    names = [renamed.get(one.name, one.name) for one in fields(row)]  # type: ignore[arg-type]
    return tuple(row(*map(_plain, values)) for values in found.values_list(*names))


def _plain(value: Any) -> Any:
    """Write a column's value as the record holds it."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return instant(value)
        case memoryview():
            return bytes(value)
        case list():
            return tuple(_plain(one) for one in value)
        case _:
            return value


def _content_ids(tables: Iterable[tuple[Any, ...]]) -> set[str]:
    found: set[str] = set()
    for rows in tables:
        if rows:
            names = [one.name for one in fields(rows[0]) if one.name in CONTENT_COLUMNS]
            found.update(getattr(row, name) for row in rows for name in names)
    return found - {None}


def _late_contents(receipts: Iterable[b.ReceiptRow]) -> set[str]:
    """A late answer has no row: its receipt names its content."""
    named = set()
    for row in receipts:
        if row.kind == "late_answer":
            try:
                named.add(str(UUID(json.loads(row.body)["subjects"]["content"])))
            except (ValueError, KeyError, TypeError):
                continue  # verification names what is wrong with it
    return named


def _contents(ids: Iterable[str], using: str) -> Mapping[str, Kept]:
    found = Content.objects.using(using).filter(pk__in=[UUID(one) for one in ids])
    kept = {}
    for row in found:
        if row.codec not in CODECS:
            kept[str(row.pk)] = Kept(b"", bytes(row.salt), row.codec)
            continue
        try:
            kept[str(row.pk)] = Kept(load_bytes(row), bytes(row.salt))
        except zlib.error:
            continue  # bytes that cannot be read are as good as none
    return kept
