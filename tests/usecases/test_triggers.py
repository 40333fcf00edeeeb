"""Facts are append-only and identities stay: for the application, the owner and a superuser.

The application is refused by its rights before a trigger is asked; where it has the right, by the trigger.
A superuser in replica mode switches ordinary triggers off; these are ENABLE ALWAYS.

Source: design.md D4; PostgreSQL manual, ALTER TABLE.
"""

# ruff: noqa: S608  statements about tables by name

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

import psycopg
import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from config.grants import mutable_columns
from tests.provider_double import ProviderDouble
from tests.usecases.on_record import (
    WHO,
    changed,
    columns_of,
    one_of_everything,
    refusal,
    tables,
    tried_by,
)

MIGRATIONS = [
    import_module(f"{label}.migrations.0002_facts")
    for label in ("bullbear", "research", "dialogue")
]
GRANTS, OWED = (
    "research_scopegrant",
    "bullbear_outboxentry",
)  # taken back, begun: then the row goes
FACTS = sorted(set(tables()) - set(mutable_columns()) - {GRANTS})
KEPT = sorted(set(mutable_columns()) - {OWED})
OTHER_VALUE = {
    "uuid": "gen_random_uuid()",
    "character varying": "left('~' || {0}, greatest(length({0}), 1))",
    "integer": "coalesce({0}, 0) + 1",
    "smallint": "{0} + 1",
    "bigint": "{0} + 1",
    "timestamp with time zone": "{0} + interval '1 second'",
    "jsonb": """'{{"another": true}}'""",
    "ARRAY": "array_append({0}, 'another')",
}


@pytest.fixture(scope="module", autouse=True)
def everything(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, double_process: ProviderDouble
) -> Iterator[None]:
    """Every table holds a row."""
    with one_of_everything(django_db_blocker, double_process):
        yield


def triggers() -> Mapping[str, Mapping[str, str]]:
    """Read each table's triggers from the catalogue: name → when, on what, and whether always."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled"
            " FROM pg_trigger WHERE NOT tgisinternal"
        )
        found: dict[str, dict[str, str]] = {}
        for table, name, definition, enabled in cursor.fetchall():
            assert enabled == "A", f"{name} on {table} is off under session_replication_role"
            found.setdefault(table, {})[name] = definition
    return found


class TestEveryTable:
    """No table is forgotten."""

    def test_is_append_only_or_its_mutable_columns_are_named(self) -> None:
        """A grant is neither: all of it stays until it is taken back."""
        guarded = triggers()
        append_only = {
            table
            for table, of_table in guarded.items()
            if {"append_only", "not_truncated"} <= set(of_table)
        }
        assert append_only.isdisjoint(mutable_columns())
        assert set(tables()) - append_only - set(mutable_columns()) == {GRANTS}

    def test_with_mutable_columns_keeps_all_others(self) -> None:
        """The trigger's list is the list by which the application has its rights."""
        for table, of_table in triggers().items():
            if "identity_stays" in of_table:
                named = of_table["identity_stays"].partition("bullbear_keep_identity(")[2]
                columns = [one.strip("' ") for one in named.rstrip(")").split(",")]
                assert columns == list(mutable_columns().get(table, [""])), table
        assert {t for t, found in triggers().items() if "identity_stays" in found} == (
            set(mutable_columns()) | {GRANTS}
        )

    def test_is_listed_in_a_migration(self) -> None:
        """What the migrations say is what `mutable.py` says."""
        listed = {
            name: columns
            for module in MIGRATIONS
            for of_module in ("IDENTITIES", "OWED")
            for name, columns in getattr(module, of_module, {}).items()
        }
        assert listed == mutable_columns()


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("table", FACTS)
class TestAFact:
    """A row that never changes."""

    def test_is_not_changed(self, table: str, who: str) -> None:
        """Not even to what it is."""
        rule = "no right to" if who == "app" else "facts are append-only"
        assert refusal(who, f"UPDATE {table} SET id = id") == rule

    def test_is_not_deleted(self, table: str, who: str) -> None:
        """Not by anybody."""
        rule = "no right to" if who == "app" else "facts are append-only"
        assert refusal(who, f"DELETE FROM {table}") == rule


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("table", [*FACTS, *KEPT])
def test_no_table_of_facts_is_truncated(table: str, who: str) -> None:
    """It is the table's own trigger that refuses, not that of a table that hangs on it."""
    with (
        tried_by(who) as somebody,
        pytest.raises(
            psycopg.errors.InsufficientPrivilege
            if who == "app"
            else psycopg.errors.IntegrityConstraintViolation,
            match=f"table {table}$" if who == "app" else f"append-only: TRUNCATE on {table}\n",
        ),
    ):
        somebody.execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("table", [*KEPT, OWED, GRANTS])
class TestAnIdentity:
    """The columns of a changing row that say which row it is."""

    def test_never_changes(self, table: str, who: str) -> None:
        """Each column by itself."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s",
                [table],
            )
            types = dict(cursor.fetchall())
        kept = [one for one in columns_of(table) if one not in mutable_columns().get(table, ())]
        which = "state = 'sealed'" if table == "bullbear_modelrequest" else "true"
        rule = "no right to" if who == "app" else "identity never changes"
        for column in kept:
            value = OTHER_VALUE[types[column]].format(f'"{column}"')
            assert refusal(who, changed(table, {column: value}, which)) == rule, column

    def test_is_not_deleted(self, table: str, who: str) -> None:
        """But work that was begun, by the application, and a grant, by the owner."""
        found = refusal(who, f"DELETE FROM {table}")
        if who == "app":
            assert found == ("" if table == OWED else "no right to")
        else:
            assert found == ("" if table in {OWED, GRANTS} else "facts are append-only")

    def test_leaves_the_mutable_columns_alone(self, table: str, who: str) -> None:
        """A control: what may change can be written."""
        for column in mutable_columns().get(table, ()):
            assert refusal(who, f'UPDATE {table} SET "{column}" = "{column}" WHERE false') == ""
