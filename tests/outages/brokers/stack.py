"""The product's own processes around a broker of a test's own, as the supervisor starts them."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Self
from uuid import UUID

from django.conf import settings

from audit.oracle import stray_arrivals
from bullbear.lifecycle import ENDED_ROOT, Role
from bullbear.models import Child, Root, Worker
from config.chaos.private import _named
from config.embedded.folders import Folders
from config.embedded.own_processes import OwnProcesses
from config.embedded.ports import LOOPBACK, free_port
from config.embedded.ports import answers as answers_on
from config.embedded.processes import Program, spawn, wait_until
from config.env import REHEARSAL_MODEL
from tests import oracle
from tests.crash.answers import answers
from tests.crash.processes import Running
from tests.crash.snapshot import Snapshot, take
from tests.factories import QUESTION, a_desk, a_user
from tests.outages.brokers.host import Host
from tests.outages.brokers.server import Broker
from tests.provider_double import Behaviour, ProviderDouble

PATIENCE_SECONDS = 90.0
PATIENT = {  # a call may be held back through many tests, on a slow machine
    "BULLBEAR_PROVIDER_TIMEOUT_SECONDS": "240",
    "BULLBEAR_DRAIN_SECONDS": "255",
    "BULLBEAR_FINALIZE_SECONDS": "960",
}
_TASK_OVER = re.compile(r"Task bullbear\.advance\[([^]]+)\] (?:succeeded|raised)")


class Stack:
    """A broker, a scripted provider, an application process, workers and sweepers on the tests' database.

    Args:
        folders: a home of its own.
        script: what the provider says before its usual answers.
    """

    def __init__(self, folders: Folders, script: Sequence[Behaviour] = ()) -> None:
        self.folders = folders
        self.broker = Broker(folders)
        (folders.home / "double").mkdir()
        self.double = ProviderDouble(folders.home / "double")
        self.double.script(*script, *answers())
        self.own = OwnProcesses(
            settings.BULLBEAR,
            folders,
            {
                "BULLBEAR_HOME": str(folders.home),
                "BULLBEAR_BROKER_URL": self.broker.url,
                "BULLBEAR_SECRET_KEY": secrets.token_urlsafe(32),
                "BULLBEAR_MODEL": REHEARSAL_MODEL,
                "BULLBEAR_DATABASE_POOL_SIZE": "8",
                **PATIENT,
                "OPENAI_BASE_URL": self.double.base_url,
            },
        )
        self.workers: dict[str, Running] = {}
        self.sweepers: dict[str, Running] = {}
        self._started = ExitStack()
        self._started.callback(self.double.stop)
        self.desk = a_desk()
        self.requester = a_user(desks=[self.desk])

    def __enter__(self) -> Self:
        """Start the broker and the application process."""
        self.broker.start()
        self._started.callback(self.broker.kill)
        self.host = self.another_host("host")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.broker.go_on()
        self._started.close()

    def another_host(self, name: str) -> Host:
        """Start an application process."""
        environment = self.environment | {"BULLBEAR_PROCESS_NAME": name}
        host = Host(environment, self.folders.logs / f"{name}.log")
        self._started.callback(host.stop)
        return host

    @property
    def environment(self) -> dict[str, str]:
        """What every process of this stack is told."""
        return os.environ | self.own.settings

    def run(self, program: Program) -> Running:
        """Start a process of the product; it is killed with the stack."""
        return self._started.enter_context(Running(spawn(program)))

    def worker(self, name: str = "worker") -> None:
        """Start a Celery worker."""
        self.workers[name] = self.run(_named(self.own.untended_worker(), name))

    def sweeper(self, name: str = "sweeper") -> None:
        """Start a sweeper."""
        self.sweepers[name] = self.run(_named(self.own.sweeper(), name))

    def send_away(self, name: str) -> None:
        """End a further worker or sweeper, with SIGKILL."""
        (self.workers if name in self.workers else self.sweepers).pop(name).kill()

    def web(self) -> str:
        """Start the web process; return where it answers."""
        self.own.settings["BULLBEAR_WEB_PORT"] = str(free_port())
        self.run(self.own.web())
        port = int(self.own.settings["BULLBEAR_WEB_PORT"])
        self.see(lambda: answers_on(port))
        return f"http://{LOOPBACK}:{port}/"

    def flower(self, password: str) -> str:
        """Start Flower as the supervisor does; return where it answers."""
        port = free_port()
        self.run(self.own.flower(port, password))
        self.see(lambda: answers_on(port))
        return f"http://{LOOPBACK}:{port}/"

    def stop_workers(self) -> None:
        """Stop all workers with SIGSTOP, and see that none is given a hint any more."""
        for worker in self.workers.values():
            worker.send(signal.SIGSTOP)
        self.see(lambda: self.broker.waited_for() == 0)

    def stop_sweepers(self) -> None:
        """Stop all sweepers with SIGSTOP."""
        for sweeper in self.sweepers.values():
            sweeper.send(signal.SIGSTOP)

    def start_workers(self) -> None:
        """Let all workers go on."""
        for worker in self.workers.values():
            worker.send(signal.SIGCONT)

    def go_on(self) -> None:
        """Let all workers and sweepers go on."""
        self.start_workers()
        for sweeper in self.sweepers.values():
            sweeper.send(signal.SIGCONT)

    @property
    def is_well(self) -> bool:
        """Whether nobody has ended."""
        everybody = (*self.workers.values(), *self.sweepers.values())
        return all(one.process.poll() is None for one in everybody)

    def heal(self) -> None:
        """Let everybody be well again; nobody may have ended."""
        self.go_on()
        self.broker.heal()
        assert self.is_well, self._last_words()

    def wait_for_workers(self, count: int = 1) -> None:
        """Wait until so many workers can be given work."""
        self.see(lambda: Worker.objects.count() >= count)

    def open(self, tag: str = "", *, host: Host | None = None) -> Root:
        """Open a Root whose requests can be told by `tag`, in the application process."""
        opener = host or self.host
        root_id, _ = opener.open(self.requester.pk, self.desk.pk, f"{QUESTION} {tag}".strip())
        return Root.objects.get(pk=root_id)

    def wait_for_end(self, *roots: Root) -> None:
        """Wait until these Roots have ended."""
        self.see(lambda: ended(roots))

    def see(self, holds: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until something holds; where it does not, show what the processes wrote last."""
        assert wait_until(holds, seconds=seconds, every=0.05), self._last_words()

    def end(self, *roots: Root) -> list[Snapshot]:
        """Wait until these Roots have ended, ask the oracle, and read what is on record."""
        self.wait_for_end(*roots)
        hits = self.double.hits()
        for root in roots:
            oracle.check(root, hits)
        assert [str(one) for one in stray_arrivals(hits)] == []
        return [take(root.pk, hits) for root in roots]

    def has_asked(self, when: str, also: str = "") -> bool:
        """Whether a call that holds these texts has arrived at the provider."""
        bodies = [self.double.body(hit) for hit in self.double.hits()]
        return any(when.encode() in body and also.encode() in body for body in bodies)

    def log_of(self, name: str) -> str:
        """Read what a process wrote."""
        return (self.folders.logs / f"{name}.log").read_text(errors="replace")

    def steps_taken(self) -> list[str]:
        """Name the tasks that the workers have gone through, one id for each time."""
        logs = [self.log_of(path.stem) for path in self.folders.logs.glob("worker*.log")]
        return [one for log in logs for one in _TASK_OVER.findall(log)]

    def _last_words(self) -> str:
        logs = sorted(self.folders.logs.glob("*.log"))
        return "\n".join(f"{one.name}: {self.log_of(one.stem)[-1500:]}" for one in logs)


def ended(roots: Iterable[Root]) -> bool:
    """Whether all these Roots have ended."""
    ids = [root.pk for root in roots]
    return Root.objects.filter(pk__in=ids, state__in=ENDED_ROOT).count() == len(ids)


def execution(root: Root, role: Role) -> UUID:
    """Name an execution of a Root."""
    return Child.objects.get(root=root, role=role).pk
