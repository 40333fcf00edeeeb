"""Start the processes of a test, see them stop or end, and end what is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from config.embedded.processes import die_with_parent, wait_until
from tests.crash.arming import Kill
from tests.crash.worker_entry import KILL
from tests.provider_double.double import PROJECT

POOL = {"BULLBEAR_DATABASE_POOL_SIZE": "12"}
PATIENCE_SECONDS = 240.0  # of a machine that has much else to do


@dataclass
class Ordered:
    """A process that was ordered, and what is known of it."""

    pid: int = 0
    status: int | None = None
    _started: threading.Event = field(default_factory=threading.Event)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    def learn(self, fact: Mapping[str, Any]) -> None:
        """Take in what the entry tells."""
        self.pid = fact["pid"]
        match fact["fact"]:
            case "started":
                self._started.set()
            case "stopped":
                self._stopped.set()
            case "ended":
                self.status = fact["status"]
                self._ended.set()

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        """Wait for its end and return its exit status; minus the signal that killed it."""
        assert self._ended.wait(seconds), f"process {self.pid} does not end"
        assert self.status is not None
        return self.status

    def wait_stopped(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until it has stopped."""
        wait_until(lambda: self._stopped.is_set() or self._ended.is_set(), seconds=seconds)
        assert self._stopped.is_set(), f"process {self.pid} did not stop: {self.status}"

    def go_on(self) -> None:
        """Let a stopped process go on."""
        os.kill(self.pid, signal.SIGCONT)


class StepEntry:
    """The lighter entry, running: forks a process for each order."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self._ordered: list[Ordered] = []
        self._lock = threading.Lock()
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.crash.step_entry"],
                cwd=PROJECT,
                env={**os.environ, **POOL, **environment},
                stdin=subprocess.PIPE,  # held open: its end is the entry's end
                stdout=subprocess.PIPE,
                stderr=output,
            )
        self._listener = threading.Thread(target=self._listen, name="facts", daemon=True)
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._listener.join(5)
        for one in self._ordered:
            if one.status is None and one.pid:
                os.kill(one.pid, signal.SIGKILL)  # stopped, and its parent is gone

    def order(self, call: str, kill: Kill | None = None, **arguments: object) -> Ordered:
        """Fork a process that does one thing."""
        with self._lock:
            ordered = Ordered()
            self._ordered.append(ordered)
            order = {
                "id": len(self._ordered) - 1,
                "call": call,
                "arguments": {name: str(value) for name, value in arguments.items()},
                "kill": asdict(kill) if kill else None,
            }
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        return ordered

    def _listen(self) -> None:
        output: IO[bytes] | None = self._process.stdout
        assert output is not None
        with output:
            for line in output:
                fact = json.loads(line)
                self._ordered[fact["id"]].learn(fact)


@dataclass
class Running:
    """A started process of ours: a worker, a sweeper, a proxy."""

    process: subprocess.Popen[bytes]

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        """Wait for its end and return its exit status; minus the signal that killed it."""
        return self.process.wait(seconds)

    @property
    def pid(self) -> int:
        """Its id."""
        return self.process.pid

    def kill(self) -> None:
        """End it with SIGKILL, and reap it."""
        self.process.kill()
        self.process.wait(10)

    def send(self, sign: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(sign)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()


def start(module: str, *arguments: str, log: Path, **environment: str) -> Running:
    """Start one of our modules as a process that dies with this one."""
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", module, *arguments],
            cwd=PROJECT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  nothing of it holds a lock
        )
    return Running(process)


def start_worker(
    log: Path, kill: Kill | None = None, *executions: str, **environment: str
) -> Running:
    """Start a real Celery worker, armed or not; the executions get a first hint."""
    armed = {KILL: json.dumps(asdict(kill))} if kill else {}
    return start("tests.crash.worker_entry", *executions, log=log, **POOL, **armed, **environment)


def start_sweeper(log: Path, **environment: str) -> Running:
    """Start the product's own sweeper process."""
    return start("config.cli.main", "sweeper", log=log, **POOL, **environment)
