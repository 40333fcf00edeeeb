"""The application's connections as a worker holds them: from a pool; and what the server sees of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import connections
from psycopg.rows import scalar_row

from tests.usecases.on_record import address

# Who is no superuser sees what sessions of his own role do: the application is asked about itself.
_SESSIONS = """
SELECT coalesce(state, 'starting') FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
"""
_LOCKS = """
SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
"""
_ROWS_OF_ROOT = {
    "bullbear_root": "id",
    "bullbear_child": "root_id",
    "bullbear_modelrequest": "root_id",
    "bullbear_content": "root_id",
    "bullbear_receipt": "root_id",
}


@dataclass
class Server:
    """The server, asked over connections of its own."""

    application: psycopg.Connection
    owner: psycopg.Connection

    def sessions(self) -> list[str]:
        """Say what each other connection of the application does: `active`, `idle`, `idle in transaction`."""
        cursor = self.application.cursor(row_factory=scalar_row)
        return sorted(cursor.execute(_SESSIONS).fetchall())

    def comes_to(self, states: list[str], seconds: float = 5.0) -> bool:
        """Whether that is what they do: a backend goes a moment after its connection was closed."""
        end = time.monotonic() + seconds
        while self.sessions() != states and time.monotonic() < end:
            time.sleep(0.005)
        return self.sessions() == states

    def locks(self) -> int:
        """Count the locks that they hold."""
        cursor = self.application.cursor(row_factory=scalar_row)
        return int(cursor.execute(_LOCKS).fetchone() or 0)

    def is_free(self, root_id: UUID) -> bool:
        """Whether every row of a Root can be locked at once: row locks stand in no table of locks."""
        try:
            with self.owner.transaction(force_rollback=True):
                for table, column in _ROWS_OF_ROOT.items():
                    self.owner.execute(
                        f"SELECT FROM {table} WHERE {column} = %s FOR UPDATE NOWAIT",
                        [root_id],
                    )
        except psycopg.errors.LockNotAvailable:
            return False
        return True


@contextmanager
def the_server() -> Iterator[Server]:
    """Watch the server."""
    with address("app").connect() as application, address("owner").connect() as owner:
        yield Server(application, owner)


@contextmanager
def pooled(size: int) -> Iterator[None]:
    """Let the application's connections of this process come from a pool, as a worker's do."""
    application: Any = connections["default"]
    application.close()
    options = application.settings_dict["OPTIONS"]
    options["pool"] = {"min_size": 1, "max_size": size, "timeout": 30}
    try:
        yield
    finally:
        application.close()
        application.close_pool()
        del options["pool"]
