"""The three roles of a database: who may do what, and by which derived password.

The owner migrates.  `<database>_app` works: it reads everything, adds rows, and changes only
columns that are named mutable.  `<database>_audit` reads.  The passwords of both follow from the
owner's, so that one setting names all three.

Source: design.md D4.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field, replace
from urllib.parse import quote

import psycopg
from psycopg import conninfo, sql

ROLES = ("app", "audit")


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """Where a database is, and as whom one enters it.

    Args:
        options: further libpq keywords of the URL, e.g. {"sslmode": "require"}.
    """

    host: str
    port: int
    name: str
    user: str
    password: str = field(repr=False)
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, url: str) -> DatabaseAddress:
        """Read a `postgresql://` URL.

        Raises:
            ValueError: what it lacks; the message never quotes the URL.
        """
        if not url.startswith(("postgresql://", "postgres://")):
            raise ValueError("it does not begin with postgresql://")
        try:
            parts = {key: str(value) for key, value in conninfo.conninfo_to_dict(url).items()}
        except psycopg.ProgrammingError:
            raise ValueError("it is not a PostgreSQL URL") from None
        missing = [key for key in ("host", "dbname", "user", "password") if not parts.get(key)]
        if missing:
            raise ValueError(f"it names no {missing[0]}")
        known = {"host", "port", "dbname", "user", "password"}
        return cls(
            host=parts["host"],
            port=int(parts.get("port", "5432")),
            name=parts["dbname"],
            user=parts["user"],
            password=parts["password"],
            options={key: value for key, value in parts.items() if key not in known},
        )

    def url(self) -> str:
        """Return the address as a URL, password included."""
        user, password, name = (
            quote(part, safe="") for part in (self.user, self.password, self.name)
        )
        options = "&".join(f"{key}={quote(value, safe='')}" for key, value in self.options.items())
        place = f"{quote(self.host, safe='[]:')}:{self.port}"
        return f"postgresql://{user}:{password}@{place}/{name}" + (
            f"?{options}" if options else ""
        )

    def with_name(self, name: str) -> DatabaseAddress:
        """Return the address of another database of the same server and user."""
        return replace(self, name=name)

    def as_role(self, role: str) -> DatabaseAddress:
        """Return the owner's address as one of `ROLES` enters it."""
        return replace(
            self,
            user=role_name(self.name, role),
            password=role_password(self.password, role_name(self.name, role)),
        )

    def connect(self) -> psycopg.Connection:
        """Open a connection that commits each statement."""
        place = conninfo.make_conninfo(
            host=self.host,
            port=self.port,
            dbname=self.name,
            user=self.user,
            password=self.password,
            **{"connect_timeout": "5", **self.options},
        )
        return psycopg.connect(place, autocommit=True)


def role_name(database: str, role: str) -> str:
    """Return the login name of a role: roles belong to a server, so the database is part of it."""
    return f"{database}_{role}"


def role_password(owner_password: str, name: str) -> str:
    """Derive a role's password from the owner's."""
    key = owner_password.encode()
    return hmac.new(key, f"bullbear/role/1\0{name}".encode(), hashlib.sha256).hexdigest()


def create_database(owner: DatabaseAddress) -> bool:
    """Create the owner's database where it does not exist; say whether that was so."""
    with owner.with_name("postgres").connect() as connection:
        found = connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [owner.name]
        ).fetchone()
        if found is not None:
            return False
        connection.execute(
            sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(
                sql.Identifier(owner.name)
            )
        )
        return True


def drop_database(owner: DatabaseAddress) -> None:
    """Drop the owner's database with whoever is in it, and then its roles."""
    with owner.with_name("postgres").connect() as connection:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(owner.name))
        )
        for role in ROLES:
            connection.execute(
                sql.SQL("DROP ROLE IF EXISTS {}").format(
                    sql.Identifier(role_name(owner.name, role))
                )
            )


def create_roles(owner: DatabaseAddress) -> None:
    """Make both login roles, or renew their passwords; the server only sees verifiers."""
    with owner.connect() as connection:
        for role in ROLES:
            entry = owner.as_role(role)
            found = connection.execute(
                "SELECT 1 FROM pg_roles WHERE rolname = %s", [entry.user]
            ).fetchone()
            verifier = connection.pgconn.encrypt_password(
                entry.password.encode(), entry.user.encode(), b"scram-sha-256"
            ).decode()
            connection.execute(
                sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(
                    sql.SQL("CREATE" if found is None else "ALTER"),
                    sql.Identifier(entry.user),
                    sql.Literal(verifier),
                )
            )
        reader = sql.Identifier(role_name(owner.name, "audit"))
        connection.execute(
            sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(reader)
        )
