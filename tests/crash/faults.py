"""The k-th statement, or the k-th network operation, fails; and a digest of the whole database."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import OperationalError, connection, connections

T = TypeVar("T")
NOT_COMPARED = {"django_migrations", "bullbear_worker"}


class Statements:
    """Counts this connection's statements and fails the k-th, before it reaches the database."""

    def __init__(self, failing: int) -> None:
        self.failing = failing
        self.seen = 0

    def __call__(
        self,
        execute: Callable[[str, Any, bool, dict[str, Any]], Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001  Django's signature
        context: dict[str, Any],
    ) -> Any:
        """Execute or fail."""
        self.seen += 1
        if self.seen == self.failing:
            raise OperationalError(f"statement {self.failing} fails")
        return execute(sql, params, many, context)


def after_every_failure(act: Callable[[], T]) -> tuple[T, int]:
    """Repeat a use case with its first, second, third … statement failing until none fails.

    Returns:
        What it returned when it ran untouched, and how many statements that were.

    Raises:
        AssertionError: a failed run left something.
    """
    before = everything()
    failing = 0
    while True:
        failing += 1
        statements = Statements(failing)
        with contextlib.suppress(OperationalError), connection.execute_wrapper(statements):
            return act(), statements.seen
        assert statements.seen == failing, "another error than the one that was made"
        assert everything() == before, f"the failure of statement {failing} left something"


def everything() -> str:
    """Digest every row of the database."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        tables = [row[0] for row in cursor.fetchall() if row[0] not in NOT_COMPARED]
        digests = " UNION ALL ".join(
            f"SELECT {number}, md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {table} t"  # noqa: S608
            for number, table in enumerate(tables)
        )
        cursor.execute(digests)
        return str(sorted(cursor.fetchall()))


class Socket:
    """A socket of the provider's client; once one of its operations has failed, all do."""

    def __init__(self, sock: socket.socket, network: Network) -> None:
        self._sock = sock
        self._network = network
        self._is_broken = False

    def send(self, data: memoryview) -> int:
        """Send, or fail."""
        self._operate("send")
        return self._sock.send(data)

    def recv(self, size: int) -> bytes:
        """Receive, or fail."""
        self._operate("recv")
        return self._sock.recv(size)

    def _operate(self, name: str) -> None:
        if self._is_broken:
            raise ConnectionResetError("the connection is broken")
        self._is_broken = True
        self._network.operate(name)
        self._is_broken = False

    def __getattr__(self, name: str) -> Any:
        """Be the socket in everything else."""
        return getattr(self._sock, name)


class Network:
    """Counts the operations of a run and fails the k-th."""

    def __init__(self, failing: int) -> None:
        self.failing = failing
        self.seen = 0
        self.failed = ""

    def operate(self, name: str) -> None:
        """Count one operation, or break it."""
        self.seen += 1
        if self.seen == self.failing:
            self.failed = name
            raise ConnectionResetError(f"operation {self.failing}")

    def connect(self, address: tuple[str, int], timeout: float) -> Socket:
        """Connect, or fail."""
        self.operate("connect")
        return Socket(_create_connection(address, timeout), self)


_create_connection = socket.create_connection


@contextmanager
def failing_network(failing: int) -> Iterator[Network]:
    """Break the k-th network operation of the calls made meanwhile by this process."""
    network = Network(failing)
    socket.create_connection = network.connect  # type: ignore[assignment]
    try:
        yield network
    finally:
        socket.create_connection = _create_connection
