"""The chain: receipts are numbered, linked, canonical, and end in the Root's head.

    digest = sha256("bullbear/receipt/1" ‖ 0x00 ‖ previous ‖ sha256(body))

Source: design.md D18.
"""

from __future__ import annotations

import hashlib

from audit.proof.evidence import Evidence
from audit.proof.reading import version_of
from audit.proof.runtime_rows import ReceiptRow
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import RECEIPT_VERSION

DOMAIN_TAG = b"bullbear/receipt/1\x00"
BEGINNING = bytes(32)


def receipts_are_numbered_without_a_hole(evidence: Evidence) -> int:
    """Each receipt stands at its place; none is missing, none stands twice."""
    for expected, row in enumerate(evidence.record.receipts, start=1):
        if row.seq != expected:
            raise Bad(f"receipt #{expected}", f"it is missing: #{row.seq} stands in its place")
    return len(evidence.record.receipts)


def every_receipt_follows_its_predecessor(evidence: Evidence) -> int:
    """Each receipt is linked to the one before, and its digest is that of its body after it."""
    previous = BEGINNING
    for row in evidence.record.receipts:
        place = f"receipt #{row.seq}"
        right = row.previous == previous and row.digest == link(row)
        if not right:
            _known_version(row)
        require(row.previous == previous, place, "it does not follow its predecessor")
        require(row.digest == link(row), place, "its digest is not that of its body")
        previous = row.digest
    return len(evidence.record.receipts)


def every_receipt_can_be_read(evidence: Evidence) -> int:
    """Each body is canonical, of a known version and kind."""
    return len(evidence.facts)


def every_receipts_columns_repeat_its_body(evidence: Evidence) -> int:
    """What queries read is what the body says."""
    for row, fact in zip(evidence.record.receipts, evidence.facts, strict=True):
        columns = (row.root_id, row.seq, row.recorded_at, row.kind, row.act, row.subject)
        body = (fact.root, fact.seq, fact.recorded_at, fact.kind, fact.act, fact.subject)
        named = ("root", "place", "time", "kind", "act", "subject")
        for name, column, said in zip(named, columns, body, strict=True):
            require(column == said, fact.place, f"its column says another {name} than its body")
        child = "" if row.child_id is None else row.child_id
        require(child == fact.child, fact.place, "its column names another child")
        require(fact.root == evidence.root.id, fact.place, "it is of another Root")
    return len(evidence.facts)


def no_act_has_two_receipts(evidence: Evidence) -> int:
    """One receipt for each kind, act and subject."""
    seen: dict[tuple[str, str, str], int] = {}
    for fact in evidence.facts:
        first = seen.setdefault((fact.kind, fact.act, fact.subject), fact.seq)
        require(first == fact.seq, fact.place, f"it repeats receipt #{first}")
    return len(evidence.facts)


def the_roots_head_is_the_last_digest(evidence: Evidence) -> int:
    """The tail of the chain was not cut."""
    root, rows = evidence.root, evidence.record.receipts
    if len(rows) < root.receipts_seq:
        raise Bad(
            f"receipt #{len(rows) + 1}", f"it is missing: the Root counts {root.receipts_seq}"
        )
    require(len(rows) == root.receipts_seq, "Root", "it counts fewer receipts than there are")
    head = rows[-1].digest if rows else BEGINNING
    require(root.receipts_head == head, "Root", "its head is not the last receipt's digest")
    return 1


def link(row: ReceiptRow) -> bytes:
    """Return the digest of a receipt after its predecessor."""
    body = hashlib.sha256(row.body).digest()
    return hashlib.sha256(DOMAIN_TAG + row.previous + body).digest()


def _known_version(row: ReceiptRow) -> None:
    """A receipt of another version may be linked in another way: that is no mismatch."""
    version = version_of(row.body)
    if isinstance(version, int) and version != RECEIPT_VERSION:
        raise Unknown(
            f"receipt #{row.seq}", f"its version is {version}, and {RECEIPT_VERSION} is known"
        )
