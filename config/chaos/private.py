"""A private stack in a temporary folder: servers, model, two workers, two sweepers; no web.

Source: design.md D20.
"""

from __future__ import annotations

import secrets
import signal
from dataclasses import dataclass, field, replace
from pathlib import Path

import psycopg
import redis

from config.chaos.fleet import Fleet
from config.embedded.folders import Folders, StackProblem
from config.embedded.own_processes import OwnProcesses
from config.embedded.ports import LOOPBACK, answers, free_port
from config.embedded.processes import Program, run_once, wait_until
from config.embedded.runtime_file import load_credentials
from config.embedded.servers import BROKER_URL, DATABASE_URL, start_servers
from config.env import REHEARSAL_MODEL, Env

DATABASE, BROKER, MODEL = "postgres", "valkey", "rehearsal"
WORKERS = ("worker-1", "worker-2")
SWEEPERS = ("sweeper-1", "sweeper-2")
LATENCY_SECONDS = ("0.2", "1.5")
_MIGRATE_SECONDS = 300.0
_READY_SECONDS = 60.0
_SERVER_SECONDS = 2


@dataclass(slots=True)
class Private:
    """A stack that belongs to one run."""

    env: Env
    folders: Folders
    fleet: Fleet
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def hits(self) -> Path:
        """Where the model logs what arrives."""
        return self.folders.home / "hits.jsonl"

    @property
    def journal(self) -> Path:
        """Where the injector writes what it does."""
        return self.folders.home / "faults.jsonl"

    @property
    def own(self) -> OwnProcesses:
        """Our processes, with this stack's settings."""
        return OwnProcesses(self.env, self.folders, self.settings)

    def start(self) -> None:
        """Start everything, and wait until both workers can be given work.

        Raises:
            StackProblem: something does not start, and where its output stands.
            Stopping: a signal came first.
        """
        credentials = load_credentials(self.folders.credentials)
        self.settings |= start_servers(self.fleet, self.folders, given={})
        port = free_port()
        self.settings |= {
            "BULLBEAR_HOME": str(self.folders.home),
            "BULLBEAR_SECRET_KEY": credentials.secret_key,
            "BULLBEAR_MODEL": REHEARSAL_MODEL,
            "BULLBEAR_UNKNOWN_POLICY": "end",
            "OPENAI_BASE_URL": f"http://{LOOPBACK}:{port}/v1",
            "OPENAI_API_KEY": secrets.token_urlsafe(32),
        }
        own = self.own
        self.fleet.start(self._model(port))
        self.fleet.wait_ready(MODEL, lambda: answers(port), seconds=_READY_SECONDS)
        migrate = own.migrate(credentials)
        if run_once(migrate, timeout=_MIGRATE_SECONDS) != 0:
            raise StackProblem(f"The database could not be prepared: {migrate.log}")
        for name in WORKERS:
            self.fleet.start(_named(own.untended_worker(), name))
        for name in SWEEPERS:
            self.fleet.start(_named(own.sweeper(), name))
        if not wait_until(self._has_workers, seconds=_READY_SECONDS, every=0.2):
            raise StackProblem(f"The workers do not start: see {self.folders.logs}")

    def empty_broker(self) -> None:
        """FLUSHALL.

        Raises:
            RedisError: the broker does not answer.
        """
        with redis.Redis.from_url(
            self.settings[BROKER_URL], socket_timeout=_SERVER_SECONDS
        ) as client:
            client.flushall()

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """Connect to the database as its owner.

        Raises:
            OperationalError: the database does not answer.
        """
        url = self.settings[DATABASE_URL]
        return psycopg.connect(url, connect_timeout=_SERVER_SECONDS, autocommit=True)

    def _model(self, port: int) -> Program:
        program = self.own.rehearsal(port)
        least, most = LATENCY_SECONDS
        more = ("--latency-seconds", least, "--latency-most-seconds", most)
        return replace(program, command=(*program.command, *more, "--hits", str(self.hits)))

    def _has_workers(self) -> bool:
        with self.connect() as connection:
            found = connection.execute("SELECT count(*) FROM bullbear_worker").fetchone()
        return found == (len(WORKERS),)


def _named(program: Program, name: str) -> Program:
    """Give one of several equal processes a name of its own.

    At the very end it is killed: what it still does is thrown away with the database.
    """
    command = tuple(part.replace(f"{program.name}@", f"{name}@") for part in program.command)
    environment = {**program.environment, "BULLBEAR_PROCESS_NAME": name}
    log = program.log.with_name(f"{name}.log")
    return replace(
        program,
        name=name,
        command=command,
        environment=environment,
        log=log,
        stop_signal=signal.SIGKILL,
    )
