"""The crash table: which process dies where.  What must hold then stands in the tests that name a row.

A Root of this table runs one dialogue in a fixed order, so that a step has a name: Bull opens, Bear opens
and its record joins the pair and seals the challenge, Bull concedes, Main disposes and compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.crash.arming import Kill
from tests.provider_double import Behaviour

PLAN = ("main", 1)
BULL_OPENING = ("bull", 1)
BEAR_OPENING = ("bear", 1)
CHALLENGE = ("bear", 2)
RESPONSE = ("bull", 2)
SYNTHESIS = ("main", 2)
PURPOSE = {
    PLAN: "plan",
    BULL_OPENING: "opening",
    BEAR_OPENING: "opening",
    CHALLENGE: "challenge",
    RESPONSE: "response",
    SYNTHESIS: "synthesis",
}
Turn = tuple[str, int]


@dataclass(frozen=True)
class Crash:
    """A process that dies, or stops, on one Root.

    Args:
        kill: where; None where it goes as far as it can.
        call: what the process does, of `orders.ORDERS`.
        first: another process died there on this Root before; its worker counts as dead at once.
        bear_first: Bear opens before Bull, so that Bull's record joins the pair.
        hints_too: the process publishes its hints, as a worker does.
        celery: the process is a real Celery worker, alone on a broker's database of its own.
        limits: of this Root.
        script: what the provider does with this Root's calls, before it answers well.
    """

    kill: Kill | None
    call: str = "drive"
    first: Kill | None = None
    bear_first: bool = False
    hints_too: bool = False
    celery: bool = False
    limits: Mapping[str, Any] = field(default_factory=dict)
    script: tuple[Behaviour, ...] = ()

    @property
    def turn(self) -> Turn:
        """Whose step it dies in."""
        assert self.kill is not None
        return self.kill.role, self.kill.nth

    @property
    def purpose(self) -> str:
        """What that step's request is for."""
        return PURPOSE[self.turn]

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        parts = [self.call] if self.call != "drive" else []
        for kill in (self.first, self.kill):
            if kill is not None:
                parts += [_where(kill)]
        parts += ["a Celery worker"] if self.celery else []
        parts += ["bear first"] if self.bear_first else []
        parts += [f"{name}={value}" for name, value in self.limits.items()]
        return ", ".join(parts)


def _where(kill: Kill) -> str:
    step = f" of {kill.role}'s {kill.step or 'step'} {kill.nth}" if kill.role else ""
    again = f" ({kill.hit})" if kill.hit > 1 else ""
    stops = " stops" if kill.sign == "SIGSTOP" else ""
    return f"{kill.point}{again}{step}{stops}"


def within(step: str, turn: Turn, *points: str, **more: Any) -> list[Crash]:
    """Die at each of these points in one step of one role."""
    role, nth = turn
    return [
        Crash(Kill(point, step=step, role=role, nth=nth, hit=HITS.get(point, 1)), **more)
        for point in points
    ]


# The head of a request is written before its body.
HITS = {"mid request": 2, "after the write": 2}

IN_FLIGHT = (
    "before the dispatch",
    "before the write",
    "mid request",
    "after the write",
    "mid response",
    "after the response",
)
UNCOMMITTED = (
    "before record",
    "before the transaction",
    "after the lock",
    "before the writes",
    "all but the Root row",
    "before the commit",
)
UNSEALED = (
    "before the transaction",
    "after the lock",
    "after the seal",
    "before the writes",
    "before the commit",
)
ARRIVED = frozenset({"after the write", "mid response", "after the response", *UNCOMMITTED})


def during(call: str, *points: str, hit: int = 1, **more: Any) -> list[Crash]:
    """Die at each of these points of a use case that is no execution's step."""
    return [Crash(Kill(point, step=call, hit=hit), call=call, **more) for point in points]


def hits_at(point: str) -> int:
    """Say how often a request arrived whole whose process died here after its seal."""
    return int(point in ARRIVED)
