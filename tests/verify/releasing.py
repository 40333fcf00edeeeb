"""What a person does with a Root after its end, written into a `Book`."""

from __future__ import annotations

from audit.proof import research_rows as r
from tests.verify.book import Book


def release(book: Book, withdraws: str | None = None) -> str:
    """Release the Root's one source to its readers, or withdraw that."""
    kept = book.keep("Asked for.")
    row = r.ReleaseRow(
        id=book.new_id(),
        root_id=book.root.id,
        source_id=book.root.configuration["sources"][0],
        tool_call_id=None,
        withdraws_id=withdraws,
        reason_id=kept,
        reason_digest=book.salted(kept),
        released_by_id=5,
        released_at=book.now,
    )
    book.row("releases", row)
    subjects = {
        "release": row.id,
        "source": row.source_id,
        "tool_call": "",
        "withdraws": withdraws or "",
        "released_by": 5,
    }
    kind = "release_withdrawn" if withdraws else "release_recorded"
    digests = {"reason": row.reason_digest}
    book.tell(kind, row.id, subjects=subjects, digests=digests, chain="desk")
    return row.id
