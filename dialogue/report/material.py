"""Everything a report is made of, loaded with three queries however long the research was.

Source: design.md D4, D6, D13.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from bullbear.content import held_contents
from bullbear.identity import JsonValue
from bullbear.lifecycle import Role
from bullbear.models import Child, ModelRequest, RequestPart
from dialogue.case import DialogueCase
from dialogue.models import Gap, HalfRound
from dialogue.report.figures import render_figures
from research.answers import Answer
from research.completions import read, read_answer
from research.domain import Domain
from research.domains.registry import domain
from research.kinds import PartKind
from research.models import RootSource
from research.rules import AnswerClass

A = TypeVar("A", bound=Answer)
Section = dict[str, JsonValue]
_EXPOSING = (
    PartKind.OPENING,
    PartKind.MESSAGE,
    PartKind.TOOL_RESULT,
    PartKind.CLAIM_QUOTE,
    PartKind.FINDING,
)


@dataclass(frozen=True)
class Material:
    """The record as the sections of a report read it: no section asks the database.

    Shape:
        exposed: record id → the requests in which its text stands
        texts: content id → bytes
        results: handle of a tool call → its result, refused ones left out
    """

    case: DialogueCase
    domain: Domain
    sources: Sequence[RootSource]
    gaps: Sequence[Gap]
    exposed: Mapping[UUID, list[UUID]]
    texts: Mapping[UUID, bytes]
    results: Mapping[str, Mapping[str, Any]]

    def text(self, content_id: UUID) -> str:
        """Return a text verbatim."""
        return self.texts[content_id].decode()

    def rendered(self, text: str) -> str:
        """Write the figures that a model's prose cites."""
        return render_figures(text, self.results)

    def quoted(self, text: str) -> Section:
        """Write a model's text verbatim, and beside it with its figures, where it cites any."""
        section: Section = {"text": text}
        rendered = self.rendered(text)
        return section if rendered == text else section | {"with_figures": rendered}

    def role(self, child_id: UUID) -> Role:
        """Return the role of an execution."""
        return self.case.role_of(child_id)

    def request(self, request_id: UUID) -> ModelRequest | None:
        """Return a request of this Root."""
        return next((one for one in self.case.requests if one.pk == request_id), None)

    def answer(self, request_id: UUID | None, shape: type[A]) -> A | None:
        """Read a structured answer again from its stored response, or return None where none is valid."""
        request = self.request(request_id) if request_id else None
        raw = self.texts.get(request.response_id) if request and request.response_id else None
        if raw is None:
            return None
        answer = read_answer(read(raw), shape)
        return None if isinstance(answer, AnswerClass) else answer

    def requests_of(self, half: HalfRound) -> list[ModelRequest]:
        """Return the requests of a half-round, in order."""
        first = self.request(half.first_request_id)
        return self.case.turn(self.case.child(half.child_id), first.turn) if first else []

    def shown_to(self, child: Child, *, until: UUID | None) -> frozenset[str]:
        """Name what stood in an execution's requests up to and including one, or in any of them.

        A refused tool call shows nothing; a source was shown where a result that was shown rests on it.
        """
        own = []
        for request in self.case.requests:
            if request.child_id == child.pk:
                own.append(request.pk)
            if request.pk == until:
                break
        seen = {record for record, where in self.exposed.items() if not set(own).isdisjoint(where)}
        tools = [one for one in self.case.tool_calls if one.pk in seen and not one.refusal]
        used = {source for call in tools for source in call.used}
        return frozenset(
            [
                *(f"T{one.number}" for one in tools),
                *(f"S{one.number}" for one in self.sources if str(one.source_id) in used),
                *(f"M{one.number}" for one in self.case.messages if one.pk in seen),
                *(f"C{one.number}" for one in self.case.claims if one.pk in seen),
                *(f"F{one.number}" for one in self.case.findings if one.pk in seen),
            ]
        )


def load(case: DialogueCase) -> Material:
    """Load what the case does not hold yet: sources, parts and all texts, one query each."""
    root = case.root
    linked = RootSource.objects.filter(root=root).select_related("source__parse_report")
    sources = list(linked.order_by("number"))
    texts = held_contents(case.held, _content_ids(case, sources))
    return Material(
        case=case,
        domain=domain(root.domain),
        sources=sources,
        gaps=sorted(case.gaps, key=lambda gap: gap.pk),
        exposed=_exposed(case),
        texts=texts,
        results={
            f"T{call.number}": json.loads(texts[call.result_id])
            for call in case.tool_calls
            if not call.refusal
        },
    )


def _exposed(case: DialogueCase) -> dict[UUID, list[UUID]]:
    parts = RequestPart.objects.filter(request__root=case.root, kind__in=_EXPOSING)
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for request_id, record in parts.order_by("request_id").values_list("request_id", "record"):
        found[UUID(record)].append(request_id)
    return found


def _content_ids(case: DialogueCase, sources: Sequence[RootSource]) -> set[UUID]:
    """Name every text of the report: openings, messages, quotes, reasons, results, and the answers."""
    wanted = {case.root.question_id}
    for linked in sources:
        wanted |= {linked.source.title_id} | _given(linked.assigned_to_id)
    wanted |= {one.statement_id for one in case.openings}
    wanted |= {one.text_id for one in case.messages}
    wanted |= {one.text_id for one in case.findings}
    wanted |= {one.quote_id for one in case.claims}
    wanted |= {one.quote_id for one in case.moves}
    wanted |= {one.result_id for one in case.tool_calls if not one.refusal}
    for disposition in case.dispositions:
        wanted |= _given(disposition.reason_id)
    for request in case.requests:
        if request.outcome_class in {AnswerClass.VALID, AnswerClass.REFUSED_SEND}:
            wanted |= _given(request.response_id)
    return wanted


def _given(content_id: UUID | None) -> set[UUID]:
    return {content_id} if content_id else set()
