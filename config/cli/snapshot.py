"""Several reads of one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections


@contextmanager
def snapshot(using: str) -> Iterator[None]:
    """Let all reads through `using` see the same moment: its role reads REPEATABLE READ.

    Nothing is written in it, so it ends without a commit.
    """
    connection = connections[using]
    connection.set_autocommit(False)
    try:
        yield
    finally:
        connection.rollback()
        connection.set_autocommit(True)
