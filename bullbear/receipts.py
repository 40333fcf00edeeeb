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
from bullbear.models.receipt import Chain

VERSION = 1
BEGINNING = bytes(32)
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
    receipt = _receipt(
        held,
        kind,
        Chain.RESEARCH,
        after=(root.receipts_seq, bytes(root.receipts_head)),
        act=act,
        subject=subject,
        child=child,
        subjects=subjects,
        digests=digests,
    )
    root.receipts_seq, root.receipts_head = receipt.seq, receipt.digest
    return receipt


def append_to_desk_chain(
    held: Held,
    kind: str,
    *,
    act: str,
    subjects: Mapping[str, JsonValue],
    digests: Mapping[str, str],
) -> Receipt:
    """Append one fact to the desk chain of the held Root, which goes on after the Root's end.

    Its head is its last receipt: the Root row names that of the research chain alone.
    """
    rows = Receipt.objects.filter(root=held.root, chain=Chain.DESK).order_by("-seq")
    last = rows.values_list("seq", "digest").first()
    after = (last[0], bytes(last[1])) if last else (0, BEGINNING)
    return _receipt(
        held, kind, Chain.DESK, after=after, act=act, subjects=subjects, digests=digests
    )


def _receipt(
    held: Held,
    kind: str,
    chain: Chain,
    *,
    after: tuple[int, bytes],
    act: str,
    subject: str = "",
    child: Child | None = None,
    subjects: Mapping[str, JsonValue] | None,
    digests: Mapping[str, str] | None,
) -> Receipt:
    root, seq, previous = held.root, after[0] + 1, after[1]
    body = canonical(
        {
            "v": VERSION,
            "root": str(root.pk),
            "seq": seq,
            "recorded_at": instant(held.now),
            "kind": str(kind),
            "act": act,
            "child": str(child.pk) if child else "",
            "subject": subject,
            "subjects": dict(subjects or {}),
            "digests": dict(digests or {}),
        }
    )
    return held.add(
        Receipt(
            root=root,
            chain=chain,
            seq=seq,
            recorded_at=held.now,
            kind=str(kind),
            act=act,
            subject=subject,
            child=child,
            body=body,
            previous=previous,
            digest=link(previous, body),
        )
    )


def link(previous: bytes, body: bytes) -> bytes:
    """Return the digest of a receipt with this body after this predecessor."""
    return hashlib.sha256(DOMAIN_TAG + previous + hashlib.sha256(body).digest()).digest()


def instant(moment: datetime) -> str:
    """Write an aware datetime as receipts hold it: UTC, microseconds, `Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
