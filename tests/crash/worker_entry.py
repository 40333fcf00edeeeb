"""The tests' own worker: a real Celery worker on the broker, armed by `BULLBEAR_TEST_KILL` where that is set.

python -m tests.crash.worker_entry
"""

from __future__ import annotations

import json
import os
import sys

import django

KILL = "BULLBEAR_TEST_KILL"


def main() -> None:
    """Run a worker until it is told to stop, or dies as it was armed to."""
    django.setup()
    from bullbear.outbox import ADVANCE  # noqa: PLC0415  they need the set-up
    from config.celery import app, publish  # noqa: PLC0415
    from dialogue import tasks  # noqa: F401, PLC0415  imported before it is wrapped
    from tests.crash.arming import arm  # noqa: PLC0415

    arm(json.loads(os.environ[KILL]) if KILL in os.environ else None)
    for execution in sys.argv[1:]:
        publish(ADVANCE, {"execution_id": execution})
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    app.worker_main(["worker", "--pool", "threads", "--hostname", f"t{os.getpid()}@%h", *quiet])


if __name__ == "__main__":
    main()
