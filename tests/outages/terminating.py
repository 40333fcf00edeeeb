"""End this process's session at the server before its k-th statement or commit; BEGIN goes with the first."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from django.db import OperationalError, connection

from tests.crash.faults import everything
from tests.usecases.on_record import address

T = TypeVar("T")
_END = "SELECT pg_terminate_backend(%s, 10000)"


class Terminator:
    """Counts statements and commits; before some it ends the session that would execute them."""

    def __init__(self, endings: Collection[int], server: psycopg.Connection) -> None:
        self._endings = endings
        self.seen = 0
        self._server = server

    def __call__(
        self,
        execute: Callable[[str, Any, bool, dict[str, Any]], Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001  Django's signature
        context: dict[str, Any],
    ) -> Any:
        """Execute, in a session that may have ended."""
        self.count()
        return execute(sql, params, many, context)

    def count(self) -> None:
        """End the session, if its time has come."""
        self.seen += 1
        if self.seen in self._endings:
            found = self._server.execute(_END, [connection.connection.info.backend_pid]).fetchone()
            assert found == (True,), "the session did not end"


@contextmanager
def terminated(*endings: int, server: psycopg.Connection) -> Iterator[Terminator]:
    """Let the application's session of this thread end before these of its statements and commits."""
    terminator = Terminator(endings, server)
    commit = connection._commit  # type: ignore[attr-defined]

    def counted() -> None:
        terminator.count()
        commit()

    connection._commit = counted  # type: ignore[attr-defined]
    try:
        with connection.execute_wrapper(terminator):
            yield terminator
    finally:
        connection._commit = commit  # type: ignore[attr-defined]


def after_every_termination(act: Callable[[], T]) -> tuple[T, int]:
    """Repeat a use case, its session ended before the first, second, … statement, until none is.

    Returns:
        What it returned when it ran untouched, and how many statements and commits that were.

    Raises:
        AssertionError: an ended session left something.
    """
    before = everything()
    ending = 0
    with address("app").connect() as server:
        while True:
            ending += 1
            with (
                contextlib.suppress(OperationalError),
                terminated(ending, server=server) as terminator,
            ):
                return act(), terminator.seen
            assert terminator.seen == ending, "another error than the one that was made"
            connection.close()
            assert everything() == before, f"the end before statement {ending} left something"
