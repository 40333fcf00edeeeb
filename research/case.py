"""A Root's facts, loaded once under its lock, as the use cases of one step share them.

A use case adds what it writes to the case, so the next one sees it without another query.

Source: design.md D7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from bullbear.lifecycle import RequestState, Role
from bullbear.locks import Held
from bullbear.models import Child, ModelRequest, RequestPart, Root, Timer
from bullbear.outcomes import OutcomeClass, is_repeatable
from bullbear.reading import Rows, Table
from research.answers import Pattern
from research.authority import PEER_OF, both_may_see, root_label
from research.kinds import FindingKind
from research.models import Finding, Opening, Plan, ToolCall
from research.rules import Asked, Purpose


@dataclass
class Case:
    """What is on record of a Root."""

    held: Held
    children: list[Child] = field(default_factory=list)
    requests: list[ModelRequest] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)
    plan: Plan | None = None
    openings: list[Opening] = field(default_factory=list)
    tool_calls: list[ToolCall] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def root(self) -> Root:
        """The locked Root."""
        return self.held.root

    @property
    def now(self) -> datetime:
        """The database's clock, after the lock."""
        return self.held.now

    @property
    def configuration(self) -> Mapping[str, Any]:
        """The frozen configuration."""
        configuration: Mapping[str, Any] = self.root.configuration
        return configuration

    @property
    def label(self) -> str:
        """The lineage label of the Root's own scope."""
        return root_label(self.root.pk)

    def child_of(self, role: Role) -> Child | None:
        """Return the execution of a role, if there is one."""
        return next((child for child in self.children if child.role == role), None)

    def child(self, child_id: UUID) -> Child:
        """Return an execution of this Root by its id."""
        return next(child for child in self.children if child.pk == child_id)

    def turn(self, child: Child, turn: int) -> list[ModelRequest]:
        """Return the requests of one turn, in order."""
        of_turn = [r for r in self.requests if r.child_id == child.pk and r.turn == turn]
        return sorted(of_turn, key=lambda request: (request.attempt, request.n))

    def asked(self, child: Child, turn: int) -> list[Asked]:
        """Return one turn as the rules read it."""
        return [as_asked(request) for request in self.turn(child, turn)]

    def retry_at(self, child: Child) -> datetime | None:
        """Return when the timer of the execution's last request fires, if it has one.

        A request is sealed after the timer of an earlier one has fired, and its own is set later.
        """
        sealed_at = max(
            (r.sealed_at for r in self.requests if r.child_id == child.pk), default=None
        )
        of_last = [
            timer.fires_at
            for timer in self.timers
            if timer.child_id == child.pk and sealed_at and timer.fires_at > sealed_at
        ]
        return max(of_last, default=None)

    def opening_of(self, role: Role) -> Opening | None:
        """Return a role's accepted opening."""
        child = self.child_of(role)
        return next((o for o in self.openings if child and o.child_id == child.pk), None)

    def tools_of(self, child: Child, *, private: bool = False) -> list[ToolCall]:
        """Return an execution's tool calls in order: those of its private research, or all others."""
        researching = {one.pk for one in self.requests if one.purpose == Purpose.RESEARCH}
        return [
            call
            for call in self.tool_calls
            if call.child_id == child.pk and (call.request_id in researching) is private
        ]

    def showable(self, child: Child) -> frozenset[str]:
        """Return the labels of what may stand in an execution's requests by itself.

        Where a dialogue is planned, openings and exchange are built from what both sides may see; more
        enters only by a tool that the execution asks for.

        Source: design.md D14.
        """
        labels = frozenset(child.authorization["labels"])
        peer = PEER_OF.get(Role(child.role))
        other = self.child_of(peer) if peer else None
        if other is None or self.plan is None or self.plan.pattern != Pattern.DIALOGUE:
            return labels
        return both_may_see(child.authorization, other.authorization)

    def has_researched(self, child: Child) -> bool:
        """Whether an execution's private research is on record."""
        return any(
            one.child_id == child.pk and one.kind == FindingKind.PRIVATE_RESEARCH
            for one in self.findings
        )


def as_asked(request: ModelRequest) -> Asked:
    """Read a request row as the rules read it."""
    state = RequestState(request.state)
    repeatable = state is RequestState.REJECTED and is_repeatable(
        OutcomeClass(request.outcome_class)
    )
    return Asked(request.attempt, request.n, state, request.outcome_class, repeatable)


RESEARCH = (
    Table(Child),
    Table(Plan),
    Table(ModelRequest),
    Table(Timer, "child_id", through=Child),
    Table(Opening),
    Table(ToolCall),
    Table(Finding),
)


def fill_research(case: Case, rows: Rows) -> None:
    """Put what executions did alone in order."""
    case.children = rows.of(Child)
    case.plan = rows.one(Plan)
    case.requests = rows.of(ModelRequest)
    by_id = {child.pk: child for child in case.children}
    for request in case.requests:
        request.child = by_id[request.child_id]
    case.timers = rows.of(Timer)
    case.openings = rows.of(Opening)
    case.tool_calls = rows.of(ToolCall, by="number")
    case.findings = rows.of(Finding, by="number")


def shown_records(child_id: UUID, kinds: Iterable[str]) -> frozenset[str]:
    """Name the records of these kinds that stood in any request of an execution."""
    parts = RequestPart.objects.filter(request__child_id=child_id, kind__in=list(kinds))
    return frozenset(parts.values_list("record", flat=True).distinct())
