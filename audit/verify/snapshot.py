"""Read what several queries find as it stood at one moment.

Source: PostgreSQL manual, 13.2.2 "Repeatable Read Isolation Level".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections

_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


@contextmanager
def one_moment(using: str) -> Iterator[None]:
    """Let all queries on `using` see one snapshot, while others go on writing."""
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN)
    try:
        yield
    except BaseException:
        connection.close()
        raise
    with connection.cursor() as cursor:
        cursor.execute("COMMIT")
