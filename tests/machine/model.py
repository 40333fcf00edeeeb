"""The pure model: what must be on record after each thing the machine did.

It is told what was done and what the provider answered, and predicts the record by its own rules.

Source: design.md D5 to D11, D17.
"""

from __future__ import annotations

from tests.machine import turns
from tests.machine.facts import Child, Claim, Half, Message, Request, Root, Said, Terms
from tests.machine.host import Host, Lease, decided

MAX_RESCUES = 3
MESSAGES = frozenset({"challenge", "proposition", "response"})


class Model(Host):
    """What is asked of the host, and what befalls it."""

    def open(self, name: str, terms: Terms) -> Root:
        """Open a Root; where one side may not read everything, the dialogue is planned with it."""
        root = Root(name, terms, self.now)
        root.children["main"] = Child("main", "ready")
        self.roots.append(root)
        if terms.unread:
            self._plan(root, "dialogue")
            self._wake_next(root)
        return root

    def begin(self, root: Root, role: str, lease: Lease) -> Request | None:
        """Begin an execution's step: the request it seals, if it does."""
        child = root.children[role]
        if child.token == lease.token:
            return self.live_request(root, role)
        if child.state != "ready" or root.has_ended:
            return None
        child.state = "running"
        return self._proceed(root, child, lease)

    def record(
        self, root: Root, request: Request, said: Said, lease: Lease, *, under: object
    ) -> Request | None:
        """Record what came of a request that was sealed `under` a token."""
        child = root.children[request.role]
        if child.token == lease.token:
            return self.live_request(root, request.role)
        if child.token != under:
            unknown = request.state == "outcome_unknown"
            request.late = request.late or (unknown and said.has_body)
            return None
        self._settle_request(root, child, request, said)
        return self._proceed(root, child, lease)

    def cancel(self, root: Root) -> bool:
        """Cancel a Root that is open."""
        if root.state != "open":
            return False
        root.state, root.cause = "finalizing", "cancelled"
        self._settle(root, None)
        self._wake_next(root)
        return True

    def decide(self, root: Root, kind: str) -> Request | None:
        """Decide about a held half-round, if there is one."""
        request = turns.held(root, self.now)
        if request is not None:
            request.decision = kind
            self._wake_parked(root)
        return request

    def sweep(self, *, sees_the_dead: bool) -> None:
        """Do once whatever is due."""
        under_way = [root for root in self.roots if not root.has_ended]
        for root in under_way:
            for child in root.live():
                self._rescue(root, child, sees_the_dead=sees_the_dead)
        for root in under_way:
            for timer in root.timers:
                if timer[0] <= self.now and not timer[1]:
                    timer[1] = True
                    self._wake_parked(root)
            if root.state == "open" and root.peers_stop_at <= self.now:
                root.state, root.cause = "finalizing", "deadline"
                self._wake_parked(root)
            if root.deadline_at <= self.now and not root.is_past_deadline:
                root.is_past_deadline = True
                self._wake_parked(root)

    def due_times(self) -> list[int]:
        """Say when something falls due that has not yet."""
        times = []
        for root in self.roots:
            if root.has_ended:
                continue
            times += [root.peers_stop_at, root.deadline_at]
            times += [fires_at for fires_at, fired in root.timers if not fired]
            times += [child.hard_end for child in root.live() if child.state == "running"]
        return sorted({time for time in times if time > self.now})

    def _settle_request(self, root: Root, child: Child, request: Request, said: Said) -> None:
        request.state, request.outcome = said.state, said.outcome
        if said.state == "outcome_unknown":
            root.tools_spent += request.tools
        elif said.state == "rejected":
            self._set_retry(root, request, said)
        else:
            request.state = "sealed"  # while it is judged, as its turn stood when it came
            request.outcome = self._worth(root, request, said)
            request.state = "answered"
            self._apply(root, child, request, said)

    def _set_retry(self, root: Root, request: Request, said: Said) -> None:
        asked = root.turn(request.role, request.turn)
        rejections = sum(one.state == "rejected" for one in asked)
        if not said.repeatable or rejections > turns.MAX_REPEATS:
            return
        waits = said.retry_after
        fires_at = self.now + (2 ** (rejections - 1) if waits is None else waits)
        end = root.deadline_at if request.role == "main" else root.peers_stop_at
        if fires_at < end:
            request.retry_at = fires_at
            root.timers.append([fires_at, False])

    def _worth(self, root: Root, request: Request, said: Said) -> str:
        slot = turns.duty(root, request.role, self.now)
        if slot is None or (slot.purpose, slot.turn) != (request.purpose, request.turn):
            return "late"
        if said.act == "tools":
            return "tool_calls" if request.tools else "tools_not_offered"
        is_message = said.outcome == "valid" and said.act in MESSAGES
        if is_message and self._may_not_see(root, request):
            return "refused_send"
        return said.outcome

    def _may_not_see(self, root: Root, request: Request) -> bool:
        return bool(root.terms.unread) and request.tainted

    def _apply(self, root: Root, child: Child, request: Request, said: Said) -> None:
        half = root.halves[-1] if root.halves else Half(0, "", "")
        match request.outcome, said.act:
            case "tool_calls", _:
                root.tools_ran += 1
                root.tools_spent += 1
                sees_it = root.terms.unread not in {"", child.role}
                child.tainted = child.tainted or (sees_it and said.asks_for == "read_source")
            case "valid", "plan":
                self._plan(root, decided(root.terms.wish, said.pattern))
            case "valid", "opening":
                root.openings[child.role] = request.tainted
                root.statements.append(said.text)
                for _ in range(len(said.about) or 1):
                    root.claims[f"C{len(root.claims) + 1}"] = Claim(child.role)
            case "valid", "synthesis":
                root.synthesis = "stands"
            case "valid", "no_further":
                half.outcome = "closed"
            case "refused_send", _:
                half.outcome = "refused"
                root.refused.append(said.text)
            case "valid", "challenge" | "proposition" | "response":
                half.outcome = "accepted"
                about = tuple(said.about)
                root.messages.append(Message(said.act, child.role, said.text, about))
                self._move(root, said)

    def _move(self, root: Root, said: Said) -> None:
        for handle in said.about:
            claim = root.claims[handle]
            claim.is_contested = claim.is_contested or said.act == "challenge"
            claim.is_conceded = claim.is_conceded or handle in said.conceded

    def _rescue(self, root: Root, child: Child, *, sees_the_dead: bool) -> None:
        if child.state != "running":
            return
        passed = child.hard_end <= self.now
        if not passed and not (sees_the_dead and child.worker in self.dead):
            return
        request = self.live_request(root, child.role)
        assert request is not None, "an execution runs without a request"
        request.state = "outcome_unknown"
        request.outcome = "lease_passed" if passed else "worker_lost"
        root.tools_spent += request.tools
        child.rescues += 1
        fails = child.rescues >= MAX_RESCUES and child.role != "main"
        child.let_go("failed" if fails else "ready")
        child.end_reason = "rescued_three_times" if fails else ""
        self._wake_parked(root)
