"""bullbear's own processes as the supervisor starts them: this Python, code and settings."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from config.embedded.folders import Folders
from config.embedded.ports import LOOPBACK
from config.embedded.processes import Program
from config.embedded.runtime_file import Credentials
from config.env import PROJECT, Env

_DRAIN_MARGIN_SECONDS = 5.0
CELERY_WORKER = (
    *("celery", "--app", "config.celery", "worker", "--pool", "threads"),
    *("--without-gossip", "--without-mingle", "--hostname", "worker@%h"),
)


@dataclass(frozen=True, slots=True)
class OwnProcesses:
    """The programs of one stack.

    Args:
        settings: what the stack adds to our own environment; read when a program is made.
    """

    env: Env
    folders: Folders
    settings: dict[str, str]

    def rehearsal(self, port: int) -> Program:
        """Return the rehearsal model's server."""
        latency = f"{self.env.rehearsal_latency_seconds:g}"
        arguments = ("--port", str(port), "--latency-seconds", latency)
        return self._python("rehearsal", ("config.rehearsal.server", *arguments))

    def migrate(self, credentials: Credentials) -> Program:
        """Return what prepares the database and makes the accounts; it ends by itself."""
        passwords = {"ADMIN_PASSWORD": credentials.admin, "ANALYST_PASSWORD": credentials.analyst}
        command = ("config.cli.main", "migrate", "--accounts")
        return self._python("migrate", command, more=passwords)

    def web(self) -> Program:
        """Return the web process."""
        arguments = ("gunicorn", "--config", "python:config.gunicorn_conf", "config.wsgi")
        return self._python("web", arguments)

    def worker(self) -> Program:
        """Return the Celery worker with its watchdog; it is given the time that calls in flight may need."""
        return self._python(
            "worker",
            ("config.watchdog",),
            stop_seconds=self.env.drain_seconds + 2 * _DRAIN_MARGIN_SECONDS,
        )

    def untended_worker(self) -> Program:
        """Return the Celery worker without a watchdog."""
        return self._python(
            "worker",
            CELERY_WORKER,
            stop_seconds=self.env.drain_seconds + _DRAIN_MARGIN_SECONDS,
        )

    def flower(self, port: int, password: str) -> Program:
        """Return Flower: tasks carry ids only, and running one again is always safe."""
        settings = {
            "FLOWER_ADDRESS": LOOPBACK,
            "FLOWER_PORT": str(port),
            "FLOWER_BASIC_AUTH": f"admin:{password}",
            "FLOWER_PURGE_OFFLINE_WORKERS": "60",
        }
        return self._python(
            "flower", ("celery", "--app", "config.celery", "flower"), more=settings
        )

    def sweeper(self) -> Program:
        """Return the sweeper."""
        return self._python("sweeper", ("config.cli.main", "sweeper"))

    def client(self, *arguments: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """Return command and environment of a `bullbear` command that attaches to this stack."""
        return (sys.executable, "-m", "config.cli.main", *arguments), self._environment("client")

    def _python(
        self,
        name: str,
        arguments: tuple[str, ...],
        *,
        more: dict[str, str] | None = None,
        stop_seconds: float = 10.0,
    ) -> Program:
        return Program(
            name=name,
            command=(sys.executable, "-m", *arguments),
            environment=self._environment(name) | (more or {}),
            folder=self.folders.home,
            log=self.folders.logs / f"{name}.log",
            stop_seconds=stop_seconds,
        )

    def _environment(self, name: str) -> dict[str, str]:
        added = {
            "BULLBEAR_PROCESS_NAME": name,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(PROJECT),
            "PYTHONUNBUFFERED": "1",
        }
        return os.environ | self.settings | added
