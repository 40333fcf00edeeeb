"""A scenario in a process of its own, with a database and a broker's database of its own.

It takes a minute of waiting and little work, so it runs beside the other tests.  What it saw it writes down,
and a test says what that must be.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import django
import redis

from config.database_roles import DatabaseAddress
from config.embedded.servers import BROKER_URL, DATABASE_URL
from tests.provider_double import ProviderDouble

PATIENCE_SECONDS = 240.0  # of a machine that has much else to do


@dataclass
class Facts:
    """What a scenario saw.

    Args:
        roots: by the name the scenario gave: what is on record at the end.
        complaints: the oracle's, by the same names; none where it is content.
        seconds: how long something took, by name.
        notes: what else was seen.
    """

    roots: dict[str, object] = field(default_factory=dict)
    complaints: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, object] = field(default_factory=dict)


def play(address: DatabaseAddress, broker_database: int, scenario: Callable[..., Any]) -> None:
    """Run a scenario on this database and leave what it saw in the folder that was given.

    The scenario's module imports no model before this.
    """
    folder = Path(sys.argv[1])
    broker = urlsplit(os.environ[BROKER_URL])._replace(path=f"/{broker_database}")
    os.environ[DATABASE_URL] = address.url()
    os.environ[BROKER_URL] = urlunsplit(broker)
    (folder / "double").mkdir()
    with ProviderDouble(folder / "double") as double:
        os.environ["OPENAI_BASE_URL"] = double.base_url
        django.setup()
        from django.conf import settings  # noqa: PLC0415  it needs the set-up

        from config.migration import migrate  # noqa: PLC0415

        migrate(settings.BULLBEAR, verbosity=0)
        empty_broker()
        facts = scenario(folder, double)
    with (folder / "facts").open("wb") as file:
        pickle.dump(facts, file)


def end_when_told() -> None:
    """End at SIGTERM as at an error, so that nothing is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def empty_broker() -> None:
    """Lose every hint that is under way in this scenario's broker."""
    client = redis.Redis.from_url(os.environ[BROKER_URL])
    client.flushdb()
    client.close()


def private_database(name: str) -> DatabaseAddress:
    """Name a database of this scenario on the server that was given."""
    given = DatabaseAddress.parse(os.environ[DATABASE_URL])
    return given.with_name(f"{given.name}_{name}")


class Clock:
    """Measures how long something takes."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it was started."""
        return time.monotonic() - self._began


def facts_of(folder: Path) -> Facts:
    """Read the facts that a scenario saw."""
    facts: Facts = whatever_was_seen(folder)
    return facts


def whatever_was_seen(folder: Path) -> Any:
    """Read what a scenario saw."""
    with (folder / "facts").open("rb") as file:
        return pickle.load(file)  # noqa: S301  a process of ours has just written it
