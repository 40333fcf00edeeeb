"""The protocol as one would first write it: a few small tables, and no common lock.

A control of each race runs on these tables, because the product's own refuse much of it by constraint.
They stand in a schema of their own, so that nothing takes them for the product's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections

from bullbear.transactions import transaction
from tests.races.explorer import Acts, Explored, Outcomes, explore

__all__ = [
    "move",
    "naive_tables",
    "nothing_behind",
    "put",
    "race",
    "run",
    "said",
    "say",
    "state_of",
    "transaction",
    "value",
]

_TABLES = """
CREATE TABLE naive.execution (name text PRIMARY KEY, state text NOT NULL, wakes int NOT NULL DEFAULT 0);
CREATE TABLE naive.fact (id serial PRIMARY KEY, kind text NOT NULL, said_by text NOT NULL);
CREATE TABLE naive.root (
    id int PRIMARY KEY, state text NOT NULL DEFAULT 'open', spent int NOT NULL DEFAULT 0,
    deadline_at timestamptz NOT NULL DEFAULT 'infinity'
);
CREATE TABLE naive.chain (seq int NOT NULL, previous int NOT NULL);
CREATE TABLE naive.outbox (id serial PRIMARY KEY, work text NOT NULL, offered int NOT NULL DEFAULT 0,
    offered_by text NOT NULL DEFAULT ''
);
"""


@contextmanager
def naive_tables() -> Iterator[None]:
    """Make the tables, open to the application, and take them away."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        application = cursor.fetchone()[0]
    with connections["owner"].cursor() as owner:
        owner.execute("CREATE SCHEMA naive")
        owner.execute(_TABLES)
        owner.execute(f'GRANT USAGE ON SCHEMA naive TO "{application}"')
        owner.execute(f'GRANT ALL ON ALL TABLES IN SCHEMA naive TO "{application}"')
        owner.execute(f'GRANT ALL ON ALL SEQUENCES IN SCHEMA naive TO "{application}"')
    try:
        yield
    finally:
        with connections["owner"].cursor() as owner:
            owner.execute("DROP SCHEMA naive CASCADE")


def race(holds: Callable[[], bool], acts: Acts, **states: str) -> Explored:
    """Let sessions begin with an open Root and executions in these states, in every schedule.

    Args:
        holds: whether the property holds after a schedule.
        acts: what each session does.
        states: the executions, by name.
    """

    def prepare() -> Acts:
        put(**states)
        return acts

    def judge(outcomes: Outcomes) -> None:
        failed = [came.failed for came in outcomes.values() if came.failed is not None]
        assert not failed, repr(failed)
        assert holds()

    return explore(prepare, judge, every_statement=True)


def put(**states: str) -> None:
    """Begin anew: an open Root, and executions in these states."""
    with transaction():
        for table in ("execution", "fact", "root", "chain", "outbox"):
            run(f"DELETE FROM naive.{table}")  # noqa: S608  our own names
        run("INSERT INTO naive.root (id) VALUES (1)")
        for name, state in states.items():
            run("INSERT INTO naive.execution (name, state) VALUES (%s, %s)", name, state)


def run(statement: str, *values: Any) -> int:
    """Execute a statement; return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def value(statement: str, *values: Any) -> Any:
    """Return the one value that a statement selects."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return row[0] if row else None


def say(kind: str, said_by: str) -> None:
    """Put a fact on record."""
    run("INSERT INTO naive.fact (kind, said_by) VALUES (%s, %s)", kind, said_by)


def said(kind: str) -> int:
    """Count the facts of a kind."""
    return int(value("SELECT count(*) FROM naive.fact WHERE kind = %s", kind))


def nothing_behind(end: str, effect: str) -> bool:
    """Whether no fact of one kind was written after one of another."""
    return not value(
        "SELECT count(*) FROM naive.fact e JOIN naive.fact f ON f.id > e.id "
        "WHERE e.kind = %s AND f.kind = %s",
        end,
        effect,
    )


def state_of(name: str) -> str:
    """Read an execution's state."""
    return str(value("SELECT state FROM naive.execution WHERE name = %s", name))


def move(name: str, state: str, *, where: str = "true") -> int:
    """Set an execution's state; return how many rows that touched."""
    return run(f"UPDATE naive.execution SET state = %s WHERE name = %s AND {where}", state, name)  # noqa: S608
