"""The model's host: what follows from the record without anybody asking, and what is sealed next.

Source: design.md D7 (the table), D9, D10, D17.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.machine import turns
from tests.machine.facts import (
    EXECUTIONS,
    LEASE_SECONDS,
    PEERS,
    TOOLS_AN_ANSWER,
    Child,
    Half,
    Request,
    Root,
)
from tests.machine.turns import COMPILE, Next, Slot

_SLOT_OF = {
    "invalid_output": "invalid",
    "provider_unavailable": "unused",
    "outcome_unknown": "unknown",
}


@dataclass(frozen=True)
class Lease:
    """Under which token, by which worker, a step would seal."""

    token: object
    worker: object
    seals: bool = True


@dataclass
class Host:
    """Everything there is, and the clock."""

    now: int = 0
    roots: list[Root] = field(default_factory=list)
    dead: set[object] = field(default_factory=set)  # workers that do not renew themselves

    def live_request(self, root: Root, role: str) -> Request | None:
        """Return an execution's request under way."""
        live = [one for one in root.requests if (one.role, one.state) == (role, "sealed")]
        assert len(live) <= 1
        return live[0] if live else None

    def _plan(self, root: Root, pattern: str) -> None:
        root.pattern = pattern
        for role in EXECUTIONS[pattern]:
            root.children[role] = Child(role)

    def _proceed(self, root: Root, child: Child, lease: Lease) -> Request | None:
        request = self._own_next(root, child, lease)
        self._wake_next(root, but=child)
        if request is None and child.state == "running":
            child.let_go("parked")
            stuck = all(one.state == "parked" for one in root.live())
            assert not stuck or self._is_waited_for(root), "everybody waits for nothing"
        return request

    def _is_waited_for(self, root: Root) -> bool:
        return any(turns.waits(root, one.role, self.now) for one in root.live())

    def _own_next(self, root: Root, child: Child, lease: Lease) -> Request | None:
        while True:
            self._settle(root, child)
            slot = turns.duty(root, child.role, self.now)
            if slot is COMPILE:
                self._end(root, child)
                return None
            if slot is None:
                return None
            next_ = turns.needs(root, child.role, slot, self.now)
            if next_.what in {"wait", "hold"}:
                return None
            if next_.what != "over" and not lease.seals:
                child.let_go("ready")
                return None
            if next_.what == "over":
                self._fail(root, child, slot, next_.how)
            elif (request := self._seal(root, child, slot, next_, lease)) is not None:
                return request

    def _seal(
        self, root: Root, child: Child, slot: Slot, next_: Next, lease: Lease
    ) -> Request | None:
        repeated = root.turn(child.role, slot.turn)[-1] if next_.what == "repeat" else None
        tools = min(TOOLS_AN_ANSWER, root.tools_left) if next_.offers_tools else 0
        if repeated is not None:
            tools = repeated.tools
        if not root.can_call(tools=tools, hand_back=slot.purpose == "synthesis"):
            self._cannot(root, child, slot)
            return None
        if slot.purpose == "synthesis" and root.state == "open":
            root.state, root.cause = "finalizing", "completed"
        tainted = repeated.tainted if repeated else child.tainted
        holds = len(root.messages) if slot.round else 0
        request = Request(
            child.role, slot.purpose, slot.turn, next_.attempt, next_.n, tools, tainted, holds
        )
        root.requests.append(request)
        child.state, child.token, child.worker = "running", lease.token, lease.worker
        child.hard_end = self.now + LEASE_SECONDS
        if slot.round and (not root.halves or root.halves[-1].outcome != "spent"):
            root.halves.append(Half(slot.round, slot.purpose))
        if slot.round:
            root.halves[-1].attempts = max(root.halves[-1].attempts, next_.attempt)
        return request

    def _cannot(self, root: Root, child: Child, slot: Slot) -> None:
        match slot.purpose:
            case "plan":
                self._plan(root, decided(root.terms.wish, ""))
            case "synthesis":
                root.synthesis = "given_up"
            case "opening":
                child.let_go("failed")
                child.end_reason = "budget"
            case _:
                root.pair_end = "budget"

    def _fail(self, root: Root, child: Child, slot: Slot, how: str) -> None:
        match slot.purpose:
            case "plan":
                self._plan(root, decided(root.terms.wish, ""))
            case "synthesis":
                root.synthesis = "given_up"
            case "opening":
                child.let_go("failed")
                child.end_reason = how
            case _:
                root.halves[-1].outcome = _SLOT_OF[how]

    def _settle(self, root: Root, me: Child | None) -> None:
        while self._one_act(root):
            pass
        for role in PEERS:
            if not turns.is_through(root, role, self.now):
                continue
            child = root.children[role]
            if child.state != "running" or child is me:
                cancelled = root.cause == "cancelled"
                child.let_go("stopped" if cancelled else "finished")
                child.end_reason = "cancelled" if cancelled else ""

    def _one_act(self, root: Root) -> bool:
        if root.state == "open" and self.now >= root.peers_stop_at:
            root.state, root.cause = "finalizing", "deadline"
        elif turns.may_offer(root):
            root.offer = True
        elif turns.may_freeze(root, self.now):
            root.pair = not (root.terms.unread and any(root.openings.values()))
            root.end_reason = "" if root.pair else "refused_scope"
        elif reason := turns.why_no_pair(root, self.now):
            root.end_reason = reason
        elif root.pair and not root.pair_end and (reason := turns.why_over(root, self.now)):
            root.pair_end = reason
        else:
            return False
        return True

    def _end(self, root: Root, main: Child) -> None:
        if root.state == "open":
            root.state, root.cause = "finalizing", "completed"
        root.synthesis = root.synthesis or "given_up"
        main.let_go("finished")
        expired = root.synthesis != "stands" and self.now >= root.deadline_at
        root.state = "expired" if expired else "finished"
        if root.cause == "cancelled":
            root.state = "cancelled"
        causes = root.cause if root.cause in {"cancelled", "deadline"} else ""
        reason = (root.pair_end if root.pair else root.end_reason) or causes
        failed = any(child.state == "failed" for child in root.children.values())
        whole = root.synthesis == "stands" and not failed and reason not in turns.PARTIAL
        root.result = "complete" if whole else "partial"

    def _wake_parked(self, root: Root) -> None:
        for child in root.children.values():
            if child.state == "parked":
                child.state, child.wakes = "ready", child.wakes + 1

    def _wake_next(self, root: Root, but: Child | None = None) -> None:
        for child in root.children.values():
            if child is but or child.state != "parked":
                continue
            slot = turns.duty(root, child.role, self.now)
            if slot is not None and not turns.waits(root, child.role, self.now):
                child.state, child.wakes = "ready", child.wakes + 1


def decided(wish: str, proposed: str) -> str:
    """Decide the pattern: exclusion beats everything; without a proposal the wish, else `parallel`."""
    if wish == "require":
        return "dialogue"
    if wish == "exclude" and proposed == "dialogue":
        return "parallel"
    return proposed or "parallel"
