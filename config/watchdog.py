"""Tend one Celery worker from outside: a silent one is stopped, so that it is started again.

    python -m config.watchdog

It starts the worker as its child and every few seconds puts a canary hint into the broker.  Where the
broker took one and the worker did not hear it for half a minute, the worker is told to stop (it finishes its
calls in flight) and this process ends with status 75: whoever started it starts it again.  A broker that
takes nothing says nothing about the worker, and one that has not heard any canary yet is still starting.

Source: dependencies' note on frozen sockets: with default settings a worker stayed alive and silent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import structlog
from celery.exceptions import CeleryError
from kombu.exceptions import KombuError

from config.canary import CANARY, FILE_VARIABLE, canary_queue
from config.celery import app, env
from config.embedded.own_processes import CELERY_WORKER
from config.embedded.processes import Program, spawn, stop

CANARY_SECONDS = 10.0
SILENT_SECONDS = 30.0
STARTING_SECONDS = 120.0  # on a busy machine; to start it again would only make that busier
SILENT_STATUS = 75
_DRAIN_MARGIN_SECONDS = 5.0
log = structlog.get_logger()


@dataclass
class Watch:
    """What is known of a worker's hearing.

    Units: seconds of a steady clock; `seen` is a file's time.
    """

    taken_at: float | None = (
        None  # the oldest canary that the broker took and nobody has heard yet
    )
    seen: float = 0.0  # modification time of the file

    def taken(self, now: float) -> None:
        """Note that the broker took a canary."""
        self.taken_at = now if self.taken_at is None else self.taken_at

    def look(self, touched: float) -> None:
        """Note the file's modification time."""
        if touched > self.seen:
            self.seen, self.taken_at = touched, None

    def silent(self, now: float) -> bool:
        """Whether a canary that the broker took was not heard for too long."""
        patience = SILENT_SECONDS if self.seen else STARTING_SECONDS
        return self.taken_at is not None and now - self.taken_at >= patience


def run() -> int:
    """Tend a worker until it ends or is silent, or until a signal asks for the end."""
    asked = threading.Event()
    for caught in (signal.SIGTERM, signal.SIGINT):
        signal.signal(caught, lambda *_: asked.set())
    env.home.mkdir(parents=True, exist_ok=True)
    heard = env.home / f"canary.{env.process_name}"
    heard.unlink(missing_ok=True)
    program = Program(
        name="worker",
        command=(sys.executable, "-m", *CELERY_WORKER),
        environment=os.environ | {FILE_VARIABLE: str(heard)},
        folder=Path.cwd(),
        log=Path("/dev/stdout"),
        stop_seconds=env.drain_seconds + _DRAIN_MARGIN_SECONDS,
    )
    worker = spawn(program)
    try:
        return _tend(worker, heard, canary_queue(env.process_name), asked)
    finally:
        stop(worker, program)


def _tend(worker: subprocess.Popen[bytes], heard: Path, queue: str, asked: threading.Event) -> int:
    watch, next_canary = Watch(), 0.0
    while not asked.wait(0.2):
        ended = worker.poll()
        if ended is not None:
            return ended if ended >= 0 else 128 - ended
        now = time.monotonic()
        if heard.exists():
            watch.look(heard.stat().st_mtime)
        if watch.silent(now):
            log.error("worker_silent", seconds=SILENT_SECONDS)
            return SILENT_STATUS
        if now >= next_canary and _send(queue):
            watch.taken(time.monotonic())  # a frozen broker may have taken its time
        if now >= next_canary:
            next_canary = now + CANARY_SECONDS
    return 0


def _send(queue: str) -> bool:
    """Put a canary into the broker; say whether the broker took it."""
    try:
        app.send_task(CANARY, queue=queue, expires=SILENT_SECONDS, ignore_result=True)
    except (CeleryError, KombuError, OSError) as error:
        log.warning("canary_not_taken", error=type(error).__name__)
        return False
    return True


if __name__ == "__main__":
    sys.exit(run())
