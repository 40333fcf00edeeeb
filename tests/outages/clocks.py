"""Scenario: the same questions, first with right clocks, then with workers and a sweeper off by an hour."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from bullbear.models import Receipt, Root, Worker
from bullbear.queries import database_now
from tests.crash.answers import answers
from tests.crash.snapshot import Snapshot
from tests.crash.stage import Facts
from tests.outages.crew import Crew, tag
from tests.outages.database import Play
from tests.provider_double import Behaviour
from tests.scripted import BULL_OPENING, challenge_in, fails, response_in

HOUR = 3600
# Of the workers; a sweeper is as far off as the first of them.
CLOCKS: dict[str, tuple[int, ...]] = {"right": (0,), "wrong": (HOUR, -HOUR)}
PLAIN, REJECTED, HUNG, LATE = "plain", "rejected once", "hung", "deadline while parked"
CASES: dict[str, dict[str, Any]] = {
    PLAIN: {},
    REJECTED: {},
    HUNG: {"provider_timeout_seconds": 2},
    LATE: {"deadline_seconds": 115, "finalize_seconds": 100, "unknown_policy": "hold"},
}


@dataclass(frozen=True)
class Outcome:
    """What became of a Root, without ids, times, or which of two sides happened to be first."""

    end: tuple[str, str, str, str]
    spent: tuple[int, int, int]
    executions: list[tuple[str, str, str, int]]
    calls: list[tuple[str, str, int, int, int, str, str]]
    exchange: list[tuple[object, ...]]
    gaps: list[str]


def outcome(of: Snapshot) -> Outcome:
    """Leave out what two equal runs need not share."""
    return Outcome(
        end=(of.state, of.cause, of.result, of.end_reason),
        spent=of.spent,
        executions=sorted(
            (role, one.state, one.end_reason, one.rescues) for role, one in of.children.items()
        ),
        calls=sorted(
            (one.role, one.purpose, one.turn, one.attempt, one.n, one.state, one.outcome)
            for one in of.calls
        ),
        exchange=[
            *of.pairs,
            *of.halves,
            *((kind, round_) for kind, round_, _ in of.messages),
            tuple(sorted(of.claims)),
        ],
        gaps=of.gap_codes(),
    )


def script(clock: str) -> list[Behaviour]:
    """Say what goes wrong in each case."""
    return [
        fails(
            BULL_OPENING,
            also=tag(f"{REJECTED}, {clock}"),
            status=429,
            headers={"Retry-After": "1"},
        ),
        fails(response_in(1), also=tag(f"{HUNG}, {clock}"), cut="before", then="hang"),
        fails(challenge_in(1), also=tag(f"{LATE}, {clock}"), status=500),
    ]


def scenario(play: Play) -> Facts:
    """Play all cases under both kinds of clocks."""
    play.double.script(*script("right"), *script("wrong"), *answers())
    crew, facts = Crew(play), Facts()
    roots: dict[str, Root] = {}
    began = database_now()
    for clock, seconds in CLOCKS.items():
        with _processes(crew, clock, seconds):
            opened = {
                f"{case}, {clock}": crew.open(tag(f"{case}, {clock}"), **limits)
                for case, limits in CASES.items()
            }
            crew.wait_for_end(opened.values())
        roots |= opened
    times = Receipt.objects.values_list("recorded_at", flat=True)
    facts.notes["on record outside"] = [
        str(one) for one in times if not began <= one <= database_now()
    ]
    facts.notes["clocks"] = {
        name: _clock_of(crew, name) for name in ("wrong-1", "wrong-2", "wrong-sweeper")
    }
    crew.judge_all(facts, roots)
    return facts


@contextmanager
def _processes(crew: Crew, clock: str, seconds: Sequence[int]) -> Iterator[None]:
    """Run workers and a sweeper whose clocks are so many seconds off."""
    before = Worker.objects.count()
    entry = "tests.outages.shifted"
    with ExitStack() as stack:
        for number, off in enumerate(seconds, start=1):
            worker = (entry, str(off), "tests.crash.worker_entry")
            stack.enter_context(crew.start(f"{clock}-{number}", *worker))
        sweeper = (entry, str(seconds[0]), "config.cli.main", "sweeper")
        stack.enter_context(crew.start(f"{clock}-sweeper", *sweeper))
        crew.wait_for_workers(before + len(seconds))
        yield


def _clock_of(crew: Crew, name: str) -> float:
    """Return how far off a process's clock was, as it said when it began."""
    with crew.log_of(name).open() as log:
        said = json.loads(log.readline())
    return float(said["told"] - said["right"])
