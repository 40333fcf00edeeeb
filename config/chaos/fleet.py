"""A supervisor whose children can be killed and kept away, and stopped for a while."""

from __future__ import annotations

import signal
import time

from config.embedded.processes import wait_until
from config.embedded.supervisor import Supervisor

_ALL_BACK_SECONDS = 60.0


class Fleet(Supervisor):
    """Children that are hurt on purpose; `tend` brings back whoever's time has come.

    A stopped child cannot obey SIGTERM, so it goes on before it is told to end.
    """

    def __init__(self) -> None:
        """Begin without children."""
        super().__init__()
        self.too_slow: list[str] = []  # children that had to be killed after they were told to end
        self._stopped: dict[str, float] = {}  # until when
        self._leaving: dict[str, float] = {}  # told to end, and killed after this time

    def pid(self, name: str) -> int:
        """Return the process id of a child's present, or last, life."""
        return self._child(name).process.pid

    def is_up(self, name: str) -> bool:
        """Say whether a child runs, is not stopped and was not told to end."""
        hurt = name in self._stopped or name in self._leaving
        return not hurt and self._child(name).process.poll() is None

    def crash(self, name: str, *, away: float) -> None:
        """End a child with SIGKILL, and start it again after `away` seconds."""
        child = self._child(name)
        self._stopped.pop(name, None)
        self._leaving.pop(name, None)
        child.process.kill()
        child.process.wait()
        child.deaths = 0
        child.not_before = time.monotonic() + away

    def freeze(self, name: str, *, away: float) -> None:
        """Stop a child with SIGSTOP for `away` seconds."""
        self._child(name).process.send_signal(signal.SIGSTOP)
        self._stopped[name] = time.monotonic() + away

    def ask_to_end(self, name: str) -> None:
        """Send a child SIGTERM; it is killed if its end takes too long, and started again."""
        child = self._child(name)
        child.process.terminate()
        self._leaving[name] = time.monotonic() + child.program.stop_seconds

    def tend(self) -> None:
        """Let children go on whose stop is over, and start those again that may come back."""
        now = time.monotonic()
        for name in [name for name, until in self._stopped.items() if until <= now]:
            self._go_on(name)
        for name, until in list(self._leaving.items()):
            process = self._child(name).process
            if process.poll() is None and until <= now:
                self.too_slow.append(name)
                process.kill()
            if process.poll() is not None:
                del self._leaving[name]
                self._child(name).deaths = 0
        super().tend()

    def heal(self) -> bool:
        """Let everybody go on and come back now; say whether all do within a minute."""
        for name in list(self._stopped):
            self._go_on(name)
        for child in self._children:
            child.not_before = None if child.not_before is None else time.monotonic()

        def all_back() -> bool:
            self.tend()
            return all(child.process.poll() is None for child in self._children)

        return wait_until(all_back, seconds=_ALL_BACK_SECONDS, every=0.1)

    def stop_all(self) -> None:
        """Let everybody go on, then stop every child, the last started first."""
        for name in list(self._stopped):
            self._go_on(name)
        super().stop_all()

    def _go_on(self, name: str) -> None:
        del self._stopped[name]
        self._child(name).process.send_signal(signal.SIGCONT)
