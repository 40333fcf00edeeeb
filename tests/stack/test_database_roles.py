"""Three roles of one database: what each may do, and how one password makes three."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psycopg
import pytest

from config.database_roles import (
    DatabaseAddress,
    create_database,
    create_roles,
    drop_database,
    role_password,
)
from config.grants import statements

TABLES = """
CREATE TABLE bullbear_receipt (id bigint GENERATED ALWAYS AS IDENTITY, body text);
CREATE TABLE bullbear_child (id int, state text, role text);
CREATE TABLE bullbear_outboxentry (id int);
CREATE TABLE auth_user (id int, name text);
CREATE TABLE django_migrations (id int);
INSERT INTO bullbear_child VALUES (1, 'READY', 'bull');
"""
MUTABLE = {"bullbear_child": ["state"]}


@pytest.fixture(scope="module")
def owner() -> Iterator[DatabaseAddress]:
    """Give a database of its own with tables, roles and rights."""
    given = DatabaseAddress.parse(os.environ["BULLBEAR_DATABASE_URL"])
    made = given.with_name(f"{given.name}_roles")
    create_database(made)
    create_roles(made)
    with made.connect() as connection:
        connection.execute(TABLES)
        names = [line.split()[2] for line in TABLES.splitlines() if line.startswith("CREATE")]
        for statement in statements(made.name, names, MUTABLE):
            connection.execute(statement)
    yield made
    drop_database(made)


def may(address: DatabaseAddress, statement: str) -> bool:
    """Try a statement as that user; say whether the server allowed it."""
    with address.connect() as connection:
        try:
            connection.execute(statement)
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
            return False
    return True


class TestApp:
    @pytest.mark.parametrize(
        ("statement", "allowed"),
        [
            ("INSERT INTO bullbear_receipt (body) VALUES ('x')", True),
            ("SELECT * FROM bullbear_receipt", True),
            ("UPDATE bullbear_receipt SET body = 'y'", False),
            ("DELETE FROM bullbear_receipt", False),
            ("TRUNCATE bullbear_receipt", False),
            ("UPDATE bullbear_child SET state = 'PARKED'", True),
            ("SELECT * FROM bullbear_child FOR NO KEY UPDATE", True),
            ("UPDATE bullbear_child SET role = 'bear'", False),
            ("DELETE FROM bullbear_child", False),
            ("DELETE FROM bullbear_outboxentry", True),
            ("UPDATE auth_user SET name = 'x'", True),
            ("DELETE FROM auth_user", True),
            ("INSERT INTO django_migrations VALUES (1)", False),
            ("CREATE TABLE own (id int)", False),
        ],
    )
    def test_may(self, owner: DatabaseAddress, statement: str, *, allowed: bool) -> None:
        """Facts are added and read; only named columns change."""
        assert may(owner.as_role("app"), statement) is allowed


class TestAudit:
    @pytest.mark.parametrize(
        ("statement", "allowed"),
        [
            ("SELECT * FROM bullbear_receipt", True),
            ("INSERT INTO bullbear_receipt (body) VALUES ('x')", False),
            ("UPDATE bullbear_child SET state = 'PARKED'", False),
            ("DELETE FROM auth_user", False),
            ("CREATE TEMPORARY TABLE own (id int)", False),
        ],
    )
    def test_may(self, owner: DatabaseAddress, statement: str, *, allowed: bool) -> None:
        """An auditor reads."""
        assert may(owner.as_role("audit"), statement) is allowed


class TestCreate:
    def test_is_safe_to_repeat(self, owner: DatabaseAddress) -> None:
        """The database stands, and the roles keep their passwords."""
        assert create_database(owner) is False
        create_roles(owner)
        assert may(owner.as_role("app"), "SELECT 1")


class TestDatabaseAddress:
    def test_survives_its_own_url(self) -> None:
        """Special characters and options included."""
        address = DatabaseAddress(
            "db.example", 5433, "a desk", "o@ner", "p:/w?&d", {"sslmode": "require"}
        )
        assert DatabaseAddress.parse(address.url()) == address

    def test_derives_a_password_for_each_role_and_database(self) -> None:
        """Known figure: HMAC-SHA256 over the role's name."""
        assert role_password("owner", "desk_app") == (
            "19b942f87f69b6caac8e824900e0eb10b9ced6cb7b43acd10c8927276e05ec6d"
        )
        assert role_password("owner", "desk_audit") != role_password("owner", "desk_app")
        assert role_password("other", "desk_app") != role_password("owner", "desk_app")
