"""What the application and the auditors may do with each table.

Facts are read and added, never changed: the application may UPDATE only columns that a package
names in its module `mutable` (`MUTABLE_COLUMNS`: table → columns), and DELETE only outbox rows,
which are work owed and no facts.  Django's own tables for users and sessions are ordinary ones.

Source: design.md D4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module

from django.apps import apps
from django.utils.module_loading import module_has_submodule
from psycopg import sql

from config.database_roles import DatabaseAddress, role_name

PACKAGES = ("bullbear", "research", "dialogue", "audit")
DELETABLE_TABLES = ("bullbear_outboxentry",)
ORDINARY_TABLES = ("auth_", "django_session", "django_admin_log")  # beginnings of their names


def mutable_columns() -> dict[str, Sequence[str]]:
    """Gather what the packages name mutable."""
    found: dict[str, Sequence[str]] = {}
    for label in PACKAGES:
        package = apps.get_app_config(label).module
        if package is not None and module_has_submodule(package, "mutable"):
            found |= import_module(f"{label}.mutable").MUTABLE_COLUMNS
    return found


def grant_roles(owner: DatabaseAddress) -> None:
    """Take every right from both roles and give the right ones, in one transaction.

    A column that is mutable no longer loses its right thereby.
    """
    mutable = mutable_columns()
    with owner.connect() as connection, connection.transaction():
        tables = [
            str(row[0])
            for row in connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
            )
        ]
        unknown = set(mutable) - set(tables)
        if unknown:
            raise LookupError(f"columns of unknown tables are named mutable: {sorted(unknown)}")
        for statement in statements(owner.name, tables, mutable):
            connection.execute(statement)


def statements(
    database: str, tables: Sequence[str], mutable: Mapping[str, Sequence[str]]
) -> Iterator[sql.SQL | sql.Composed]:
    """Return all GRANT and REVOKE statements, in order."""
    app, audit = (sql.Identifier(role_name(database, role)) for role in ("app", "audit"))
    yield sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    for role in (app, audit):
        yield sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role)
        yield sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(role)
        yield sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(role)
    yield sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}").format(app)
    for table in tables:
        if table.startswith(ORDINARY_TABLES):
            yield _grant(sql.SQL("INSERT, UPDATE, DELETE"), table, app)
        elif table.startswith(tuple(f"{package}_" for package in PACKAGES)):
            yield _grant(sql.SQL("INSERT"), table, app)
        if table in DELETABLE_TABLES:
            yield _grant(sql.SQL("DELETE"), table, app)
    for table, columns in mutable.items():
        named = sql.SQL(", ").join(map(sql.Identifier, columns))
        yield _grant(sql.SQL("UPDATE ({})").format(named), table, app)


def _grant(right: sql.Composable, table: str, role: sql.Identifier) -> sql.Composed:
    return sql.SQL("GRANT {} ON {} TO {}").format(right, sql.Identifier(table), role)
