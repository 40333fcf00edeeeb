"""Keep children running in a given order, and stop them in the reverse one."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from config.embedded.folders import StackProblem
from config.embedded.processes import Command, Identity, Program, identity, spawn, stop

_STEADY_SECONDS = 30.0  # a child that lived this long is not failing in a loop
_PAUSES_SECONDS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)


class Stopping(Exception):
    """A signal asked the stack to stop while it was still starting."""


@dataclass(slots=True)
class Child:
    """A started program, and what is known of its lives."""

    program: Program
    prepare: Callable[[], None]
    process: subprocess.Popen[bytes]
    started: float
    deaths: int = 0
    not_before: float | None = None


class Supervisor:
    """The children of one foreground process; every method is called from its main thread.

    See Note [Death signal].
    """

    def __init__(self) -> None:
        """Begin without children."""
        self.stopping = threading.Event()
        self._children: list[Child] = []
        self._ending: Child | None = None
        self._changed: Callable[[dict[str, Identity]], None] = lambda _: None

    def on_change(self, tell: Callable[[dict[str, Identity]], None]) -> None:
        """Call `tell` with the children's identities whenever one is started."""
        self._changed = tell

    def start(self, program: Program, prepare: Callable[[], None] = lambda: None) -> None:
        """Start `program` and keep it running; `prepare` runs before each of its starts."""
        if self.stopping.is_set():
            raise Stopping
        prepare()
        self._children.append(Child(program, prepare, spawn(program), time.monotonic()))
        self._publish()

    def wait_ready(self, name: str, is_ready: Callable[[], bool], *, seconds: float) -> None:
        """Wait until the child says it is ready.

        Raises:
            StackProblem: it ended, or the time is over; it is then stopped and forgotten.
            Stopping: a signal came first.
        """
        child = self._child(name)
        end = time.monotonic() + seconds
        while not is_ready():
            if self.stopping.wait(0.03):
                raise Stopping
            ended = child.process.poll()
            if ended is not None or time.monotonic() >= end:
                stop(child.process, child.program)
                self._children.remove(child)
                how = f"ended with status {ended}" if ended is not None else "did not answer"
                raise StackProblem(f"{name} {how}; its output is in {child.program.log}.")

    def tend(self) -> None:
        """Start again whatever ended: at once, and with growing pauses while it keeps ending."""
        now = time.monotonic()
        for child in self._children:
            if child.not_before is None and child.process.poll() is not None:
                self._note_death(child, now)
            if child.not_before is not None and now >= child.not_before:
                child.prepare()
                child.process = spawn(child.program)
                child.started = now
                child.not_before = None
                self._publish()

    def attend(self, command: Command) -> int:
        """Run a command in our foreground, tending the children, and return its exit status.

        A signal for us ends it; Ctrl-C reaches it by itself.
        """
        process = command.start()
        asked = False
        while process.poll() is None:
            self.tend()
            if asked:
                process.wait()
            elif self.stopping.wait(0.1):
                process.terminate()
                asked = True
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    def stop_all(self) -> None:
        """Stop every child, the last started first."""
        while self._children:
            self._ending = self._children.pop()
            stop(self._ending.process, self._ending.program)
        self._ending = None

    def catch_signals(self) -> None:
        """Let Ctrl-C, SIGTERM and SIGHUP ask for an orderly stop, and a second one for haste."""
        for caught in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(caught, self._caught)

    def _caught(self, *_: object) -> None:
        if self.stopping.is_set() and self._ending is not None:
            self._ending.process.kill()
        self.stopping.set()

    def _note_death(self, child: Child, now: float) -> None:
        child.deaths = 0 if now - child.started >= _STEADY_SECONDS else child.deaths
        pause = _PAUSES_SECONDS[min(child.deaths, len(_PAUSES_SECONDS) - 1)]
        child.deaths += 1
        child.not_before = now + pause
        sys.stderr.write(
            f"{child.program.name} ended with status {child.process.returncode}; "
            f"starting it again in {pause:g} s ({child.program.log})\n"
        )

    def _child(self, name: str) -> Child:
        return next(child for child in self._children if child.program.name == name)

    def _publish(self) -> None:
        known = {child.program.name: identity(child.process.pid) for child in self._children}
        self._changed({name: one for name, one in known.items() if one is not None})
