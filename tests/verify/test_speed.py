"""Verification is cheap.  Source: performance.md, P11."""

from __future__ import annotations

import time

from audit.proof.checks import verify
from audit.proof.record import Record
from tests.verify.stories import a_troubled_dialogue

MILLISECONDS_FOR_A_HUNDRED_RECEIPTS = 50


def test_a_hundred_receipts_take_fifty_milliseconds_at_most() -> None:
    """CPU time, the best of five: another process must not decide a test."""
    record = a_troubled_dialogue()
    best = min(_cpu_milliseconds(record) for _ in range(5))
    assert best / len(record.receipts) * 100 <= MILLISECONDS_FOR_A_HUNDRED_RECEIPTS


def _cpu_milliseconds(record: Record) -> float:
    before = time.process_time()
    verify(record)
    return (time.process_time() - before) * 1000
