"""A record with its indexes: everything that a check looks up, read once.

A look-up that finds nothing is itself a bad place: a row names a row that is not on record.

Source: design.md D18.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

from audit.proof.dialogue_rows import ClaimRow, HalfRoundRow, MessageRow, PairRow
from audit.proof.reading import Fact, mapping, message_of, read_json, read_receipt, text
from audit.proof.record import Record
from audit.proof.research_rows import FindingRow, OpeningRow, ToolCallRow
from audit.proof.runtime_rows import ChildRow, PartRow, RequestRow, RootRow
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import CODECS


class _Row(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=_Row)


class Evidence:
    """The record of one Root, as the checks read it."""

    def __init__(self, record: Record) -> None:
        """Index a record; nothing is judged yet."""
        self.record = record
        self.root: RootRow = record.root
        self._children = _by_id(record.children)
        self._requests = _by_id(record.requests)
        self._openings = _by_id(record.openings)
        self._findings = _by_id(record.findings)
        self._tool_calls = _by_id(record.tool_calls)
        self._messages = _by_id(record.messages)
        self._claims = _by_id(record.claims)
        self._half_rounds = _by_id(record.half_rounds)
        self._answers: dict[str, Mapping[str, Any]] = {}
        self._replies: dict[str, Mapping[str, Any]] = {}

    @property
    def label(self) -> str:
        """The lineage label of what belongs to the Root's own scope."""
        return f"root:{self.root.id}"

    @property
    def pair(self) -> PairRow | None:
        """The frozen pair, if there is one; the row checks hold that there is no second."""
        return self.record.pairs[0] if self.record.pairs else None

    @cached_property
    def facts(self) -> Sequence[Fact]:
        """The receipts, read, in the order of the chain."""
        return [read_receipt(row) for row in self.record.receipts]

    @cached_property
    def _fact_of(self) -> Mapping[tuple[str, str], Fact]:
        return {(fact.kind, fact.act): fact for fact in self.facts}

    def fact(self, kind: str, act: str) -> Fact | None:
        """Return the receipt of an act, if there is one."""
        return self._fact_of.get((kind, act))

    def seq(self, kind: str, act: str, place: str) -> int:
        """Return the place of an act's receipt in the chain."""
        fact = self.fact(kind, act)
        if fact is None:
            raise Bad(place, f"it has no receipt {kind}")
        return fact.seq

    def child(self, child_id: str, place: str) -> ChildRow:
        """Return an execution."""
        return _found(self._children, child_id, place, "execution")

    def request(self, request_id: str, place: str) -> RequestRow:
        """Return a request."""
        return _found(self._requests, request_id, place, "request")

    def opening(self, opening_id: str, place: str) -> OpeningRow:
        """Return an opening."""
        return _found(self._openings, opening_id, place, "opening")

    def finding(self, finding_id: str, place: str) -> FindingRow:
        """Return a finding."""
        return _found(self._findings, finding_id, place, "finding")

    def tool_call(self, call_id: str, place: str) -> ToolCallRow:
        """Return a tool call."""
        return _found(self._tool_calls, call_id, place, "tool call")

    def message(self, message_id: str, place: str) -> MessageRow:
        """Return a message."""
        return _found(self._messages, message_id, place, "message")

    def claim(self, claim_id: str, place: str) -> ClaimRow:
        """Return a claim."""
        return _found(self._claims, claim_id, place, "claim")

    def half_round(self, half_round_id: str, place: str) -> HalfRoundRow:
        """Return a half-round."""
        return _found(self._half_rounds, half_round_id, place, "half-round")

    @cached_property
    def _parts(self) -> Mapping[str, list[PartRow]]:
        found: dict[str, list[PartRow]] = defaultdict(list)
        for part in self.record.parts:
            found[part.request_id].append(part)
        for parts in found.values():
            parts.sort(key=lambda part: part.ordinal)
        return found

    def parts(self, request: RequestRow) -> Sequence[PartRow]:
        """Return what stands in a request, in order."""
        return self._parts.get(request.id, ())

    def shown(self, request: RequestRow, kind: str) -> Sequence[str]:
        """Name the records of a kind that stand in a request, in order."""
        return [part.record for part in self.parts(request) if part.kind == kind]

    def role(self, child_id: str, place: str) -> str:
        """Return the role of an execution."""
        return self.child(child_id, place).role

    def raw(self, content_id: str | None, place: str) -> bytes:
        """Return the bytes of a content."""
        kept = self.record.contents.get(content_id or "")
        if kept is None:
            raise Bad(place, "its content is not on record, or cannot be read")
        if kept.codec not in CODECS:
            raise Unknown(place, f"its content is kept as {kept.codec!r}, which is not known")
        return kept.raw

    def text(self, content_id: str | None, place: str) -> str:
        """Return the text of a content."""
        try:
            return self.raw(content_id, place).decode()
        except UnicodeDecodeError as error:
            raise Bad(place, "its text is not UTF-8") from error

    def salted(self, content_id: str | None, place: str) -> str:
        """Recompute the salted digest of a content."""
        raw = self.raw(content_id, place)
        return hashlib.sha256(self.record.contents[content_id or ""].salt + raw).hexdigest()

    def reply(self, request: RequestRow) -> Mapping[str, Any]:
        """Read the message of a request's stored response."""
        if request.id not in self._replies:
            place = self.place_of(request)
            raw = self.raw(request.response_id, place)
            self._replies[request.id] = message_of(raw, place)
        return self._replies[request.id]

    def answer(self, request: RequestRow) -> Mapping[str, Any]:
        """Read the structured answer of a request from its stored response."""
        if request.id not in self._answers:
            place = self.place_of(request)
            content = text(self.reply(request).get("content"), place, "the answer")
            value = read_json(content, place, "the answer")
            self._answers[request.id] = mapping(value, place, "the answer")
        return self._answers[request.id]

    def valid_answer(
        self, request_id: str, place: str, *, worth: str = "valid"
    ) -> Mapping[str, Any]:
        """Read the answer that a fact rests on: answered, and worth what the fact needs."""
        request = self.request(request_id, place)
        require(
            request.state == "answered" and request.outcome_class == worth,
            place,
            f"it rests on an answer that is {request.state} ({request.outcome_class})",
        )
        return self.answer(request)

    def place_of(self, request: RequestRow) -> str:
        """Name a request in words."""
        child = self._children.get(request.child_id)
        role = child.role if child else "nobody"
        number = f"{request.turn}.{request.attempt}.{request.n}"
        return f"{role}'s {request.purpose} request {number}"


def _by_id(rows: Sequence[R]) -> Mapping[str, R]:
    return {row.id: row for row in rows}


def _found(rows: Mapping[str, R], key: str, place: str, what: str) -> R:
    row = rows.get(key)
    if row is None:
        raise Bad(place, f"it names the {what} {key or '(none)'}, which is not on record")
    return row
