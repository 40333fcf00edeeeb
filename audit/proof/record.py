"""What is on record of one Root, as plain values: what verification reads, and nothing else.

A record is loaded from rows, or read from an exported pack; verification cannot tell the difference.  Ids are
strings, times are instants as receipts write them, and every text or byte string stands in `contents`.

Source: design.md D4, D18.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.proof.dialogue_rows import (
    ClaimRow,
    DecisionRow,
    DispositionRow,
    GapRow,
    HalfRoundRow,
    MessageRow,
    MoveRow,
    OfferRow,
    PairRow,
    ReportRow,
)
from audit.proof.research_rows import (
    FindingRow,
    OpeningRow,
    PlanRow,
    ReleaseRow,
    SourceRow,
    ToolCallRow,
)
from audit.proof.runtime_rows import (
    ChildRow,
    PartRow,
    ReceiptRow,
    RequestRow,
    RootRow,
    TimerRow,
)


@dataclass(frozen=True, slots=True)
class Kept:
    """The bytes of a content, with the salt of its digest; none where its codec is not known."""

    raw: bytes
    salt: bytes
    codec: str = "zlib"


@dataclass(frozen=True, slots=True)
class Record:
    """Everything on record of one Root.

    Receipts stand in the order of their chain, all other rows in the order of their ids or handles.
    """

    root: RootRow
    children: tuple[ChildRow, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    receipts: tuple[ReceiptRow, ...] = ()
    requests: tuple[RequestRow, ...] = ()
    parts: tuple[PartRow, ...] = ()
    sources: tuple[SourceRow, ...] = ()
    plans: tuple[PlanRow, ...] = ()
    openings: tuple[OpeningRow, ...] = ()
    findings: tuple[FindingRow, ...] = ()
    tool_calls: tuple[ToolCallRow, ...] = ()
    offers: tuple[OfferRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    half_rounds: tuple[HalfRoundRow, ...] = ()
    messages: tuple[MessageRow, ...] = ()
    claims: tuple[ClaimRow, ...] = ()
    moves: tuple[MoveRow, ...] = ()
    dispositions: tuple[DispositionRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    gaps: tuple[GapRow, ...] = ()
    reports: tuple[ReportRow, ...] = ()
    desk: tuple[ReceiptRow, ...] = ()
    releases: tuple[ReleaseRow, ...] = ()
    contents: Mapping[str, Kept] = field(default_factory=dict)
