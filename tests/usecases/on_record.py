"""A database in which every table of the four packages holds a row, and ways to try what it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from pytest_django.plugin import DjangoDbBlocker

from bullbear.models import Child, Root
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from config.database_roles import DatabaseAddress
from config.grants import PACKAGES
from dialogue.decide import decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from dialogue.steps import begin
from research.asking import UnknownPolicy
from research.domains.registry import domain
from research.release import release
from tests.conftest import _take_rows_away
from tests.driving import Driver
from tests.factories import a_desk, a_grant, a_root, a_user, a_worker, plan_a_dialogue
from tests.provider_double import ProviderDouble
from tests.scripted import (
    BEAR_OPENING,
    SYNTHESIS,
    a_challenge,
    a_dialogue,
    a_response,
    a_synthesis,
    asks_for,
    challenge_in,
    fails,
    response_in,
    says,
)
from tests.usecases.scene import Scene

WHO = ("app", "owner", "replica")  # `replica`: the owner, with ordinary triggers switched off
READ_PORTFOLIO = ("read_source", {"source": "S1", "offset": 0, "limit": 5})


@dataclass(frozen=True)
class Record:
    """Three Roots: one that ended, one whose call is under way, one that nobody has begun."""

    ended: Root
    running: Root
    fresh: Root


@contextmanager
def one_of_everything(blocker: DjangoDbBlocker, double: ProviderDouble) -> Iterator[Record]:
    """Build the three Roots through the use cases, and take them away at the end."""
    double.forget()
    with blocker.unblock():
        try:
            yield _build(double)
        finally:
            _take_rows_away()


def _build(double: ProviderDouble) -> Record:
    desk = a_desk()
    user = a_user(desks=[desk])
    a_grant(user=user)
    a_grant(user=None, group=desk)
    provider = Provider(Endpoint.from_base_url(double.base_url), "none")
    driver = Driver(desk, user, a_worker(), provider, domain("investment"))
    running = a_root(requester=user, desk=desk)
    main = Child.objects.get(root=running)
    begin(main.pk, runner=Runner(driver.worker, driver.provider.endpoint, uuid4()))
    return Record(_ended(double, driver), running, a_root(requester=user, desk=desk))


def _ended(double: ProviderDouble, driver: Driver) -> Root:
    """End a Root in which a call was rejected, one lost and asked again, a tool used, a send refused."""
    double.script(
        fails(BEAR_OPENING, status=429, headers={"Retry-After": "0"}),
        fails(challenge_in(1), status=500),
        asks_for(challenge_in(2), READ_PORTFOLIO),
        says(challenge_in(2), a_challenge("C1")),
        says(response_in(1), a_response("C1", action="defend")),
        says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved")),
        *a_dialogue(),
    )
    root = a_root(
        requester=driver.requester,
        desk=driver.desk,
        wish="require",
        rounds=2,
        unknown_policy=UnknownPolicy.HOLD,
    )
    plan_a_dialogue(root, bull=["S2"])
    scene = Scene(double, driver, root)
    scene.run()
    decide(root.pk, DecisionKind.REASK, decided_by=driver.requester)
    ended = scene.run()
    assert (ended.state, scene.pair.end_reason) == ("finished", "max_rounds")
    release(root.pk, "S1", reason="Asked for.", by=driver.requester)
    release(root.pk, "S1", reason="No more.", by=driver.requester, withdraw=True)
    return ended


def tables() -> Mapping[str, type[models.Model]]:
    """Name every table of the four packages."""
    found = [model for label in PACKAGES for model in apps.get_app_config(label).get_models()]
    return {model._meta.db_table: model for model in found}


def columns_of(table: str) -> list[str]:
    """Name a table's columns."""
    return [field.column or "" for field in tables()[table]._meta.concrete_fields]


def address(who: str) -> DatabaseAddress:
    """Say how one enters the tests' database."""
    owner = settings.BULLBEAR.database
    assert owner is not None
    return owner if who in {"owner", "replica"} else owner.as_role(who)


@contextmanager
def tried_by(who: str) -> Iterator[psycopg.Connection]:
    """Enter as somebody, and let nothing of it last."""
    with address(who).connect() as connection:
        if who == "replica":
            if not _is_superuser(connection):
                pytest.skip(
                    "the owner is no superuser: nobody here may set session_replication_role"
                )
            connection.execute("SET session_replication_role = replica")
        with connection.transaction(force_rollback=True):
            yield connection


def _is_superuser(connection: psycopg.Connection) -> bool:
    row = connection.execute(
        "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    assert row is not None
    return bool(row[0])


def refusal(who: str, statement: str) -> str:
    """Try a statement, its deferred triggers included; name the rule that refuses it, if one does."""
    with tried_by(who) as somebody:
        try:
            somebody.execute(statement)
            somebody.execute("SET CONSTRAINTS ALL IMMEDIATE")
        except psycopg.errors.InsufficientPrivilege:
            return "no right to"
        except psycopg.errors.IntegrityConstraintViolation as refused:
            return refused.diag.constraint_name or ""
    return ""


def copied(table: str, changed: Mapping[str, str], which: str) -> str:
    """Write the INSERT of one more row like another, but for columns given as SQL."""
    values = {name: name for name in columns_of(table)}
    values |= {"id": "gen_random_uuid()", **changed}
    names = ", ".join(f'"{column}"' for column in values)
    chosen = ", ".join(value if name != value else f'"{value}"' for name, value in values.items())
    return f"INSERT INTO {table} ({names}) SELECT {chosen} FROM {table} WHERE {which} LIMIT 1"  # noqa: S608


def changed(table: str, values: Mapping[str, str], which: str) -> str:
    """Write the UPDATE of one row."""
    sets = ", ".join(f'"{column}" = {value}' for column, value in values.items())
    one = f"id = (SELECT id FROM {table} WHERE {which} ORDER BY id LIMIT 1)"  # noqa: S608
    return f"UPDATE {table} SET {sets} WHERE {one}"  # noqa: S608
