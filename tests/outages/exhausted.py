"""The last part of `killed`: somebody takes every connection that the application may have."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import ExitStack

import psycopg
from django.db import OperationalError, connections

from bullbear.models import Root
from tests.crash.stage import Facts
from tests.outages.crew import Crew, tag, until
from tests.outages.database import OwnServer
from tests.provider_double import Behaviour
from tests.scripted import BULL_CLAIM, BULL_OPENING, an_opening, says

GATE = "none left"
HELD, REFUSED, AFTERWARDS = "held", "refused", "afterwards"
TRIES = 50

_OTHERS = "FROM pg_stat_activity WHERE application_name = ANY(%s)"


def held_call() -> Behaviour:
    """Hold one call back, so that its answer comes while no connection is left."""
    return says(BULL_OPENING, an_opening(BULL_CLAIM), also=tag(HELD), gate=GATE)


def exhaust(crew: Crew, facts: Facts, names: Collection[str]) -> dict[str, Root]:
    """Take all connections away from the processes of these names, and give them back.

    Returns:
        the Root whose call was answered meanwhile, and one that was opened afterwards.
    """
    roots = {HELD: crew.open(tag(HELD))}
    crew.wait_for_arrivals({HELD: BULL_OPENING})
    facts.notes["roots before"] = Root.objects.count()
    connections.close_all()
    with ExitStack() as taken, crew.play.own_server.connect() as owner:
        _take_all(crew.play.own_server, owner, list(names), taken)
        facts.notes["refusal"] = _refusal(crew)
        facts.notes["roots then"] = _count(owner, "SELECT count(*) FROM bullbear_root")
        crew.play.double.release(GATE)
        logs = [crew.log_of(name) for name in names]
        until(
            lambda: any("record_waits" in log.read_text() for log in logs),
            "nobody says that a record waits",
        )
        facts.notes["records that waited"] = sum(
            log.read_text().count("record_waits") for log in logs
        )
    roots[AFTERWARDS] = crew.open(tag(AFTERWARDS))
    crew.wait_for_end(roots.values())
    return roots


def _take_all(
    server: OwnServer, owner: psycopg.Connection, names: list[str], taken: ExitStack
) -> None:
    """Connect until that is refused, and end the sessions of others until none of them has one."""
    reason = ""
    for _ in range(TRIES):
        owner.execute(f"SELECT pg_terminate_backend(pid) {_OTHERS}", [names])
        try:
            while True:
                taken.enter_context(server.connect("app"))
        except psycopg.OperationalError as refused:
            reason = str(refused)
        if _count(owner, f"SELECT count(*) {_OTHERS}", names) == 0:
            return
    raise AssertionError(f"somebody still has a connection: {reason}")


def _refusal(crew: Crew) -> str:
    """Say how opening a Root fails."""
    try:
        crew.open(tag(REFUSED))
    except OperationalError as error:
        return str(error)
    return ""


def _count(owner: psycopg.Connection, statement: str, *given: list[str]) -> int:
    found = owner.execute(statement, given).fetchone()
    assert found is not None
    return int(found[0])
