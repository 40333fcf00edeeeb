"""Offer hints to the broker without ever waiting for it.

Note [Hint]: after commit the process offers the hint to a bounded queue that one daemon thread empties into
the broker; no commit and no request waits.  A hint that is lost costs time, never work: its outbox row
stands until the work is begun, and the sweeper offers it again.

Source: design.md D7.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

import structlog

Publish: TypeAlias = Callable[[str, Mapping[str, str]], None]
log = structlog.get_logger()

CAPACITY = 10_000
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 8.0


class Hints:
    """A bounded queue, one daemon thread and a circuit breaker.

    While the breaker is open, hints are dropped, not gathered: the outbox has them all.
    """

    def __init__(self, publish: Publish) -> None:
        """Publish with `publish`, whose time-outs are its own and bounded."""
        self._publish = publish
        self._waiting: queue.Queue[tuple[str, Mapping[str, str]]] = queue.Queue(CAPACITY)
        self._closed_until = 0.0
        self._pause = FIRST_PAUSE_SECONDS
        threading.Thread(target=self._run, name="hints", daemon=True).start()

    def offer(self, task: str, keys: Mapping[str, str]) -> None:
        """Queue a hint, or drop it where the queue is full."""
        try:
            self._waiting.put_nowait((task, keys))
        except queue.Full:
            log.warning("hint_dropped", task=task, **keys)

    def flush(self, seconds: float) -> None:
        """Wait until all offered hints were tried, at most this long."""
        end = time.monotonic() + seconds
        while self._waiting.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.005)

    def _run(self) -> None:
        while True:
            task, keys = self._waiting.get()
            try:
                self._try(task, keys)
            finally:
                self._waiting.task_done()

    def _try(self, task: str, keys: Mapping[str, str]) -> None:
        if time.monotonic() < self._closed_until:
            return
        try:
            self._publish(task, keys)
            self._pause = FIRST_PAUSE_SECONDS
        except Exception as error:  # noqa: BLE001  the thread's outermost line: the outbox row stands
            log.warning("hint_not_published", task=task, error=type(error).__name__)
            self._closed_until = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)


_lock = threading.Lock()
_publish: Publish | None = None
_hints: Hints | None = None


def set_publisher(publish: Publish) -> None:
    """Name the function that puts a hint into the broker; called once, at start."""
    global _publish, _hints
    with _lock:
        _publish, _hints = publish, None


def offer(task: str, keys: Mapping[str, str]) -> None:
    """Offer a hint to this process's queue; without a publisher the sweeper will offer it."""
    hints = _started()
    if hints is not None:
        hints.offer(task, keys)


def flush(seconds: float = 1.0) -> None:
    """Give this process's hints a last chance before it ends."""
    if _hints is not None:
        _hints.flush(seconds)


def _started() -> Hints | None:
    """Start the queue at its first use, so that a fork inherits no thread."""
    global _hints  # noqa: PLW0603
    with _lock:
        if _hints is None and _publish is not None:
            _hints = Hints(_publish)
        return _hints
