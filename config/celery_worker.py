"""What a Celery worker process does when it starts and when it is told to stop.

Celery imports this module in workers only, after Django is set up.
"""

from __future__ import annotations

import os
import socket
import threading

from celery.signals import worker_ready, worker_shutting_down

from bullbear import worker
from config.celery import env
from config.configuration import require

require(env, "database_url", "broker_url", *(() if env.has_provider else ("openai_base_url",)))


@worker_ready.connect
def _start(**_: object) -> None:
    worker.start(f"{env.process_name}@{socket.gethostname()}:{os.getpid()}")


@worker_shutting_down.connect
def _drain(**_: object) -> None:
    """Begin nothing from now on; the pool itself waits for the calls in flight.

    This runs in a signal handler, so the waiting happens in a thread of its own.
    """
    threading.Thread(
        target=worker.drain, args=(env.drain_seconds,), name="drain", daemon=True
    ).start()
