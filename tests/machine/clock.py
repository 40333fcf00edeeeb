"""The database's clock, moved by the machine: every `clock_timestamp()` of the application is this one.

It stands still but for a microsecond each time it is read, and jumps when told.  So an hour passes at once,
for the lock query, the sweeper's searches and the deadlines alike, and the same run is the same run again.

Source: PostgreSQL manual, 5.10.5 "The System Catalog Schema": a schema named before pg_catalog in
`search_path` comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connections

_SCHEMA = """
DROP SCHEMA IF EXISTS moved CASCADE;
CREATE SCHEMA moved;
CREATE SEQUENCE moved.reading;
CREATE TABLE moved.clock (shows_at timestamptz NOT NULL);
INSERT INTO moved.clock VALUES (date_trunc('second', pg_catalog.clock_timestamp()));
CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT shows_at + nextval('moved.reading') * interval '1 microsecond' FROM moved.clock
$$;
GRANT USAGE ON SCHEMA moved TO {role};
GRANT USAGE ON SEQUENCE moved.reading TO {role};
GRANT SELECT ON moved.clock TO {role};
"""


@dataclass
class Clock:
    """The clock, and how far it has been moved."""

    began_at: datetime
    moved_seconds: int = 0

    def move(self, seconds: int) -> None:
        """Let so much time pass at once."""
        self.moved_seconds += seconds
        _as_owner("UPDATE moved.clock SET shows_at = %s", [self.shows_at])

    def restart(self) -> None:
        """Count its microseconds from one again, a second later: nobody waits for a time any more."""
        self.move(1)
        _as_owner("SELECT setval('moved.reading', 1)")

    @property
    def shows_at(self) -> datetime:
        """What it shows, but for its microseconds."""
        return self.began_at + timedelta(seconds=self.moved_seconds)


@contextmanager
def moved_clock() -> Iterator[Clock]:
    """Let the application read this clock."""
    application: Any = connections["default"]
    options = application.settings_dict["OPTIONS"]
    given = options["options"]
    _as_owner(_SCHEMA.format(role=application.settings_dict["USER"]))
    application.close()
    options["options"] = f"{given} -c search_path=moved,pg_catalog,public"
    try:
        yield Clock(_as_owner("SELECT shows_at FROM moved.clock"))
    finally:
        application.close()
        options["options"] = given
        _as_owner("DROP SCHEMA moved CASCADE")


def _as_owner(statement: str, values: list[Any] | None = None) -> Any:
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0] if cursor.description else None
