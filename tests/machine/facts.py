"""The model's facts: what must be on record of a Root, in plain Python.

The modules `facts`, `turns` and `model` import nothing of the product: its words are strings here, and its
rules are written a second time, from design.md.

Units: times are whole seconds of the database's clock, counted from the machine's start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

ENDED_ROOT = frozenset({"finished", "cancelled", "expired"})
ENDED_CHILD = frozenset({"finished", "failed", "stopped"})
PEERS = ("researcher", "bull", "bear")
EXECUTIONS = {
    "single": ("researcher",),
    "parallel": ("bull", "bear"),
    "dialogue": ("bull", "bear"),
}
HAND_BACK_CALLS = 4
TOOLS_AN_ANSWER = 4
LEASE_SECONDS = 75  # the provider's time-out of 60 s, and 15


@dataclass(frozen=True)
class Terms:
    """What a Root is opened with.

    `unread` names the side that may not read the portfolio, in a dialogue that was required; "" where
    Main plans and both may read everything.
    """

    wish: str
    rounds: int
    policy: str
    calls: int
    tools: int
    seconds: int
    finalize_seconds: int
    unread: str


@dataclass(frozen=True)
class Said:
    """What the provider does with one call.

    Args:
        state: what is known afterwards: answered, rejected, outcome_unknown.
        outcome: its class; of an answer, what it is worth where its turn still stands.
        act: what a valid answer does: plan, opening, challenge, proposition, response, no_further, synthesis,
            tools.
        pattern: which one a plan proposes.
        about: handles of the claims a message is about.
        conceded: those of them a response concedes.
        text: of a message, or an opening.
        asks_for: the tool it asks for.
        retry_after: seconds the provider asks to wait, if it does.
        repeatable: whether a rejection is worth a repeat.
        has_body: whether bytes of a response come.
        arrives: whether the call reaches the provider at all.
    """

    state: str
    outcome: str
    act: str = ""
    pattern: str = ""
    about: Sequence[str] = ()
    conceded: Sequence[str] = ()
    text: str = ""
    asks_for: str = ""
    retry_after: int | None = None
    repeatable: bool = True
    has_body: bool = True
    arrives: bool = True


@dataclass(eq=False)
class Request:
    """One sealed request."""

    role: str
    purpose: str
    turn: int
    attempt: int
    n: int
    tools: int
    tainted: bool  # the portfolio stands in it, which the other side may not see
    holds: int = 0  # so many messages stand in it
    state: str = "sealed"
    outcome: str = ""
    hits: int = 0
    retry_at: int | None = None
    decision: str = ""
    late: bool = False

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Where it stands: no two stand there."""
        return self.role, self.turn, self.attempt, self.n


@dataclass(eq=False)
class Child:
    """One execution."""

    role: str
    state: str = "parked"
    wakes: int = 0
    rescues: int = 0
    end_reason: str = ""
    token: object = None
    worker: object = None
    hard_end: int = 0
    tainted: bool = False  # it was shown the portfolio

    def let_go(self, state: str) -> None:
        """Be in a state that holds no lease."""
        self.state, self.token, self.worker = state, None, None


@dataclass(eq=False)
class Half:
    """One half-round."""

    round: int
    kind: str
    outcome: str = "spent"
    attempts: int = 1


@dataclass(eq=False)
class Claim:
    """One claim on the register."""

    author: str
    is_contested: bool = False
    is_conceded: bool = False

    @property
    def status(self) -> str:
        """Where it stands: derived from its moves."""
        if self.is_conceded:
            return "CONCEDED"
        return "CONTESTED" if self.is_contested else "OPEN"


@dataclass(frozen=True)
class Message:
    """One accepted message."""

    kind: str
    sender: str
    text: str
    about: Sequence[str]


@dataclass(eq=False)
class Root:
    """One research task, as it must be on record."""

    name: str
    terms: Terms
    opened_at: int
    state: str = "open"
    cause: str = ""
    result: str = ""
    end_reason: str = ""
    pattern: str = ""
    offer: bool = False
    pair: bool = False
    pair_end: str = ""
    synthesis: str = ""  # stands | given_up
    children: dict[str, Child] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    openings: dict[str, bool] = field(default_factory=dict)  # by role: whether tainted
    statements: list[str] = field(default_factory=list)
    claims: dict[str, Claim] = field(default_factory=dict)
    halves: list[Half] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    timers: list[list[int]] = field(default_factory=list)  # [fires at, whether fired]
    tools_ran: int = 0
    tools_spent: int = 0
    is_past_deadline: bool = False  # and that is on record

    @property
    def peers_stop_at(self) -> int:
        """When research and exchange end."""
        return self.deadline_at - self.terms.finalize_seconds

    @property
    def deadline_at(self) -> int:
        """When everything ends."""
        return self.opened_at + self.terms.seconds

    @property
    def has_ended(self) -> bool:
        """Whether its report stands."""
        return self.state in ENDED_ROOT

    def turn(self, role: str, turn: int) -> list[Request]:
        """Return the requests of one turn, in order."""
        return [one for one in self.requests if (one.role, one.turn) == (role, turn)]

    def counted(self, *states: str) -> int:
        """Count requests in these states."""
        return sum(one.state in states for one in self.requests)

    @property
    def calls_spent(self) -> int:
        """Debits: sealed requests but the rejected, those under way not yet among them."""
        return self.counted("answered", "outcome_unknown")

    @property
    def tools_reserved(self) -> int:
        """Tool calls set aside for what is under way."""
        return sum(one.tools for one in self.requests if one.state == "sealed")

    @property
    def tools_left(self) -> int:
        """Tool calls that can be reserved."""
        return self.terms.tools - self.tools_spent - self.tools_reserved

    def can_call(self, *, tools: int = 0, hand_back: bool = False) -> bool:
        """Whether one more call is free, and so many tool calls."""
        syntheses = sum(one.purpose == "synthesis" for one in self.requests)
        kept = 0 if hand_back else max(0, HAND_BACK_CALLS - syntheses)
        taken = self.calls_spent + self.counted("sealed") + 1
        return taken <= self.terms.calls - kept and tools <= self.tools_left

    def delivered(self) -> list[int]:
        """Number the messages that an answered request of their recipient holds."""
        answered = [one for one in self.requests if one.state == "answered"]
        return [
            number
            for number, message in enumerate(self.messages, start=1)
            if any(one.holds >= number and one.role != message.sender for one in answered)
        ]

    def live(self) -> list[Child]:
        """Return the executions that have not ended."""
        return [one for one in self.children.values() if one.state not in ENDED_CHILD]

    def ended(self, role: str) -> bool:
        """Whether a role's execution has ended; one that was never created has not."""
        return role in self.children and self.children[role].state in ENDED_CHILD

    def standing(self, author: str) -> list[str]:
        """Return the handles of a side's claims that it has not conceded."""
        return [
            handle
            for handle, claim in self.claims.items()
            if claim.author == author and claim.status != "CONCEDED"
        ]

    def statuses(self) -> Mapping[str, str]:
        """Return where each claim stands."""
        return {handle: claim.status for handle, claim in self.claims.items()}
