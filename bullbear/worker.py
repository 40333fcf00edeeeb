"""This worker process: its row, its heartbeat, its permits.

Note [Leases]: an execution is leased while its worker is alive *and* the hard end is not passed.  One thread
with its own connection renews `alive_until` every 5 s for 15 s.  Every write of a running step names the
lease's token; a stale token changes nothing.

Source: design.md D4, D7, D17.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Self

import structlog
from django.db import Error, connection

from bullbear import hints
from bullbear.models import Worker
from bullbear.options import options
from bullbear.outbox import ADVANCE

ALIVE_SECONDS = 15
RENEW_SECONDS = 5
log = structlog.get_logger()

_REGISTER = """
INSERT INTO bullbear_worker (id, name, started_at, alive_until)
VALUES (%s, %s, clock_timestamp(), clock_timestamp() + %s * interval '1 second')
"""
_RENEW = """
UPDATE bullbear_worker SET alive_until = clock_timestamp() + %s * interval '1 second' WHERE id = %s
"""


@dataclass
class Permits:
    """How many executions this process may have begun at once; taken before begin."""

    free: int
    _deferred: deque[str] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, execution_id: str) -> bool:
        """Take a permit, or remember to offer the execution's hint again when one is free."""
        with self._lock:
            if self.free > 0:
                self.free -= 1
                return True
            if execution_id not in self._deferred:
                self._deferred.append(execution_id)
            return False

    def give_back(self) -> None:
        """Return a permit, and offer the hint of whoever waits longest."""
        with self._lock:
            self.free += 1
            waiting = self._deferred.popleft() if self._deferred else None
        if waiting:
            hints.offer(ADVANCE, {"execution_id": waiting})

    def none_free(self) -> None:
        """Begin nothing any more."""
        with self._lock:
            self.free = -1_000_000
            self._deferred.clear()


class Running:
    """The worker that this process is."""

    def __init__(self, name: str) -> None:
        """Register a fresh row and keep it alive from a thread of its own."""
        self.row = Worker(name=name)
        self.permits = Permits(options().permits_per_process)
        self.under_way = 0
        self.draining = False
        self._changed = threading.Condition()
        self._stop = threading.Event()
        registered = threading.Event()
        self._thread = threading.Thread(
            target=self._live, args=(registered,), name="alive", daemon=True
        )
        self._thread.start()
        registered.wait(RENEW_SECONDS)

    def __enter__(self) -> Self:
        with self._changed:
            self.under_way += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self.under_way -= 1
            self._changed.notify_all()

    def drain(self, seconds: float) -> bool:
        """Begin nothing new and wait for calls in flight; say whether all came back in time."""
        self.draining = True
        self.permits.none_free()
        end = time.monotonic() + seconds
        with self._changed:
            while self.under_way and time.monotonic() < end:
                self._changed.wait(min(1.0, max(0.01, end - time.monotonic())))
            left = self.under_way
        self._stop.set()
        return left == 0

    def _live(self, registered: threading.Event) -> None:
        key = str(self.row.pk)
        values: tuple[str | int, ...]
        statement, values = _REGISTER, (key, self.row.name, ALIVE_SECONDS)
        while not self._stop.is_set():
            try:
                with connection.cursor() as cursor:
                    cursor.execute(statement, values)
                statement, values = _RENEW, (ALIVE_SECONDS, key)
                registered.set()
                pause = RENEW_SECONDS
            except Error as error:
                # The lease ends by itself if this lasts; the thread goes on trying.
                log.warning("worker_not_renewed", error=type(error).__name__)
                connection.close()
                pause = 1
            self._stop.wait(pause)
        connection.close()


_lock = threading.Lock()
_running: Running | None = None


def start(name: str) -> Running:
    """Make this process a worker."""
    global _running  # noqa: PLW0603  a process is one worker
    with _lock:
        if _running is None:
            _running = Running(name)
        return _running


def current() -> Running:
    """Return the worker that this process is.

    Raises:
        RuntimeError: it was not started as one.
    """
    if _running is None:
        raise RuntimeError("this process was not started as a worker")
    return _running


def drain(seconds: float) -> bool:
    """Stop beginning, await calls in flight; say whether all came back in time."""
    return _running.drain(seconds) if _running else True
