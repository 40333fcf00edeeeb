"""The rows of the runtime, as verification reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RootRow:
    """The Root."""

    id: str
    desk_id: int
    requester_id: int
    purpose: str
    external_id: str
    question_id: str
    language: str
    domain: str
    scopes: tuple[str, ...]
    requested: Mapping[str, Any]
    configuration: Mapping[str, Any]
    configuration_digest: str
    created_at: str
    peers_stop_at: str
    deadline_at: str
    state: str
    cause: str
    result: str
    end_reason: str
    model_calls_limit: int
    model_calls_spent: int
    model_calls_reserved: int
    tokens_limit: int
    tokens_spent: int
    tokens_reserved: int
    tool_calls_limit: int
    tool_calls_spent: int
    tool_calls_reserved: int
    receipts_seq: int
    receipts_head: bytes


@dataclass(frozen=True, slots=True)
class ChildRow:
    """An execution."""

    id: str
    root_id: str
    role: str
    authorization: Mapping[str, Any]
    authorization_digest: str
    created_at: str
    state: str
    wakes: int
    rescues: int
    end_reason: str


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A time at which an execution looks again."""

    id: str
    child_id: str
    fires_at: str
    cause: str


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """One link of the research chain."""

    root_id: str
    seq: int
    recorded_at: str
    kind: str
    act: str
    subject: str
    child_id: str | None
    body: bytes
    previous: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A sealed model call and what is known of its outcome."""

    id: str
    root_id: str
    child_id: str
    act: str
    purpose: str
    turn: int
    attempt: int
    n: int
    body_id: str
    body_sha256: str
    scheme: str
    host: str
    port: int
    path: str
    header_names: tuple[str, ...]
    lineage: tuple[str, ...]
    requested_model: str
    reserved_tokens: int
    reserved_tool_calls: int
    sealed_at: str
    state: str
    outcome_class: str
    status_code: int | None
    response_id: str | None
    response_sha256: str
    served_model: str
    provider_request_id: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    call_ms: int | None
    repeats_id: str | None = None


@dataclass(frozen=True, slots=True)
class PartRow:
    """What stands where in a body."""

    request_id: str
    ordinal: int
    kind: str
    record: str
    byte_start: int
    byte_end: int
    sha256: str
    lineage: tuple[str, ...]
