"""Two people at the same database: a thread each, with its own connection, that stops before each step.

A step goes from one gate to the next.  There is a gate before every statement and before every COMMIT.
Where a use case is under test, the statements between its Root lock and its COMMIT are one step: nothing
of them is seen by anybody before the COMMIT, and nobody who needs the lock changes what they read.
`tests/races/test_explorer.py` runs one race both ways.

    MOVING ──reaches a gate──▶ AT_GATE ──let through──▶ MOVING ──its act is over──▶ OVER
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from django.db import connection, connections

Act = Callable[[], object]
ROOT_LOCK = "FOR NO KEY UPDATE"


class Where(Enum):
    """Where a session is."""

    MOVING = auto()  # in its step; perhaps waiting for a lock
    AT_GATE = auto()
    OVER = auto()


@dataclass(frozen=True)
class Came:
    """What came of a session's act: what it returned, or how it failed."""

    result: object = None
    failed: BaseException | None = None


class Abandoned(Exception):
    """The schedule broke off: what a session was about to do is not done."""


class Session:
    """One of the people: acts in a thread of its own and stops at each gate until it is let through.

    Args:
        name: who it is, in the names of schedules.
        changed: told whenever a session arrives somewhere; guards all of them.
        every_statement: False where the statements under the Root lock are one step.
    """

    def __init__(self, name: str, changed: threading.Condition, *, every_statement: bool) -> None:
        self.name = name
        self.where = Where.OVER
        self.before = ""  # the statement it stands before
        self.came = Came()
        self._changed = changed
        self._every_statement = every_statement
        self._may_pass = False
        self._abandoned = False
        self._holds_root = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self.pid: int = self._thread.submit(self._connect).result()

    def start(self, act: Act) -> None:
        """Let it act, up to its first gate."""
        self.where, self.came = Where.MOVING, Came()
        self._thread.submit(self._run, act)

    def let_through(self) -> None:
        """Let it take its next step."""
        with self._changed:
            self.where, self._may_pass = Where.MOVING, True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Let it do nothing more, if it is not over."""
        with self._changed:
            self._abandoned = True
            self._changed.notify_all()

    def stop(self) -> None:
        """Give its connection back and end its thread."""
        self._thread.submit(connections.close_all).result()
        self._thread.shutdown()

    def _connect(self) -> int:
        connection.ensure_connection()
        psycopg = connection.connection
        commit = psycopg.commit

        def gated_commit() -> None:
            self._gate("COMMIT")
            self._holds_root = False
            commit()

        psycopg.commit = gated_commit
        return int(psycopg.info.backend_pid)

    def _run(self, act: Act) -> None:
        self._holds_root = False
        try:
            with connection.execute_wrapper(self._statement):
                self.came = Came(result=act())
        except Exception as error:  # noqa: BLE001  the thread's outermost line: the race's own business
            self.came = Came(failed=error)
        finally:
            self._arrive(Where.OVER)

    def _statement(
        self,
        execute: Callable[[str, Any, bool, dict[str, Any]], Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001  Django's signature
        context: dict[str, Any],
    ) -> Any:
        if self._every_statement or not self._holds_root:
            self._gate(sql)
        result = execute(sql, params, many, context)
        if connection.in_atomic_block and ROOT_LOCK in sql:
            self._holds_root = True
        return result

    def _gate(self, statement: str) -> None:
        self.before = " ".join(statement.split())
        with self._changed:
            self._may_pass = False
            self._arrive(Where.AT_GATE)
            self._changed.wait_for(lambda: self._may_pass or self._abandoned)
        if self._abandoned:
            raise Abandoned(statement)

    def _arrive(self, where: Where) -> None:
        with self._changed:
            self.where = where
            self._changed.notify_all()


@contextmanager
def sessions_of(
    names: Sequence[str], changed: threading.Condition, *, every_statement: bool
) -> Iterator[list[Session]]:
    """Connect a session for each name."""
    with ExitStack() as stack:
        sessions = []
        for name in names:
            session = Session(name, changed, every_statement=every_statement)
            stack.callback(session.stop)
            sessions.append(session)
        try:
            yield sessions
        finally:
            for session in sessions:
                session.abandon()
