"""A request's page as values: the bytes a model saw, what they were made of, and what came back.

Source: design.md D4, D6, D14, D19.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.exposure.body import Decoded, decode
from audit.exposure.records import Records, pretty
from audit.sentences import REQUEST_STATES, words
from audit.transcript.page import Text
from audit.transcript.texts import Texts
from audit.viewer import READER, Viewer
from bullbear.bodies import read_slice
from bullbear.content import load_all
from bullbear.models import ModelRequest, RequestPart
from dialogue.report.outcome_words import outcome_words
from research.completions import read
from research.kinds import PartKind
from research.models import RootSource


class Agreement(StrEnum):
    """Whether a part is what its canonical record says."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Part:
    """A text that stood in the request, beside its record."""

    ordinal: int
    kind: str
    record: str
    handle: str
    start: int
    end: int
    sha256: str
    slice_is_whole: bool  # the digest of the slice is the one that was sealed
    agreement: Agreement
    shown: Text
    canonical: Text | None
    lineage: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; reasoning fields stay in the raw response and are never shown."""

    text: Text | None
    tools: Sequence[tuple[str, Text]]
    size_bytes: int
    sha256: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Exposure:
    """What one model call was and what is known of it."""

    decoded: Decoded | None
    problem: str
    parts: Sequence[Part]
    by_ordinal: dict[int, Part]
    size_bytes: int
    sha256: str  # of the stored bytes, computed now
    is_whole: bool
    state_meaning: str
    outcome_meaning: str
    reply: Reply | None
    labels: Sequence[
        tuple[str, bool]
    ]  # each label of its lineage, and whether the reader covers it
    withheld: int


def load_exposure(request: ModelRequest, viewer: Viewer, *, using: str = READER) -> Exposure:
    """Return the page of a request whose Root `viewer` may read.

    Args:
        request: with its Root.
        viewer: who reads: parts whose lineage he does not cover are withheld.
        using: the database alias to read through.
    """
    rows = list(RequestPart.objects.using(using).filter(request=request).order_by("ordinal"))
    sources = list(
        RootSource.objects.using(using).filter(root_id=request.root_id).select_related("source")
    )
    wanted = [one for one in (request.body_id, request.response_id) if one]
    contents = load_all(wanted, using=using)
    coverage = viewer.covers(request.root, sources, using=using)
    texts = Texts(contents, coverage)
    raw = contents[request.body_id]
    records = Records(request, rows, using=using)
    parts = [_part(one, raw, records, texts) for one in rows]
    decoded, problem = _decoded(raw, rows)
    sha256 = hashlib.sha256(raw).hexdigest()
    return Exposure(
        decoded=decoded,
        problem=problem,
        parts=parts,
        by_ordinal={one.ordinal: one for one in parts},
        size_bytes=len(raw),
        sha256=sha256,
        is_whole=sha256 == request.body_sha256,
        state_meaning=words(REQUEST_STATES, request.state),
        outcome_meaning=outcome_words(request.outcome_class),
        reply=_reply(request, texts),
        labels=_labels(request, sources, coverage.labels),
        withheld=texts.withheld,
    )


def _decoded(raw: bytes, rows: Sequence[RequestPart]) -> tuple[Decoded | None, str]:
    try:
        return decode(raw, rows, secrets.token_hex(16)), ""
    except (ValueError, KeyError, TypeError) as error:
        return None, str(error)


def _part(row: RequestPart, raw: bytes, records: Records, texts: Texts) -> Part:
    piece = raw[row.byte_start : row.byte_end]
    try:
        shown: str | None = read_slice(raw, row.byte_start, row.byte_end)
    except (ValueError, TypeError):
        shown = None
    canonical = records.text(row)
    return Part(
        ordinal=row.ordinal,
        kind=row.kind,
        record=row.record,
        handle=records.handle(row),
        start=row.byte_start,
        end=row.byte_end,
        sha256=row.sha256,
        slice_is_whole=hashlib.sha256(piece).hexdigest() == row.sha256,
        agreement=_agreement(row, shown, canonical, records),
        shown=texts.words(shown or "", row.lineage),
        canonical=texts.words(canonical, row.lineage) if canonical is not None else None,
        lineage=row.lineage,
    )


def _agreement(
    row: RequestPart, shown: str | None, canonical: str | None, records: Records
) -> Agreement:
    if shown is None:
        return Agreement.DIFFERS
    if row.kind == PartKind.PROMPT:
        same = hashlib.sha256(shown.encode()).hexdigest() == records.prompt_sha256(row)
        return Agreement.SAME if same else Agreement.DIFFERS
    if canonical is None:
        return Agreement.NOT_COMPARED
    return Agreement.SAME if shown == canonical else Agreement.DIFFERS


def _reply(request: ModelRequest, texts: Texts) -> Reply | None:
    """Read the answer; its lineage is the whole request's."""
    raw = texts.contents.get(request.response_id) if request.response_id else None
    if raw is None:
        return None
    answer = read(raw)
    sha256 = hashlib.sha256(raw).hexdigest()
    return Reply(
        text=texts.words(pretty(answer.text), request.lineage) if answer.text else None,
        tools=[
            (one.name, texts.words(pretty(one.arguments), request.lineage)) for one in answer.tools
        ],
        size_bytes=len(raw),
        sha256=sha256,
        is_whole=sha256 == request.response_sha256,
    )


def _labels(
    request: ModelRequest, sources: Sequence[RootSource], covered: frozenset[str]
) -> list[tuple[str, bool]]:
    """Name a lineage as its reader knows it: `S3`, or the Root's own scope."""
    handles = {str(one.source_id): f"S{one.number}" for one in sources}
    return [
        (handles.get(label, "the Root's own scope"), label in covered) for label in request.lineage
    ]
