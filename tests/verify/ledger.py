"""Write rows and receipts of a Root by hand, without a database.

Ids, times and salts are counted, so that a story told twice is the same record.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from audit.proof.record import Kept, Record
from audit.proof.runtime_rows import ChildRow, ReceiptRow, RootRow
from bullbear.identity import canonical

TAG = b"bullbear/receipt/1\x00"


def sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


class Ledger:
    """The rows and the chain of one Root, while it is being told."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Any]] = defaultdict(list)
        self.contents: dict[str, Kept] = {}
        self.root: RootRow
        self._ids = 0

    def new_id(self) -> str:
        self._ids += 1
        return str(UUID(int=(0x7 << 76) | (0x2 << 62) | self._ids))

    @property
    def now(self) -> str:
        """The time of the receipt that comes next."""
        return f"2026-03-01T10:00:{len(self.rows['receipts']):02}.000000Z"

    def keep(self, value: str | bytes) -> str:
        key = self.new_id()
        raw = value.encode() if isinstance(value, str) else value
        self.contents[key] = Kept(raw, sha256(key.encode()).encode()[:16])
        return key

    def salted(self, content_id: str) -> str:
        kept = self.contents[content_id]
        return sha256(kept.salt + kept.raw)

    def row(self, table: str, row: Any) -> Any:
        self.rows[table].append(row)
        return row

    def change(self, table: str, row_id: str, **fields: Any) -> Any:
        rows = self.rows[table]
        index = next(i for i, row in enumerate(rows) if row.id == row_id)
        rows[index] = replace(rows[index], **fields)
        return rows[index]

    def tell(
        self,
        kind: str,
        act: str,
        child: str = "",
        *,
        subjects: Mapping[str, Any] | None = None,
        digests: Mapping[str, str] | None = None,
        chain: str = "receipts",
    ) -> None:
        """Append a receipt to the chain, or to the desk's."""
        receipts = self.rows[chain]
        previous = receipts[-1].digest if receipts else bytes(32)
        now, seq = self.now, len(receipts) + 1
        body = canonical(
            {
                "v": 1,
                "root": self.root.id,
                "seq": seq,
                "recorded_at": now,
                "kind": kind,
                "act": act,
                "child": child,
                "subject": "",
                "subjects": dict(subjects or {}),
                "digests": dict(digests or {}),
            }
        )
        receipts.append(
            ReceiptRow(
                root_id=self.root.id,
                seq=seq,
                recorded_at=now,
                kind=kind,
                act=act,
                subject="",
                child_id=child or None,
                body=body,
                previous=previous,
                digest=hashlib.sha256(TAG + previous + hashlib.sha256(body).digest()).digest(),
            )
        )

    def child(self, role: str) -> ChildRow:
        found: ChildRow = next(row for row in self.rows["children"] if row.role == role)
        return found

    def wake(self, child_id: str, cause: str) -> None:
        child = next(row for row in self.rows["children"] if row.id == child_id)
        wakes = child.wakes + 1
        state = "ready" if child.state == "parked" else child.state
        self.change("children", child_id, wakes=wakes, state=state)
        self.tell(
            "child_woken",
            f"{child_id}:{wakes}",
            child_id,
            subjects={"cause": cause, "wakes": wakes},
        )

    def park(self, child_id: str) -> None:
        child = self.change("children", child_id, state="parked")
        act = f"{child_id}:{len(self.rows['receipts']) + 1}"
        self.tell("child_parked", act, child_id, subjects={"wakes": child.wakes})

    def end(self, child_id: str, state: str, reason: str = "") -> None:
        self.change("children", child_id, state=state, end_reason=reason)
        subjects = {"state": state, "reason": reason}
        self.tell("child_ended", child_id, child_id, subjects=subjects)

    def record(self) -> Record:
        """Close the book."""
        receipts = self.rows["receipts"]
        root = replace(self.root, receipts_seq=len(receipts), receipts_head=receipts[-1].digest)
        tables = {name: tuple(rows) for name, rows in self.rows.items()}
        return Record(root=root, **tables, contents=dict(self.contents))
