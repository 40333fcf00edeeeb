"""What the verifier names when somebody changed the record.  Scenarios I."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.proof.checks import verify
from audit.proof.record import Kept, Record
from audit.proof.verdict import Result
from tests.verify.stories import a_dialogue
from tests.verify.tampering import (
    assert_mismatch,
    flipped,
    retold,
    saying,
    with_content,
    with_row,
    with_rows,
    without,
)

SOUND = a_dialogue()
Tampered = tuple[Record, str, str]


def seq_of(kind: str, record: Record = SOUND) -> int:
    return next(row.seq for row in record.receipts if row.kind == kind)


def _swapped(one: int, other: int) -> Record:
    rows = list(SOUND.receipts)
    rows[one], rows[other] = rows[other], rows[one]
    renumbered = [replace(row, seq=seq) for seq, row in enumerate(rows, start=1)]
    return with_rows(SOUND, "receipts", renumbered)


def _edited(seq: int, before: bytes, after: bytes) -> Record:
    body = SOUND.receipts[seq - 1].body.replace(before, after)
    assert body != SOUND.receipts[seq - 1].body
    return with_row(SOUND, "receipts", seq - 1, body=body)


def _cut(count: int, *, head_too: bool) -> Record:
    rows = list(SOUND.receipts[:-count])
    cut = with_rows(SOUND, "receipts", rows)
    if not head_too:
        return cut
    return with_row(cut, "root", receipts_seq=len(rows), receipts_head=rows[-1].digest)


ACCEPTED = seq_of("message_accepted")
LAST = len(SOUND.receipts)
THE_CHAIN: dict[str, Tampered] = {
    "edit a receipt": (
        _edited(ACCEPTED, b'"M1"', b'"M7"'),
        f"receipt #{ACCEPTED}",
        "its digest is not that of its body",
    ),
    "delete a receipt": (
        without(SOUND, "receipts", 8),
        "receipt #9",
        "it is missing: #10 stands in its place",
    ),
    "reorder two receipts": (
        _swapped(6, 7),
        "receipt #7",
        "it does not follow its predecessor",
    ),
    "back-date a receipt": (
        _edited(5, b"10:00:04", b"09:00:04"),
        "receipt #5",
        "its digest is not that of its body",
    ),
    "back-date a receipt in its column": (
        with_row(SOUND, "receipts", 4, recorded_at="2026-03-01T09:00:04.000000Z"),
        f"receipt #5 ({SOUND.receipts[4].kind})",
        "its column says another time than its body",
    ),
    "move a receipt to another Root": (
        with_row(SOUND, "receipts", 4, root_id="00000000-0000-7000-8000-0000000000ff"),
        f"receipt #5 ({SOUND.receipts[4].kind})",
        "its column says another root than its body",
    ),
    "cut the tail": (
        _cut(2, head_too=False),
        f"receipt #{LAST - 1}",
        f"it is missing: the Root counts {LAST}",
    ),
    "cut the tail and the head": (
        _cut(1, head_too=True),
        "Root",
        "it has no receipt root_ended",
    ),
    "move the head": (
        with_row(SOUND, "root", receipts_head=bytes(32)),
        "Root",
        "its head is not the last receipt's digest",
    ),
}


def _body_flipped() -> Record:
    request = SOUND.requests[4]
    kept = SOUND.contents[request.body_id]
    return with_content(SOUND, request.body_id, raw=flipped(kept, 100))


def _response_flipped() -> Record:
    request = SOUND.requests[4]
    kept = SOUND.contents[request.response_id or ""]
    return with_content(SOUND, request.response_id, raw=flipped(kept, 150))


def _blob_swapped_with_its_digest() -> Record:
    """A blob and its column; the receipt still holds the digest of the first one."""
    message = SOUND.messages[0]
    kept = Kept(b"Another text.", b"0123456789abcdef")
    changed = with_content(SOUND, message.text_id, raw=kept.raw, salt=kept.salt)
    return with_row(changed, "messages", 0, text_digest="0" * 64)


BEARS = "bear's challenge request 2.1.1"
THE_BYTES: dict[str, Tampered] = {
    "flip a bit in a request": (_body_flipped(), BEARS, "its bytes are not the sealed ones"),
    "flip a bit in a response": (
        _response_flipped(),
        BEARS,
        "its response is not the one recorded",
    ),
    "swap a blob with its digest": (
        _blob_swapped_with_its_digest(),
        "message M1",
        f"its receipt #{ACCEPTED} (message_accepted) has another text digest",
    ),
    "lose a content": (
        replace(
            SOUND,
            contents={k: v for k, v in SOUND.contents.items() if k != SOUND.messages[0].text_id},
        ),
        "part 5 (message) of bull's response request 2.1.1",
        "its content is not on record, or cannot be read",
    ),
    "change the frozen configuration": (
        with_row(SOUND, "root", configuration={**SOUND.root.configuration, "language": "de"}),
        "configuration",
        "it has another digest",
    ),
    "widen an authorization": (
        with_row(
            SOUND,
            "children",
            1,
            authorization={**SOUND.children[1].authorization, "tools": ["trade"]},
        ),
        "execution bull",
        "its authorization was changed",
    ),
}


class TestVerify:
    @pytest.mark.parametrize("case", THE_CHAIN.values(), ids=THE_CHAIN)
    def test_names_the_receipt(self, case: Tampered) -> None:
        record, place, problem = case
        assert_mismatch(record, place, problem)

    @pytest.mark.parametrize("case", THE_BYTES.values(), ids=THE_BYTES)
    def test_names_what_holds_the_bytes(self, case: Tampered) -> None:
        record, place, problem = case
        assert_mismatch(record, place, problem)


class TestVerifyCannotCheck:
    """An unknown version, kind or codec is neither verified nor skipped."""

    @pytest.mark.parametrize(
        ("record", "place", "problem"),
        [
            (
                retold(SOUND, lambda bodies: [{**one, "v": 2} for one in bodies]),
                "receipt #1",
                "its version is 2, and 1 is known",
            ),
            (
                retold(SOUND, lambda bodies: [*bodies[:-1], {**bodies[-1], "kind": "sealed"}]),
                f"receipt #{LAST}",
                "its kind is 'sealed', which is not known",
            ),
            (
                retold(SOUND, saying("child_created", colour="red")),
                "execution main",
                "its receipt #3 (child_created) names colour, which is not known here",
            ),
            (
                with_content(SOUND, SOUND.root.question_id, raw=b"", codec="zstd"),
                "the question",
                "its content is kept as 'zstd', which is not known",
            ),
        ],
        ids=["version", "kind", "subject", "codec"],
    )
    def test_what_it_does_not_know(self, record: Record, place: str, problem: str) -> None:
        verdict = verify(record)
        assert verdict.result is Result.CANNOT_BE_CHECKED
        assert (verdict.place, verdict.problem) == (place, problem)
        assert str(verdict) == f"cannot be checked ({place}: {problem})"
