"""A process of the application that does on order what an API call does.

    python -m tests.outages.brokers.host

One order a line on its standard input, one answer a line on its output.  It opens Roots as `bullbear ask`
does, and offers their hints as every process does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from config.embedded.processes import die_with_parent
from tests.provider_double.double import PROJECT


@dataclass(frozen=True)
class Done:
    """What became of an order.

    Args:
        seconds: how long it took, measured there.
        error: the type of what was raised, or "".
    """

    seconds: float
    value: str
    error: str


class Host:
    """Such a process, running."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self._one_at_a_time = threading.Lock()
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.outages.brokers.host"],
                cwd=PROJECT,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                text=True,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509  nothing of it holds a lock
            )

    def open(self, requester: int, desk: int, text: str) -> tuple[UUID, float]:
        """Open a Root; return its id, and how long that took."""
        done = self.order("open", requester=str(requester), desk=str(desk), text=text)
        assert done.error == "", done.error
        return UUID(done.value), done.seconds

    def cancel(self, root: UUID) -> float:
        """Cancel a Root; return how long that took."""
        done = self.order("cancel", root=str(root))
        assert done.error == "", done.error
        return done.seconds

    def publish(self, task: str, **keys: Any) -> Done:
        """Put a hint into the broker, and wait for it, which the product never does."""
        return self.order("publish", task=task, keys=keys)

    def order(self, call: str, **arguments: Any) -> Done:
        """Give an order and wait for its answer."""
        with self._one_at_a_time:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps({"call": call, **arguments}) + "\n")
            self._process.stdin.flush()
            return Done(**json.loads(self._process.stdout.readline()))

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


def main() -> None:
    """Do what is ordered until standard input ends."""
    import django  # noqa: PLC0415  only this process sets it up

    django.setup()
    calls = _calls()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        order = json.loads(line)
        act = calls[order.pop("call")]
        value, error, began = "", "", time.monotonic()
        try:
            value = act(**order)
        except Exception as raised:  # noqa: BLE001  the answer says so
            error = type(raised).__name__
        seconds = time.monotonic() - began
        answers.write(json.dumps({"seconds": seconds, "value": value, "error": error}) + "\n")
        answers.flush()
    os._exit(0)  # hints may still wait for a broker


def _calls() -> Mapping[str, Callable[..., str]]:
    from django.contrib.auth.models import Group, User  # noqa: PLC0415  models need the set-up

    from bullbear.options import options  # noqa: PLC0415
    from config import celery  # noqa: PLC0415
    from dialogue.cancel import cancel  # noqa: PLC0415
    from research.asking import Question  # noqa: PLC0415
    from research.domains.registry import domain  # noqa: PLC0415
    from research.open_root import open_root  # noqa: PLC0415
    from tests.factories import FUND_FILE, PORTFOLIO_FILE  # noqa: PLC0415

    def open_one(requester: str, desk: str, text: str) -> str:
        root = open_root(
            Question(text, [PORTFOLIO_FILE, FUND_FILE]),
            domain=domain("investment"),
            desk=Group.objects.get(pk=desk),
            requester=User.objects.get(pk=requester),
            options=options(),
        )
        return str(root.pk)

    def cancel_one(root: str) -> str:
        cancel(UUID(root))
        return ""

    def publish(task: str, keys: Mapping[str, Any]) -> str:
        celery.publish(task, keys)
        return ""

    return {"open": open_one, "cancel": cancel_one, "publish": publish}


if __name__ == "__main__":
    main()
