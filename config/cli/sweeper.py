"""`bullbear sweeper`: find work that stands still, and set it going again."""

from __future__ import annotations

import signal
import threading

from django.conf import settings

from bullbear.sweep import run_forever
from config.configuration import require


def sweeper() -> None:
    """Sweep until SIGTERM or Ctrl-C; it needs the database only, and any number may run."""
    require(settings.BULLBEAR, "database_url")
    stop = threading.Event()
    for caught in (signal.SIGTERM, signal.SIGINT):
        signal.signal(caught, lambda *_: stop.set())
    run_forever(stop)
