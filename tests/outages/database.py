"""A PostgreSQL server of a scenario's own that can be killed, and what processes do meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg

from config.embedded.processes import spawn, wait_until
from tests.crash.outage import Server
from tests.provider_double import ProviderDouble

PATIENCE_SECONDS = 120.0
MOST_SESSIONS = 60  # PostgreSQL keeps three of them for superusers

_SESSIONS = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"


class OwnServer(Server):
    """A server that may be killed; it writes down what it commits, as the product's own does."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._server = replace(self._server, durable=True)

    def start(self) -> None:
        """Start it, and wait until it answers: what a killed one left behind goes in a moment."""
        assert wait_until(self._answers, seconds=PATIENCE_SECONDS, every=0.1)

    def kill(self) -> None:
        """End it with SIGKILL; its sessions see that and end too."""
        process = self._running()
        process.kill()
        process.wait(10)

    def kill_a_session_of(self, name: str) -> None:
        """End one of a process's backends with SIGKILL: PostgreSQL ends all others and recovers by itself."""
        found: list[int] = []

        def has_one() -> bool:
            with self.connect() as owner:
                rows = owner.execute(_SESSIONS, [name]).fetchall()
            found.extend(row[0] for row in rows)
            return bool(found)

        assert wait_until(has_one, seconds=PATIENCE_SECONDS), f"{name} has no session"
        os.kill(found[0], signal.SIGKILL)
        assert wait_until(lambda: not Path(f"/proc/{found[0]}").exists(), seconds=PATIENCE_SECONDS)
        assert wait_until(self._server.is_ready, seconds=PATIENCE_SECONDS)

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._process is not None and self._process.poll() is None:
            super().stop()

    def connect(self, role: str = "") -> psycopg.Connection[tuple[Any, ...]]:
        """Enter as its owner, or as one of the two roles: `app` or `audit`."""
        address = self.address.as_role(role) if role else self.address
        return address.connect()

    def _answers(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            self._server.clear_stale_pid_file()
            program = self._server.program()
            fewer = ("-c", f"max_connections={MOST_SESSIONS}")
            self._process = spawn(replace(program, command=(*program.command, *fewer)))
        return self._server.is_ready()

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process


@dataclass(frozen=True)
class Play:
    """What a scenario is given: a folder, a provider, and where it has one a server of its own."""

    folder: Path
    double: ProviderDouble
    server: OwnServer | None = None

    @property
    def own_server(self) -> OwnServer:
        """Its server."""
        assert self.server is not None
        return self.server


@dataclass
class Effort:
    """What a process did between two moments: processor time, and lines in its log."""

    pid: int
    log: Path
    _cpu: float = field(init=False)
    _lines: int = field(init=False)

    def __post_init__(self) -> None:
        self._cpu, self._lines = cpu_seconds(self.pid), self._count()

    def so_far(self) -> tuple[float, int]:
        """Return processor seconds and log lines since this was made."""
        return cpu_seconds(self.pid) - self._cpu, self._count() - self._lines

    def _count(self) -> int:
        return self.log.read_bytes().count(b"\n")


def cpu_seconds(pid: int) -> float:
    """Return the processor time a process has used."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
