"""A canary hint: proof that a worker still hears its broker.

A worker whose broker connection froze stays alive and silent.  So whoever tends it sends a hint down a queue
of its own, through the same broker and the same connection as its work; hearing it touches a file.

Source: issue of step 2; https://docs.celeryq.dev/en/stable/userguide/routing.html.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

from celery import shared_task

CANARY = "bullbear.canary"
FILE_VARIABLE = "BULLBEAR_CANARY_FILE"


def canary_queue(process_name: str) -> str:
    """Name the queue that only this worker process consumes."""
    return f"canary.{socket.gethostname()}.{process_name}"


@shared_task(name=CANARY)
def canary(**_future: object) -> None:
    """Say that this worker heard its broker just now."""
    told = os.environ.get(FILE_VARIABLE)
    if told:
        Path(told).touch()
