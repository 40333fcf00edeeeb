"""The rows of what executions do together, as verification reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OfferRow:
    """The proposal of a pair."""

    id: str
    root_id: str
    child_id: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """Bull and Bear, frozen."""

    id: str
    root_id: str
    bull_id: str
    bear_id: str
    bull_authorization_digest: str
    bear_authorization_digest: str
    max_rounds: int
    opening_order: str
    frozen_at: str
    end_reason: str


@dataclass(frozen=True, slots=True)
class HalfRoundRow:
    """A slot of a round."""

    id: str
    pair_id: str
    round: int
    kind: str
    child_id: str
    first_request_id: str
    attempts: int
    outcome: str


@dataclass(frozen=True, slots=True)
class MessageRow:
    """An accepted challenge, proposition or response."""

    id: str
    root_id: str
    pair_id: str
    half_round_id: str
    sender_id: str
    recipient_id: str
    number: int
    kind: str
    reply_to_id: str | None
    text_id: str
    text_digest: str
    field: str
    about: tuple[str, ...]
    evidence: tuple[str, ...]
    lineage: tuple[str, ...]
    act: str
    request_id: str
    saw: tuple[str, ...]
    accepted_at: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One statement on the register."""

    id: str
    root_id: str
    author_id: str
    opening_id: str | None
    message_id: str | None
    number: int
    quote_id: str
    quote_digest: str
    evidence: tuple[str, ...]
    lineage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """What a message did to a claim."""

    id: str
    claim_id: str
    message_id: str
    move: str
    quote_id: str
    quote_digest: str


@dataclass(frozen=True, slots=True)
class DispositionRow:
    """What Main made of a claim."""

    id: str
    root_id: str
    claim_id: str
    request_id: str | None
    report_version: int
    disposition: str
    reason_id: str | None
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An operator's decision about a request of unknown outcome."""

    id: str
    root_id: str
    request_id: str
    kind: str
    decided_by_id: int
    decided_at: str


@dataclass(frozen=True, slots=True)
class GapRow:
    """Something missing that the report discloses."""

    id: str
    root_id: str
    child_id: str | None
    code: str
    subject: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A version of the report."""

    id: str
    root_id: str
    version: int
    document_id: str
    document_sha256: str
    compiled_at: str
