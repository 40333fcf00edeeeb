"""The lighter entry: forks a process for each order, without a broker's worker, and tells what becomes of it.

`python -m tests.crash.step_entry` reads one order a line and writes one fact a line.  What is forked has
imported the product and nothing else: no connection, no row, no id but those of its order.

Shape:
    order: {"id": int, "call": str, "arguments": {str: str}, "kill": {…} | null}
    fact: {"id": int, "pid": int, "fact": "started | stopped | continued | ended", "status": int}
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from typing import Any

import django
from django.db import connections

from config.embedded.processes import die_with_parent

SECONDS_BETWEEN_LOOKS = 0.02
FAILED = 3


def main() -> None:
    """Serve orders until standard input ends."""
    django.setup()
    from tests.crash import arming, orders  # noqa: PLC0415  models need the set-up

    running: dict[int, int] = {}
    rest = b""
    while True:
        readable, _, _ = select.select([0], [], [], SECONDS_BETWEEN_LOOKS)
        if readable:
            read = os.read(0, 65_536)
            if not read:
                return
            *lines, rest = (rest + read).split(b"\n")
            for line in lines:
                order = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    _obey(order, arming.arm, orders.ORDERS)
                running[pid] = order["id"]
                _tell(order["id"], pid, "started")
        _tell_what_changed(running)


def _obey(order: dict[str, Any], arm: Any, calls: Any) -> None:
    """Be the forked process: die as ordered, or end well, or fail."""
    die_with_parent(signal.SIGKILL, parent=os.getppid())()
    status = FAILED
    try:
        arm(order["kill"])
        calls[order["call"]](**order["arguments"])
        connections.close_all()
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(status)


def _tell_what_changed(running: dict[int, int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
        if pid == 0:
            return
        if os.WIFSTOPPED(status):
            _tell(running[pid], pid, "stopped")
        elif os.WIFCONTINUED(status):
            _tell(running[pid], pid, "continued")
        else:
            _tell(running.pop(pid), pid, "ended", os.waitstatus_to_exitcode(status))


def _tell(order: int, pid: int, fact: str, status: int = 0) -> None:
    fact_line = json.dumps({"id": order, "pid": pid, "fact": fact, "status": status})
    os.write(1, fact_line.encode() + b"\n")


if __name__ == "__main__":
    main()
