"""The whole of bullbear on one machine: servers, rehearsal model, web, worker and sweeper.

Each server starts only where no setting names another in its place; our own processes always do.

Source: design.md D20.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from config.embedded import runtime_file
from config.embedded.folders import Folders, StackProblem, lock, prepare
from config.embedded.own_processes import OwnProcesses
from config.embedded.ports import LOOPBACK, answers, free_port
from config.embedded.processes import Identity, end_leftover, identity, run_once
from config.embedded.runtime_file import Credentials, Runtime
from config.embedded.servers import BROKER_URL, DATABASE_URL, start_servers
from config.embedded.supervisor import Supervisor
from config.env import REHEARSAL_MODEL, Env

_MIGRATE_SECONDS = 300.0
_READY_SECONDS = 60.0
_LEFTOVER_SECONDS = 5.0


@dataclass(slots=True)
class Stack:
    """A stack that runs in this process."""

    env: Env
    folders: Folders
    supervisor: Supervisor
    runtime: Runtime
    credentials: Credentials
    settings: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        """Start everything, in order, and publish where it is.

        Raises:
            StackProblem: something does not start, and where its output stands.
            Stopping: a signal came first.
        """
        env = self.env
        given = {
            DATABASE_URL: env.database_url.get_secret_value(),
            BROKER_URL: env.broker_url.get_secret_value(),
        }
        self.settings = start_servers(self.supervisor, self.folders, given=given)
        self.settings |= {
            "BULLBEAR_HOME": str(self.folders.home),
            "BULLBEAR_WEB_PORT": str(env.web_port or free_port()),
            "BULLBEAR_SECRET_KEY": env.secret_key.get_secret_value()
            or self.credentials.secret_key,
        }
        own = OwnProcesses(env, self.folders, self.settings)
        if not env.has_provider:
            self._start_rehearsal(own)
        self._migrate(own)
        flower_port = free_port()
        flower = own.flower(flower_port, self.credentials.admin)
        for program in (own.web(), own.worker(), own.sweeper(), flower):
            self.supervisor.start(program)
        port = int(self.settings["BULLBEAR_WEB_PORT"])
        self.supervisor.wait_ready("web", lambda: answers(port), seconds=_READY_SECONDS)
        self._publish(
            settings=self.settings,
            web_url=f"http://{LOOPBACK}:{port}/",
            flower_url=f"http://{LOOPBACK}:{flower_port}/",
            accounts={"admin": self.credentials.admin, "analyst": self.credentials.analyst},
        )

    def changed(self, processes: dict[str, Identity]) -> None:
        """Publish who runs now."""
        self._publish(processes=processes)

    def _start_rehearsal(self, own: OwnProcesses) -> None:
        port = free_port()
        self.supervisor.start(own.rehearsal(port))
        self.supervisor.wait_ready("rehearsal", lambda: answers(port), seconds=_READY_SECONDS)
        self.settings |= {
            "OPENAI_BASE_URL": f"http://{LOOPBACK}:{port}/v1",
            "OPENAI_API_KEY": "rehearsal",
            "BULLBEAR_MODEL": REHEARSAL_MODEL,
        }

    def _migrate(self, own: OwnProcesses) -> None:
        program = own.migrate(self.credentials)
        if run_once(program, timeout=_MIGRATE_SECONDS) != 0:
            last = program.log.read_text(errors="replace").strip().splitlines()[-1:]
            raise StackProblem(
                f"The database could not be prepared: {' '.join(last)} ({program.log})"
            )

    def _publish(self, **changes: object) -> None:
        self.runtime = replace(self.runtime, **changes)  # type: ignore[arg-type]
        runtime_file.write(self.folders.runtime_file, self.runtime)


@contextmanager
def prepared_stack(env: Env) -> Iterator[Stack]:
    """Take the home's lock, hand out a stack to start, and stop it whatever happens.

    Raises:
        AlreadyRunning: another supervisor has this home.
    """
    folders = prepare(env.home)
    descriptor = lock(folders)
    supervisor = Supervisor()
    supervisor.catch_signals()
    try:
        _end_leftovers(folders)
        myself = identity(os.getpid())
        assert myself is not None  # noqa: S101 - we are alive
        stack = Stack(
            env=env,
            folders=folders,
            supervisor=supervisor,
            runtime=Runtime(supervisor=myself),
            credentials=runtime_file.load_credentials(folders.credentials),
        )
        supervisor.on_change(stack.changed)
        yield stack
    finally:
        supervisor.stop_all()
        folders.runtime_file.unlink(missing_ok=True)
        os.close(descriptor)


def _end_leftovers(folders: Folders) -> None:
    """End what a killed supervisor may have left, the last started first."""
    before = runtime_file.read(folders.runtime_file)
    for known in reversed((before.processes if before else {}).values()):
        end_leftover(known, patience_seconds=_LEFTOVER_SECONDS)
