"""Scenario: PostgreSQL is stopped for 30 s while calls are in flight.

    python -m tests.crash.outage FOLDER

The server is this scenario's own.  The provider answers while it is gone.
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from config.database_roles import DatabaseAddress, create_database
from config.embedded.folders import prepare
from config.embedded.ports import free_port
from config.embedded.postgres import Postgres
from config.embedded.processes import spawn, stop, wait_until
from config.embedded.programs import find
from tests.crash.stage import PATIENCE_SECONDS, Clock, Facts, end_when_told, play
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import (
    BEAR_OPENING,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    challenge_in,
    response_in,
)

if TYPE_CHECKING:
    from bullbear.models import Root

GONE_SECONDS = 30.0
ANSWERED_AFTER_SECONDS = 3.0
A_SHORT_WAY = {
    "planning": PLAN,
    "opening": BULL_OPENING,
    "joining": BEAR_OPENING,
}
A_LONG_WAY = {
    "challenging": challenge_in(1),
    "responding": response_in(1),
    "concluding": SYNTHESIS,
}
IN_FLIGHT = A_SHORT_WAY | A_LONG_WAY


class Server:
    """A PostgreSQL server that can be stopped and started."""

    def __init__(self, home: Path) -> None:
        folders = prepare(home)
        password = secrets.token_urlsafe(16)
        programs = find(folders)
        self._server = Postgres(folders, programs.postgres, free_port(), password, durable=False)
        self._server.make()
        self._process: subprocess.Popen[bytes] | None = None
        self.address = DatabaseAddress.parse(self._server.url)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._server.clear_stale_pid_file()
        self._process = spawn(self._server.program())
        assert wait_until(self._server.is_ready, seconds=PATIENCE_SECONDS)

    def stop(self) -> None:
        """Stop it."""
        assert self._process is not None
        stop(self._process, self._server.program())


def tag(name: str) -> str:
    """Name a Root by what stands in its question, and so in each of its requests."""
    return f"(Root {name}.)"


def scenario(server: Server, folder: Path, double: ProviderDouble) -> Facts:
    """Let the database be gone while every kind of call is in flight."""
    from django.db import connections  # noqa: PLC0415  it needs the set-up

    from tests.crash.actors import Actors, all_ended  # noqa: PLC0415  so do models
    from tests.driving import Rehearsal  # noqa: PLC0415

    actors = Actors(folder, double)
    facts = Facts()
    with Rehearsal.started() as model, actors.sweeper(), actors.worker():
        for name, when in IN_FLIGHT.items():
            double.script(
                Behaviour(when=when, also=tag(name), gate="back", forward=model.base_url)
            )
        double.otherwise(Behaviour(forward=model.base_url))
        roots: dict[str, Root] = {}
        for names in (A_LONG_WAY, A_SHORT_WAY):  # so that no call is old when the server stops
            roots |= {name: actors.open_on_samples(tag(name)) for name in names}
            _wait_for_calls(double, roots)
        connections.close_all()  # this process's own
        server.stop()
        clock = Clock()
        time.sleep(ANSWERED_AFTER_SECONDS)  # the outage is what is waited for here
        double.release("back")
        time.sleep(GONE_SECONDS - ANSWERED_AFTER_SECONDS)
        facts.seconds["gone"] = clock.seconds
        server.start()
        back = Clock()
        roots["opened afterwards"] = actors.open_on_samples(tag("opened afterwards"))
        ended = wait_until(lambda: all_ended(roots.values()), seconds=PATIENCE_SECONDS, every=0.2)
        facts.notes["ended"] = ended
        facts.seconds["until the end"] = back.seconds
    for name, root in roots.items():
        actors.judge(facts, name, root)
    return facts


def _wait_for_calls(double: ProviderDouble, names: Collection[str]) -> None:
    """Wait until the held-back call of each of these Roots has arrived."""

    def arrived() -> bool:
        bodies = [double.body(hit) for hit in double.hits()]
        return all(
            any(tag(name).encode() in body and IN_FLIGHT[name].encode() in body for body in bodies)
            for name in names
        )

    assert wait_until(arrived, seconds=PATIENCE_SECONDS, every=0.2), "the calls did not arrive"


def main() -> None:
    """Play it on a server of its own."""
    end_when_told()
    home = Path(tempfile.mkdtemp(prefix="bullbear-outage-"))
    home.chmod(0o711)
    server = Server(home)
    try:
        server.start()
        create_database(server.address)
        play(server.address, 6, partial(scenario, server))
    finally:
        server.stop()
        shutil.rmtree(home)


if __name__ == "__main__":
    main()
