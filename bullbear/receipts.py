"""Append facts to a Root's chain.

    digest = sha256("bullbear/receipt/1" ‖ 0x00 ‖ previous ‖ sha256(body))

Source: design.md D18.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from bullbear.identity import JsonValue, canonical
from bullbear.locks import Held
from bullbear.models import Child, Receipt

VERSION = 1
DOMAIN_TAG = b"bullbear/receipt/1\x00"


class RuntimeKind(StrEnum):
    """The facts of the runtime."""

    ROOT_CREATED = "root_created"
    CHILD_CREATED = "child_created"
    CHILD_WOKEN = "child_woken"
    CHILD_PARKED = "child_parked"
    CHILD_ENDED = "child_ended"
    CHILD_RESCUED = "child_rescued"
    REQUEST_SEALED = "request_sealed"
    REQUEST_ANSWERED = "request_answered"
    REQUEST_REJECTED = "request_rejected"
    REQUEST_OUTCOME_UNKNOWN = "request_outcome_unknown"
    LATE_ANSWER = "late_answer"
    TIMER_SET = "timer_set"
    TIMER_FIRED = "timer_fired"
    DEADLINE_PASSED = "deadline_passed"
    ROOT_FINALIZING = "root_finalizing"
    ROOT_ENDED = "root_ended"


def append(
    held: Held,
    kind: str,
    *,
    act: str = "",
    subject: str = "",
    child: Child | None = None,
    subjects: Mapping[str, JsonValue] | None = None,
    digests: Mapping[str, str] | None = None,
) -> Receipt:
    """Append one fact to the research chain of the held Root.

    Args:
        held: the locked Root.
        kind: which fact, from the enum of the package that states it.
        act: the act that made it; one receipt for each (kind, act, subject).
        subject: what it is about, where one act makes several facts of a kind.
        child: the execution it is about.
        subjects: ids, enums and counts; never texts.
        digests: hex digests of what the fact rests on.
    """
    root = held.root
    previous = bytes(root.receipts_head)
    body = canonical(
        {
            "v": VERSION,
            "root": str(root.pk),
            "seq": root.receipts_seq + 1,
            "recorded_at": instant(held.now),
            "kind": str(kind),
            "act": act,
            "child": str(child.pk) if child else "",
            "subject": subject,
            "subjects": dict(subjects or {}),
            "digests": dict(digests or {}),
        }
    )
    digest = link(previous, body)
    root.receipts_seq += 1
    root.receipts_head = digest
    return held.add(
        Receipt(
            root=root,
            seq=root.receipts_seq,
            recorded_at=held.now,
            kind=str(kind),
            act=act,
            subject=subject,
            child=child,
            body=body,
            previous=previous,
            digest=digest,
        )
    )


def link(previous: bytes, body: bytes) -> bytes:
    """Return the digest of a receipt with this body after this predecessor."""
    return hashlib.sha256(DOMAIN_TAG + previous + hashlib.sha256(body).digest()).digest()


def instant(moment: datetime) -> str:
    """Write an aware datetime as receipts hold it: UTC, microseconds, `Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
