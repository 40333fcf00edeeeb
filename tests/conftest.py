"""The database of all tests: made, migrated and cleaned through `owner`, used through `default`.

Facts are append-only, so a test's rows are taken away by TRUNCATE with its trigger switched off for that
moment; nowhere else does anything switch a trigger off.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from pytest_django.plugin import DjangoDbBlocker

from bullbear.models import Worker
from bullbear.options import Options, options
from bullbear.queries import database_now
from config.migration import migrate
from research.domains.registry import domain
from tests.driving import Driver, Rehearsal

KEPT_TABLES = ("django_migrations", "django_content_type", "auth_permission")


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Migrate the throw-away database that this run was given; replaces pytest-django's own."""
    address = settings.BULLBEAR.database
    if address is None or "_test_" not in address.name:
        pytest.exit("tests change their database: run them with `make test`", returncode=2)
    with django_db_blocker.unblock():
        migrate(settings.BULLBEAR, verbosity=0)
        yield
        for connection in connections.all():
            connection.close()
            if isinstance(connection, DatabaseWrapper):
                connection.close_pool()


@pytest.fixture
def database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A migrated database without rows; real transactions, real commits."""
    with django_db_blocker.unblock():
        yield
        _take_rows_away()


def _take_rows_away() -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (%s)",
            [list(KEPT_TABLES)],
        )
        tables = [row[0] for row in cursor.fetchall()]
        cursor.execute(
            "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'not_truncated'"
        )
        guarded = [row[0] for row in cursor.fetchall()]
        off = [f"ALTER TABLE {table} DISABLE TRIGGER not_truncated" for table in guarded]
        on = [f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER not_truncated" for table in guarded]
        clean = f"TRUNCATE {', '.join(tables)} RESTART IDENTITY CASCADE"
        cursor.execute("; ".join(["BEGIN", *off, clean, *on, "COMMIT"]))


@pytest.fixture
def desk(database: None) -> Group:
    """The desk `demo`."""
    return Group.objects.create(name="demo")


@pytest.fixture
def analyst(desk: Group) -> User:
    """A member of the desk."""
    user = User.objects.create_user("analyst")
    user.groups.add(desk)
    return user


@pytest.fixture
def worker_row(database: None) -> Worker:
    """A worker that is alive as long as any test runs."""
    now = database_now()
    return Worker.objects.create(name="test", started_at=now, alive_until=now.replace(year=2100))


@pytest.fixture(scope="session")
def rehearsal() -> Iterator[Rehearsal]:
    """The rehearsal model in its own process."""
    with Rehearsal.started() as running:
        yield running


@pytest.fixture
def runtime() -> Options:
    """The settings of this process."""
    return options()


@pytest.fixture
def driver(analyst: User, desk: Group, worker_row: Worker, rehearsal: Rehearsal) -> Driver:
    """Opens Roots as the analyst and advances them in this process, against the rehearsal model."""
    return Driver(
        desk=desk,
        requester=analyst,
        worker=worker_row,
        provider=rehearsal.provider(),
        domain=domain("investment"),
    )
