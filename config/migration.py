"""Bring a database up to date: make it, its roles and its tables, and say who may do what.

Source: design.md D4.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from django.core.management import call_command

from config.configuration import require
from config.database_roles import create_database, create_roles
from config.env import Env
from config.grants import grant_roles


@dataclass(frozen=True, slots=True)
class Migrated:
    """What was done."""

    database: str
    created: bool


def migrate(env: Env, *, verbosity: int = 1) -> Migrated:
    """Do all of it; doing it again changes nothing.

    Raises:
        ConfigurationProblem: no database is set.
    """
    require(env, "database_url")
    owner = env.database
    assert owner is not None  # noqa: S101 - it is set
    created = create_database(owner)
    create_roles(owner)
    call_command(
        "migrate", database="owner", interactive=False, verbosity=verbosity, stdout=sys.stderr
    )
    grant_roles(owner)
    return Migrated(owner.name, created)
