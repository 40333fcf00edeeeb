"""The canonical text of each record that a part is of, with a constant number of queries.

Source: design.md D4, D14.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast
from uuid import UUID

from bullbear.content import load_all
from bullbear.models import ModelRequest, RequestPart
from dialogue.models import Claim, PeerMessage
from research.answers import OpeningAnswer
from research.completions import read, read_answer
from research.kinds import PartKind
from research.models import Finding, Opening, ToolCall

# For each kind: its rows, their content, and the column of their handle.
_TEXT_OF: Mapping[str, tuple[Any, str, str]] = {
    PartKind.OPENING: (Opening, "statement_id", ""),
    PartKind.TOOL_RESULT: (ToolCall, "result_id", "T"),
    PartKind.MESSAGE: (PeerMessage, "text_id", "M"),
    PartKind.CLAIM_QUOTE: (Claim, "quote_id", "C"),
    PartKind.FINDING: (Finding, "text_id", "F"),
}


_LISTS = ("unknown", "would_change")  # of an opening, whose lines are records of their own
_Key = tuple[str, str]  # kind and record of a part


class Records:
    """Canonical texts and handles of the records of one request's parts."""

    def __init__(self, request: ModelRequest, parts: Iterable[RequestPart], *, using: str) -> None:
        """Load what the parts name; a record that is not found has no text."""
        self._request = request
        self._using = using
        self._handles: dict[_Key, str] = {}
        named: dict[str, set[str]] = defaultdict(set)
        for part in parts:
            named[part.kind].add(part.record)
        stored = self._stored(named)
        if named[PartKind.QUESTION]:
            stored[PartKind.QUESTION, str(request.root_id)] = request.root.question_id
        answered = {
            **self._answered(PartKind.OPENING_LINE, Opening, named),
            **self._answered(PartKind.TOOL_ARGUMENTS, ToolCall, named),
        }
        wanted = [*stored.values(), *(response for _, response in answered.values())]
        contents = load_all(wanted, using=using)
        self._texts = {key: contents[one].decode() for key, one in stored.items()}
        for (kind, record), (row, response) in answered.items():
            found = _READ_FROM_ANSWER[kind](record, row, contents[response])
            if found is not None:
                self._texts[kind, record] = found

    def text(self, part: RequestPart) -> str | None:
        """Return the canonical text of a part's record; None where there is none to compare with."""
        return self._texts.get((part.kind, part.record))

    def handle(self, part: RequestPart) -> str:
        """Return the handle by which models know the record, if it has one."""
        return self._handles.get((part.kind, part.record), "")

    def prompt_sha256(self, part: RequestPart) -> str:
        """Return the digest a prompt was frozen with: its text is a file, not a row."""
        prompts: Mapping[str, str] = self._request.root.configuration.get("prompts", {})
        return prompts.get(part.record, "")

    def _stored(self, named: Mapping[str, set[str]]) -> dict[_Key, UUID]:
        """Name the content of each record whose text a row holds, and note its handle."""
        stored: dict[_Key, UUID] = {}
        for kind, (model, column, letter) in _TEXT_OF.items():
            for row in self._rows(model, named[kind]):
                key = (kind, str(row.pk))
                stored[key] = getattr(row, column)
                self._handles[key] = f"{letter}{row.number}" if letter else ""
        return stored

    def _answered(
        self, kind: str, model: Any, named: Mapping[str, set[str]]
    ) -> dict[_Key, tuple[Any, UUID]]:
        """Name the stored answers in which the texts of these records stand as a field."""
        owners = {record: record.partition(":")[0] for record in named[kind]}
        rows = {
            str(row.pk): row
            for row in self._rows(model, owners.values())
            if row.request.response_id
        }
        return {
            (kind, record): (rows[owner], rows[owner].request.response_id)
            for record, owner in owners.items()
            if owner in rows
        }

    def _rows(self, model: Any, records: Iterable[str]) -> Iterable[Any]:
        ids = [one for one in map(_uuid, records) if one is not None]
        if not ids:
            return ()
        rows = model.objects.using(self._using).filter(pk__in=ids, root_id=self._request.root_id)
        return cast("Iterable[Any]", rows.select_related("request") if _asks(model) else rows)


def _opening_line(record: str, _: Opening, response: bytes) -> str | None:
    answer = read_answer(read(response), OpeningAnswer)
    name, colon, index = record.partition(":")[2].partition(":")
    if not isinstance(answer, OpeningAnswer) or not colon or name not in _LISTS:
        return None
    lines: list[str] = getattr(answer, name)
    return lines[int(index)] if index.isdecimal() and int(index) < len(lines) else None


def _tool_arguments(_: str, call: ToolCall, response: bytes) -> str | None:
    asked = read(response).tools
    return asked[call.index].arguments if call.index < len(asked) else None


_READ_FROM_ANSWER: Mapping[str, Callable[[str, Any, bytes], str | None]] = {
    PartKind.OPENING_LINE: _opening_line,
    PartKind.TOOL_ARGUMENTS: _tool_arguments,
}


def _asks(model: Any) -> bool:
    return model in {Opening, ToolCall}


def _uuid(record: str) -> UUID | None:
    try:
        return UUID(record)
    except ValueError:
        return None


def pretty(raw: str) -> str:
    """Indent JSON for a reader; text that is none stays as it is."""
    try:
        return json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
    except ValueError:
        return raw
