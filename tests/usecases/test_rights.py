"""What the roles may do with the migrated database: asked of the catalogue, and tried.

Source: design.md D4.
"""

# ruff: noqa: S608  statements about tables by name

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection
from psycopg.rows import scalar_row
from pytest_django.plugin import DjangoDbBlocker

from config.grants import ORDINARY_TABLES, mutable_columns
from tests.usecases.on_record import address, columns_of, tables, tried_by

OWED = "bullbear_outboxentry"
WRITING = ("INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
ESCAPES = [
    "SET session_replication_role = replica",
    "ALTER TABLE bullbear_receipt DISABLE TRIGGER ALL",
    "DROP TRIGGER append_only ON bullbear_receipt",
    "DROP TABLE bullbear_timer",
    "CREATE TABLE own (id int)",
    "CREATE OR REPLACE FUNCTION bullbear_refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT'",
    "GRANT UPDATE ON bullbear_receipt TO CURRENT_USER",
]


@pytest.fixture(scope="module", autouse=True)
def migrated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The tables and roles, without rows."""
    with django_db_blocker.unblock():
        yield


def all_tables() -> list[str]:
    """Every table of the schema, Django's own among them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return [name for (name,) in cursor.fetchall()]


def rights(role: str, table: str) -> set[str]:
    """What a role may do with a whole table."""
    user = address(role).user
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT wanted FROM unnest(%s::text[]) wanted WHERE has_table_privilege(%s, %s, wanted)",
            [["SELECT", *WRITING], user, table],
        )
        return {name for (name,) in cursor.fetchall()}


def may_update(role: str, table: str) -> list[str]:
    """Which columns a role may change."""
    user = address(role).user
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT wanted FROM unnest(%s::text[]) WITH ORDINALITY w (wanted, place)"
            " WHERE has_column_privilege(%s, %s, wanted, 'UPDATE') ORDER BY place",
            [columns_of(table), user, table],
        )
        return [name for (name,) in cursor.fetchall()]


def is_refused(role: str, statement: str) -> bool:
    """Whether the server refuses it for want of a right, and for nothing else."""
    with tried_by(role) as somebody:
        try:
            somebody.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False


class TestTheApplication:
    """The role that works."""

    @pytest.mark.parametrize("table", sorted(tables()))
    def test_reads_and_adds_and_no_more(self, table: str) -> None:
        """But what was owed and has begun it takes away."""
        assert rights("app", table) == (
            {"SELECT", "INSERT", "DELETE"} if table == OWED else {"SELECT", "INSERT"}
        )

    @pytest.mark.parametrize("table", sorted(tables()))
    def test_changes_named_columns_only(self, table: str) -> None:
        """The ones that a package names in `mutable.py`, and all of those."""
        named = set(mutable_columns().get(table, ()))
        assert may_update("app", table) == [one for one in columns_of(table) if one in named]

    @pytest.mark.parametrize("table", sorted(tables()))
    def test_is_refused_by_the_server_when_it_tries(self, table: str) -> None:
        """Each fact column by itself, and the row."""
        facts = [one for one in columns_of(table) if one not in mutable_columns().get(table, ())]
        for column in facts:
            assert is_refused("app", f'UPDATE {table} SET "{column}" = "{column}"'), column
        assert is_refused("app", f"DELETE FROM {table}") == (table != OWED)
        assert is_refused("app", f"TRUNCATE {table}")

    def test_may_lock_a_root(self) -> None:
        """A control: the one lock needs the right to change one column."""
        assert not is_refused("app", "SELECT FROM bullbear_root FOR NO KEY UPDATE")

    @pytest.mark.parametrize("statement", ESCAPES, ids=lambda text: " ".join(text.split()[:3]))
    def test_cannot_help_itself(self, statement: str) -> None:
        """Neither to a trigger's absence nor to a right."""
        assert _fails("app", statement)


class TestTheAuditor:
    """The role that reads."""

    def test_reads_every_table_and_writes_none(self) -> None:
        """Django's own tables among them."""
        for table in all_tables():
            assert rights("audit", table) == {"SELECT"}, table

    @pytest.mark.parametrize("table", sorted(tables()))
    def test_is_refused_by_the_server_when_he_tries(self, table: str) -> None:
        """Also after he has made his session writable again: the default is a courtesy, the right is not."""
        statements = [
            f"INSERT INTO {table} DEFAULT VALUES",
            *(f'UPDATE {table} SET "{column}" = "{column}"' for column in columns_of(table)),
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"SELECT FROM {table} FOR UPDATE",
        ]
        with address("audit").connect() as auditor:
            for statement in statements:
                with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                    auditor.execute(statement)
            auditor.execute("SET default_transaction_read_only = off")
            for statement in statements:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    auditor.execute(statement)

    def test_begins_read_only(self) -> None:
        """Whoever enters as him."""
        with address("audit").connect() as auditor:
            cursor = auditor.cursor(row_factory=scalar_row)
            assert cursor.execute("SHOW transaction_read_only").fetchone() == "on"

    @pytest.mark.parametrize("statement", ESCAPES, ids=lambda text: " ".join(text.split()[:3]))
    def test_cannot_help_himself(self, statement: str) -> None:
        """Neither to a trigger's absence nor to a right."""
        assert _fails("audit", statement)


class TestEveryTable:
    """Of the schema."""

    def test_is_granted(self) -> None:
        """The application reads all of them and adds to all but Django's own book-keeping."""
        kept = {"django_content_type", "django_migrations"}
        for table in all_tables():
            granted = rights("app", table)
            assert "SELECT" in granted, table
            assert ("INSERT" in granted) == (table not in kept), table

    def test_that_is_ordinary_may_be_changed(self) -> None:
        """Users, sessions and Django's own log are no facts."""
        for table in all_tables():
            if table.startswith(ORDINARY_TABLES):
                assert rights("app", table) == {"SELECT", "INSERT", "UPDATE", "DELETE"}


def _fails(role: str, statement: str) -> bool:
    with address(role).connect() as somebody:
        somebody.execute("SET default_transaction_read_only = off")
        try:
            somebody.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            return True
        finally:
            somebody.execute("RESET ALL")
    return _grants_nothing(role)


def _grants_nothing(role: str) -> bool:
    """A GRANT without the right to give is a warning and no error: look whether it had an effect."""
    return "UPDATE" not in rights(role, "bullbear_receipt")
