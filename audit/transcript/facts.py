"""Load what is on record of a Root, with a constant number of queries.

Source: design.md D4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from bullbear.content import load_all
from bullbear.models import Child, ModelRequest, RequestPart, Root
from dialogue.models import (
    Claim,
    ClaimMove,
    Disposition,
    Gap,
    HalfRound,
    Pair,
    PeerMessage,
)
from research.kinds import PartKind
from research.models import Finding, Opening, Plan, RootSource, ToolCall

_TEXTS_OF_CHILDREN = (PartKind.MESSAGE, PartKind.OPENING)


@dataclass(frozen=True, slots=True)
class Facts:
    """The rows of one Root; `parts` are those of messages and openings."""

    root: Root
    children: Mapping[UUID, Child]
    requests: Mapping[UUID, ModelRequest]
    parts: list[RequestPart]
    sources: list[RootSource]
    plan: Plan | None
    openings: list[Opening]
    tool_calls: list[ToolCall]
    findings: list[Finding]
    pair: Pair | None
    half_rounds: list[HalfRound]
    messages: list[PeerMessage]
    claims: list[Claim]
    moves: list[ClaimMove]
    dispositions: list[Disposition]
    gaps: list[Gap]

    def role(self, child_id: UUID | None) -> str:
        """Return the role of an execution, or nothing for none."""
        return str(self.children[child_id].role) if child_id else ""

    def turn(self, child_id: UUID, turn: int) -> list[ModelRequest]:
        """Return the requests of one turn, in order."""
        of_turn = [r for r in self.requests.values() if r.child_id == child_id and r.turn == turn]
        return sorted(of_turn, key=lambda one: (one.attempt, one.n))


def load_facts(root: Root, *, using: str) -> Facts:
    """Load the rows of a Root that the reader may see."""
    children = Child.objects.using(using).filter(root=root).order_by("pk")
    requests = ModelRequest.objects.using(using).filter(root=root).order_by("pk")
    parts = RequestPart.objects.using(using).filter(
        request__root=root, kind__in=_TEXTS_OF_CHILDREN
    )
    sources = RootSource.objects.using(using).filter(root=root).order_by("number")
    halves = HalfRound.objects.using(using).filter(pair__root=root)
    moves = ClaimMove.objects.using(using).filter(claim__root=root)
    return Facts(
        root=root,
        children={one.pk: one for one in children},
        requests={one.pk: one for one in requests},
        parts=list(parts.order_by("request_id", "ordinal")),
        sources=list(sources.select_related("source__parse_report")),
        plan=Plan.objects.using(using).filter(root=root).first(),
        openings=list(Opening.objects.using(using).filter(root=root).order_by("pk")),
        tool_calls=list(ToolCall.objects.using(using).filter(root=root).order_by("number")),
        findings=list(Finding.objects.using(using).filter(root=root).order_by("number")),
        pair=Pair.objects.using(using).filter(root=root).first(),
        half_rounds=sorted(halves, key=lambda one: (one.round, one.kind == "response")),
        messages=list(PeerMessage.objects.using(using).filter(root=root).order_by("number")),
        claims=list(Claim.objects.using(using).filter(root=root).order_by("number")),
        moves=list(moves.order_by("pk")),
        dispositions=list(Disposition.objects.using(using).filter(root=root)),
        gaps=list(Gap.objects.using(using).filter(root=root).order_by("recorded_at", "pk")),
    )


def load_contents(facts: Facts, *, using: str) -> Mapping[UUID, bytes]:
    """Load every content the page shows or reads, with one query."""
    answers = [facts.requests[one].response_id for one in _answering(facts)]
    wanted = [
        facts.root.question_id,
        *(one.statement_id for one in facts.openings),
        *(one.text_id for one in facts.messages),
        *(one.text_id for one in facts.findings),
        *(one.quote_id for one in facts.claims),
        *(one.quote_id for one in facts.moves),
        *(one.reason_id for one in facts.dispositions),
        *(one.result_id for one in facts.tool_calls),
        *(one.source.title_id for one in facts.sources),
        *(one.assigned_to_id for one in facts.sources),
        *answers,
    ]
    return load_all([one for one in wanted if one], using=using)


def _answering(facts: Facts) -> Iterable[UUID]:
    """Name the requests whose stored answers hold fields that no row repeats."""
    if facts.plan and facts.plan.request_id:
        yield facts.plan.request_id
    yield from (one.request_id for one in facts.openings)
    yield from (one.request_id for one in facts.messages)
    yield from {one.request_id for one in facts.dispositions if one.request_id}
    for half in facts.half_rounds:
        first = facts.requests[half.first_request_id]
        yield facts.turn(half.child_id, first.turn)[-1].pk
