"""Every interleaving of a few sessions, on the real server with its real locks.

    prepare ──▶ let one through, one after another, until all are over ──▶ judge        one schedule
    … again, with the last choice that has an alternative made otherwise, until none has

A session that waits for a lock, as the server itself says, cannot be chosen; it goes on by itself as soon as
the lock is free.  Nothing here waits for time to pass: the same choices make the same schedule.

A schedule's name is who was let through: `waiter sender sender waiter`.  `only=` runs it again, alone.

Source: scenarios.md group B; PostgreSQL manual, 9.27 "System Information Functions", pg_blocking_pids.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from traceback import format_tb

from django.db import connection

from tests.races.sessions import Act, Came, Session, Where, sessions_of

Acts = Mapping[str, Act]
Outcomes = Mapping[str, Came]
PATIENCE_SECONDS = 30.0
GLANCE_SECONDS = 0.002  # between two questions to the server, while somebody moves
_WAITING_FOR = "SELECT pid, pg_blocking_pids(pid) FROM unnest(%s::int[]) AS pid"


@dataclass(frozen=True)
class Ran:
    """One schedule, as it went.

    Args:
        name: who was let through, in order.
        steps: what each of these steps was.
        problem: why the property does not hold after it; empty where it does.
        deadlocked: whether all waited for each other, and the server had to end one.
        waited: whether anybody waited for a lock.
    """

    name: str
    steps: Sequence[str]
    problem: str
    deadlocked: bool
    waited: bool

    def __str__(self) -> str:
        return "\n    ".join([f"{self.name}: {self.problem}", *self.steps])


@dataclass(frozen=True)
class Explored:
    """All schedules of a race."""

    ran: list[Ran] = field(default_factory=list)

    @property
    def figures(self) -> tuple[int, int]:
        """How many schedules there are, and after how many the property did not hold."""
        return len(self.ran), len(self.lost)

    @property
    def lost(self) -> list[Ran]:
        """The schedules after which the property did not hold."""
        return [one for one in self.ran if one.problem]

    @property
    def deadlocks(self) -> int:
        """How many schedules ended in a deadlock."""
        return sum(one.deadlocked for one in self.ran)

    def held(self) -> int:
        """Return the number of schedules.

        Raises:
            AssertionError: the property did not hold after one of them; all such are told.
        """
        assert not self.lost, "\n".join(map(str, self.lost))
        return len(self.ran)


def explore(
    prepare: Callable[[], Acts],
    judge: Callable[[Outcomes], None],
    *,
    every_statement: bool = False,
    only: str | None = None,
) -> Explored:
    """Run every schedule of what the sessions do.

    Args:
        prepare: brings the state about and says what each session does, by its name; once a schedule.
        judge: asserts the property; what it complains of is the schedule's problem.
        every_statement: also between the statements under a Root lock.
        only: the name of the one schedule to run.
    """
    acts = prepare()
    explored = Explored()
    changed = threading.Condition()
    with sessions_of(list(acts), changed, every_statement=every_statement) as sessions:
        choices: list[int] | None = _chosen(sessions, only)
        while choices is not None:
            schedule = _Schedule(sessions, changed, choices)
            outcomes = schedule.run(acts)
            explored.ran.append(schedule.judged(judge, outcomes))
            choices = None if only else schedule.next_choices()
            if choices is not None:
                acts = prepare()
    return explored


def _chosen(sessions: list[Session], only: str | None) -> list[int]:
    """Turn a name into choices: they count among all sessions until `_Schedule` sees who can be chosen."""
    names = [one.name for one in sessions]
    return [-1 - names.index(name) for name in (only or "").split()]


class _Schedule:
    """One run: follows `choices` as far as they go, then always chooses the first who can be."""

    def __init__(
        self, sessions: list[Session], changed: threading.Condition, choices: list[int]
    ) -> None:
        self._sessions = sessions
        self._changed = changed
        self._given = choices
        self._chosen: list[int] = []
        self._widths: list[int] = []
        self._names: list[str] = []
        self._steps: list[str] = []
        self._deadlocked = False
        self._waited = False

    def run(self, acts: Acts) -> Outcomes:
        """Run it to the end of all acts."""
        for session in self._sessions:
            session.start(acts[session.name])
            self._settle()
        while any(one.where is not Where.OVER for one in self._sessions):
            free = [one for one in self._sessions if one.where is Where.AT_GATE]
            if free:
                self._let_through(free)
            else:
                self._deadlocked = True
                self._wait_until(lambda: not self._all_wait())
            self._settle()
        return {one.name: one.came for one in self._sessions}

    def judged(self, judge: Callable[[Outcomes], None], outcomes: Outcomes) -> Ran:
        """Ask whether the property holds now."""
        problem = ""
        try:
            judge(outcomes)
        except AssertionError as error:
            problem = str(error) or format_tb(error.__traceback__)[-1].strip()
        name = " ".join(self._names)
        return Ran(name, self._steps, problem, self._deadlocked, self._waited)

    def next_choices(self) -> list[int] | None:
        """Return the choices of the next schedule, depth first; None where all have run."""
        chosen, widths = list(self._chosen), list(self._widths)
        while chosen:
            last, width = chosen.pop(), widths.pop()
            if last + 1 < width:
                return [*chosen, last + 1]
        return None

    def _let_through(self, free: list[Session]) -> None:
        place = len(self._chosen)
        choice = self._given[place] if place < len(self._given) else 0
        if choice < 0:
            named = self._sessions[-1 - choice]
            assert named in free, f"{named.name} cannot be chosen after {self._steps}"
            choice = free.index(named)
        session = free[choice]
        self._chosen.append(choice)
        self._widths.append(len(free))
        self._names.append(session.name)
        self._steps.append(f"{session.name}: {session.before[:100]}")
        session.let_through()

    def _settle(self) -> None:
        """Wait until nobody moves: each stands at a gate, is over, or waits for another's lock."""
        self._wait_until(lambda: not self._moving() or self._all_wait())
        for one in self._moving():
            self._waited = True
            self._steps.append(f"({one.name} waits)")

    def _moving(self) -> list[Session]:
        return [one for one in self._sessions if one.where is Where.MOVING]

    def _all_wait(self) -> bool:
        """Whether all who move wait for locks of sessions of ours, as the server says."""
        pids = {one.pid for one in self._sessions}
        moving = [one.pid for one in self._moving()]
        with connection.cursor() as cursor:
            cursor.execute(_WAITING_FOR, [moving])
            waiting_for = dict(cursor.fetchall())
        still = [one.pid for one in self._moving()]
        return still == moving and all(
            waiting_for[pid] and set(waiting_for[pid]) <= pids for pid in moving
        )

    def _wait_until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < end, f"nothing moves any more after {self._steps}"
            with self._changed:
                if self._moving():
                    self._changed.wait(GLANCE_SECONDS)
