"""Change any field of any row: the record is never still verified.  Scenarios I."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from audit.proof.checks import verify
from audit.proof.record import Record
from audit.proof.verdict import Result
from tests.verify.stories import a_dialogue, a_troubled_dialogue
from tests.verify.tampering import TABLES, every_change, flipped, with_content, without

STORIES = [a_dialogue, a_troubled_dialogue]
_ENDPOINT = "no receipt names it yet; a trigger keeps it"
_RESERVED = "an estimate, given back; where it was used up the budget is recomputed from it"
NOT_EVIDENCE = {
    ("root", "purpose"): "the requester's own label; nothing rests on it",
    ("root", "external_id"): "the requester's own label; nothing rests on it",
    ("root", "requested"): "a wish; what was effective stands in the frozen configuration",
    ("requests", "scheme"): _ENDPOINT,
    ("requests", "host"): _ENDPOINT,
    ("requests", "port"): _ENDPOINT,
    ("requests", "path"): _ENDPOINT,
    ("requests", "header_names"): _ENDPOINT,
    ("requests", "reserved_tokens"): _RESERVED,
    ("requests", "reserved_tool_calls"): _RESERVED,
    ("requests", "status_code"): "the outcome's class says what it means",
    ("requests", "provider_request_id"): "a word of the provider, for asking it",
    ("requests", "call_ms"): "a measurement",
    ("plans", "id"): "there is one plan, and nothing names its id",
    ("dispositions", "id"): "nothing names it: claim and request say which it is",
}
# The bytes of these are named by their plain digest; their salt is used for nothing.
PLAIN = {"body_id", "response_id", "raw_id", "document_id", "reason_id"}


@pytest.mark.parametrize("story", STORIES)
class TestVerify:
    def test_finds_a_sound_record_verified(self, story: Callable[[], Record]) -> None:
        verdict = verify(story())
        assert verdict.result is Result.VERIFIED, str(verdict)
        assert str(verdict) == "verified"
        assert verdict.checked["every receipt follows its predecessor"] == len(story().receipts)

    def test_notices_every_field_that_changes(self, story: Callable[[], Record]) -> None:
        record = story()
        unnoticed = [
            str(change)
            for change in every_change(record)
            if (change.table, change.field) not in NOT_EVIDENCE
            and verify(change.made_in(record)).result is Result.VERIFIED
        ]
        assert unnoticed == []

    def test_notices_every_row_that_is_gone(self, story: Callable[[], Record]) -> None:
        record = story()
        unnoticed = [
            f"{table}[{index}]"
            for table in TABLES
            for index in range(len(getattr(record, table)))
            if verify(without(record, table, index)).result is Result.VERIFIED
        ]
        assert unnoticed == []

    def test_notices_every_flipped_bit(self, story: Callable[[], Record]) -> None:
        """A bit in a request, response, text, quote, source or report."""
        record = story()
        for key, kept in record.contents.items():
            for at in {0, len(kept.raw) // 2, len(kept.raw) - 1}:
                changed = with_content(record, key, raw=flipped(kept, at))
                assert verify(changed).result is Result.MISMATCH, (key, at)

    def test_notices_every_salt_that_changes(self, story: Callable[[], Record]) -> None:
        record = story()
        for key in record.contents.keys() - _named_plainly(record):
            verdict = verify(with_content(record, key, salt=b"0123456789abcdef"))
            assert verdict.result is Result.MISMATCH, key


def _named_plainly(record: Record) -> set[str]:
    rows = [row for table in TABLES for row in getattr(record, table)]
    named = {getattr(row, c.name) for row in rows for c in fields(row) if c.name in PLAIN}
    late = [row for row in record.receipts if row.kind == "late_answer"]
    return named | {key for key in record.contents for row in late if key.encode() in row.body}
