"""Play one of this folder's scenarios in a process of its own, on a database of its own.

    python -m tests.outages.playing FOLDER NAME

Scenarios take a minute of waiting and little work, so they run beside each other.  What one saw it writes
down, and tests say what that must be.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from config.database_roles import DatabaseAddress, create_database, drop_database
from tests.crash.stage import Facts, play, private_database
from tests.outages.database import OwnServer, Play
from tests.provider_double import ProviderDouble


@dataclass(frozen=True)
class Stage:
    """Where a scenario plays: a database of the given broker, and a server of its own or not."""

    broker_database: int
    own_server: bool = False


STAGES = {
    "away": Stage(8, own_server=True),
    "killed": Stage(9, own_server=True),
    "many_calls": Stage(10),
    "rolling": Stage(11),
    "clocks": Stage(12),
}


def main(name: str) -> None:
    """Play it."""
    stage = STAGES[name]
    os.environ["BULLBEAR_SECRET_KEY"] = secrets.token_urlsafe(32)
    with _database(name, stage) as (address, server):

        def scenario(folder: Path, double: ProviderDouble) -> Facts:
            # Its models need the set-up, which has just been done.
            facts: Facts = import_module(f"tests.outages.{name}").scenario(
                Play(folder, double, server)
            )
            return facts

        play(address, stage.broker_database, scenario)


@contextmanager
def _database(name: str, stage: Stage) -> Iterator[tuple[DatabaseAddress, OwnServer | None]]:
    if not stage.own_server:
        address = private_database(f"{name}_{os.getpid()}")
        create_database(address)
        try:
            yield address, None
        finally:
            drop_database(address)
        return
    home = Path(tempfile.mkdtemp(prefix="bullbear-outage-"))
    home.chmod(0o711)
    server = OwnServer(home)
    try:
        server.start()
        create_database(server.address)
        yield server.address, server
    finally:
        server.stop()
        shutil.rmtree(home)


if __name__ == "__main__":
    main(sys.argv[2])
