"""Ways to change a record after the fact."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from audit.proof.checks import verify
from audit.proof.record import Kept, Record
from audit.proof.runtime_rows import ReceiptRow
from audit.proof.verdict import Result
from bullbear.identity import canonical
from tests.verify.ledger import TAG

Body = dict[str, Any]
Edit = Callable[[list[Body]], list[Body]]
TABLES = [one.name for one in fields(Record) if one.name not in {"root", "contents"}]


@dataclass(frozen=True)
class Change:
    """One field of one row, changed to a value."""

    table: str
    index: int
    field: str
    value: Any

    def __str__(self) -> str:
        return f"{self.table}[{self.index}].{self.field} = {self.value!r:.60}"

    def made_in(self, record: Record) -> Record:
        return with_row(record, self.table, self.index, **{self.field: self.value})


def with_row(record: Record, table: str, index: int = 0, /, **values: Any) -> Record:
    """Change columns of one row."""
    if table == "root":
        return replace(record, root=replace(record.root, **values))
    rows = list(getattr(record, table))
    rows[index] = replace(rows[index], **values)
    return with_rows(record, table, rows)


def with_rows(record: Record, table: str, rows: list[Any]) -> Record:
    tables: dict[str, Any] = {table: tuple(rows)}
    return replace(record, **tables)


def without(record: Record, table: str, index: int = 0) -> Record:
    """Delete one row."""
    rows = list(getattr(record, table))
    del rows[index]
    return with_rows(record, table, rows)


def with_content(record: Record, content_id: str | None, /, **values: Any) -> Record:
    key = content_id or ""
    kept = replace(record.contents[key], **values)
    return replace(record, contents={**record.contents, key: kept})


def flipped(kept: Kept, at: int) -> bytes:
    """Return the bytes with one bit flipped."""
    raw = bytearray(kept.raw)
    raw[at] ^= 1
    return bytes(raw)


def retold(record: Record, edit: Edit) -> Record:
    """Rewrite the whole chain consistently: numbers, links, columns and head."""
    bodies = edit([json.loads(row.body) for row in record.receipts])
    rows: list[ReceiptRow] = []
    previous = bytes(32)
    for seq, body in enumerate(bodies, start=1):
        body["seq"] = seq
        raw = canonical(body)
        digest = hashlib.sha256(TAG + previous + hashlib.sha256(raw).digest()).digest()
        rows.append(
            ReceiptRow(
                root_id=body["root"],
                seq=seq,
                recorded_at=body["recorded_at"],
                kind=body["kind"],
                act=body["act"],
                subject=body["subject"],
                child_id=body["child"] or None,
                body=raw,
                previous=previous,
                digest=digest,
            )
        )
        previous = digest
    record = with_rows(record, "receipts", rows)
    return with_row(record, "root", receipts_seq=len(rows), receipts_head=previous)


def saying(kind: str, nth: int = 0, *, digest: str = "", **subjects: Any) -> Edit:
    """Let the nth receipt of a kind say something else.

    Args:
        kind: which fact.
        nth: which of its receipts.
        digest: of its only digest.
        subjects: what it says instead.
    """

    def edit(bodies: list[Body]) -> list[Body]:
        body = [one for one in bodies if one["kind"] == kind][nth]
        body["subjects"] |= subjects
        if digest:
            (name,) = body["digests"]
            body["digests"][name] = digest
        return bodies

    return edit


def unsaid(kind: str, nth: int = 0) -> Edit:
    """Leave out the nth receipt of a kind."""

    def edit(bodies: list[Body]) -> list[Body]:
        body = [one for one in bodies if one["kind"] == kind][nth]
        return [one for one in bodies if one is not body]

    return edit


def every_change(record: Record) -> Iterator[Change]:
    """Change every field of every row; of the first row of each table in several ways."""
    for table in ["root", *TABLES]:
        rows = [record.root] if table == "root" else getattr(record, table)
        for index, row in enumerate(rows):
            for column in fields(row):
                before = getattr(row, column.name)
                values = [value for value in others(before) if value != before]
                for value in values[: None if index == 0 else 1]:
                    yield Change(table, index, column.name, value)


def others(value: Any) -> list[Any]:
    """Other values of the same type, and nothing at all."""
    match value:
        case None:
            return ["x"]
        case bool():
            return [not value]
        case int():
            return [value + 1, max(0, value - 1)]
        case str():
            return [f"{value}x", f"x{value[1:]}", ""]
        case bytes():
            return [bytes([value[0] ^ 1]) + value[1:], value[:-1], b""]
        case tuple():
            return [(*value, "x"), value[1:], tuple(reversed(value))]
        case dict():
            first = next(iter(value), "")
            less = {key: one for key, one in value.items() if key != first}
            return [{**value, "x": 1}, {**less, first: "x"}, less]
        case _:
            raise TypeError(f"no other value of {value!r}")


def assert_mismatch(record: Record, place: str, problem: str) -> None:
    verdict = verify(record)
    assert verdict.result is Result.MISMATCH
    assert verdict.place == place
    assert verdict.problem.startswith(problem)
