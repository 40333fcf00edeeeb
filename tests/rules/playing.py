"""Play a dialogue by its rules alone: the host acts as the record demands, models do what is drawn.

A turn has two halves, as a step has: it is begun (its half-round spent), then something may happen outside –
cancel, deadline, an empty budget – and then it is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bullbear.lifecycle import ENDED_CHILD, Cause, ChildState, Role, RootState
from dialogue.pair_rules import may_freeze, pair_end, peer_is_through, why_no_pair
from dialogue.rules import (
    PEERS,
    ClaimStatus,
    Compile,
    HalfRoundView,
    PairView,
    Slot,
    SlotKind,
    SlotOutcome,
    View,
    duty,
    next_actor,
)
from research.answers import Pattern
from research.rules import Purpose
from tests.rules.views import CREATED

T = TypeVar("T")
Choose = Callable[[list[T]], T]
EXECUTIONS = {
    Pattern.SINGLE: (Role.RESEARCHER,),
    Pattern.PARALLEL: (Role.BULL, Role.BEAR),
    Pattern.DIALOGUE: (Role.BULL, Role.BEAR),
}
OF_A_CHALLENGE = [outcome for outcome in SlotOutcome if outcome is not SlotOutcome.SPENT]
OUTSIDE = ["nothing", "nothing", "nothing", "cancel", "peers stop", "deadline", "no budget"]


@dataclass
class Play:
    """One Root from its creation to its end."""

    choose: Choose[object]
    max_rounds: int
    view: View = CREATED
    turns: list[tuple[Role, Slot]] = field(default_factory=list)
    seen: list[View] = field(default_factory=list)  # each view in which nobody runs

    def to_the_end(self) -> None:
        """Let whoever is due take a turn until the Root has ended."""
        while self.view.state in {RootState.OPEN, RootState.FINALIZING}:
            self._settle()
            self.seen.append(self.view)
            due = sorted(next_actor(self.view))
            assert due, f"everybody waits for nothing: {self.view}"
            assert len(self.turns) <= 2 * self.max_rounds + 4, "it does not end"
            self._take_turn(self._chosen(due))

    def _chosen(self, options: list[T]) -> T:
        chosen = self.choose(list(options))
        return next(option for option in options if option is chosen)

    def _take_turn(self, role: Role) -> None:
        due = duty(self.view, role)
        assert due is not None
        if isinstance(due, Compile):
            self._end()
            return
        self.turns.append((role, due))
        self._set(role, ChildState.RUNNING)
        self._spend(due)
        self._happen(self._chosen(OUTSIDE))
        self._settle()
        self._record(role, due)
        if self.view.executions[role] is ChildState.RUNNING:
            self._set(role, ChildState.PARKED)

    def _spend(self, slot: Slot) -> None:
        if self.view.pair is not None and slot.round:
            kind = SlotKind(slot.purpose.value)
            half = HalfRoundView(slot.round, kind, SlotOutcome.SPENT)
            self._pair(half_rounds=(*self.view.pair.half_rounds, half))

    def _happen(self, event: str) -> None:
        view = self.view
        match event:
            case "cancel" if view.state is RootState.OPEN:
                self.view = replace(view, state=RootState.FINALIZING, cause=Cause.CANCELLED)
            case "peers stop":
                self.view = replace(view, now=max(view.now, view.peers_stop_at))
            case "deadline":
                self.view = replace(view, now=view.deadline_at)
            case "no budget":
                self.view = replace(view, peer_budget=False)

    def _record(self, role: Role, slot: Slot) -> None:
        if duty(self.view, role) != slot:
            return  # its turn ended meanwhile: stored, billed, not used
        match slot.purpose:
            case Purpose.PLAN:
                self._plan(self._chosen(list(Pattern)))
            case Purpose.OPENING if self._chosen([True, True, True, False]):
                self.view = replace(self.view, openings=self.view.openings | {role})
            case Purpose.OPENING:
                self._set(role, ChildState.FAILED)
            case Purpose.CHALLENGE | Purpose.RESPONSE:
                self._record_half_round(slot)
            case Purpose.SYNTHESIS:
                self.view = replace(self.view, synthesis=True)

    def _plan(self, pattern: Pattern) -> None:
        created = dict.fromkeys(EXECUTIONS[pattern], ChildState.PARKED)
        self.view = replace(
            self.view, pattern=pattern, executions={**self.view.executions, **created}
        )

    def _record_half_round(self, slot: Slot) -> None:
        pair = self.view.pair
        assert pair is not None
        outcome = self._chosen(OF_A_CHALLENGE)
        half = replace(pair.half_rounds[-1], outcome=outcome)
        refusals = pair.scope_refusals + (outcome is SlotOutcome.REFUSED)
        claims = dict(pair.claims)
        if outcome is SlotOutcome.ACCEPTED and slot.purpose is Purpose.CHALLENGE:
            standing = [c for c, status in claims.items() if status is not ClaimStatus.CONCEDED]
            claims[self._chosen(standing)] = ClaimStatus.CONTESTED
        if outcome is SlotOutcome.ACCEPTED and slot.purpose is Purpose.RESPONSE:
            contested = [c for c, status in claims.items() if status is ClaimStatus.CONTESTED]
            claims[self._chosen(contested)] = self._chosen(
                [ClaimStatus.CONTESTED, ClaimStatus.CONCEDED]
            )
        self._pair(
            half_rounds=(*pair.half_rounds[:-1], half), scope_refusals=refusals, claims=claims
        )

    def _settle(self) -> None:
        """What `dialogue/settle.py` does, in its order."""
        while True:
            view = self.view
            if may_freeze(view):
                claims = dict.fromkeys(("C1", "C2"), ClaimStatus.OPEN)
                self.view = replace(view, pair=PairView(self.max_rounds, "", (), claims))
            elif (reason := why_no_pair(view)) is not None:
                self.view = replace(view, no_pair=str(reason))
            elif (ended := pair_end(view)) is not None:
                self._pair(end_reason=str(ended))
            else:
                break
        for role in PEERS:
            running = self.view.executions.get(role) is ChildState.RUNNING
            if peer_is_through(self.view, role) and not running:
                cancelled = self.view.cause is Cause.CANCELLED
                self._set(role, ChildState.STOPPED if cancelled else ChildState.FINISHED)

    def _end(self) -> None:
        self.view = replace(self.view, state=RootState.FINISHED)

    def _set(self, role: Role, state: ChildState) -> None:
        assert self.view.executions[role] not in ENDED_CHILD
        self.view = replace(self.view, executions={**self.view.executions, role: state})

    def _pair(self, **changed: object) -> None:
        assert self.view.pair is not None
        self.view = replace(self.view, pair=replace(self.view.pair, **changed))  # type: ignore[arg-type]
