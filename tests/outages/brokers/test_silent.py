"""A worker's connection to its broker falls silent: open, and nothing comes any more.

Two tended workers, each behind a proxy of its own.  One has connections that the product's settings heal; the
other's stay silent however often it connects, so that its watchdog must start it again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from signal import SIGKILL
from urllib.parse import urlsplit, urlunsplit

import pytest

from config.embedded.processes import identity, wait_until
from config.embedded.supervisor import Supervisor
from tests.outages.brokers.silent_proxy import SilentProxy
from tests.outages.brokers.stack import PATIENCE_SECONDS, Stack

CANARY_SECONDS = {"healing": 1.0, "lasting": 0.5}
SILENT_SECONDS = {"healing": 30.0, "lasting": 3.0}  # the product's, and a short one
SHORT_DRAIN = {"BULLBEAR_PROVIDER_TIMEOUT_SECONDS": "5", "BULLBEAR_DRAIN_SECONDS": "20"}


@dataclass
class Tended:
    """A tended worker behind a proxy, and the supervisor that starts its watchdog again."""

    name: str
    stack: Stack
    proxy: SilentProxy
    supervisor: Supervisor

    @property
    def file(self) -> Path:
        """What the worker touches whenever it hears a canary."""
        return self.stack.folders.home / f"canary.{self.name}"

    @property
    def heard_at(self) -> float:
        """When it heard a canary last."""
        try:
            return self.file.stat().st_mtime
        except FileNotFoundError:
            return 0.0

    @property
    def watchdog(self) -> int:
        """The process id of the watchdog."""
        return self.supervisor._child(self.name).process.pid

    @property
    def worker(self) -> int:
        """The process id of the worker."""
        pid = self.watchdog
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def hears(self) -> None:
        """Wait until it hears a canary that is sent from now on."""
        before = max(self.heard_at, time.time())
        self.see(lambda: self.heard_at > before)

    def see(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, as the supervisor does."""

        def tended() -> bool:
            self.supervisor.tend()
            return holds()

        assert wait_until(tended, seconds=PATIENCE_SECONDS), self.log[-3000:]

    @property
    def log(self) -> str:
        """What watchdog and worker wrote."""
        return self.stack.log_of(self.name)


@pytest.fixture(scope="module")
def both(whole_stack: Stack) -> Iterator[dict[str, Tended]]:
    """Both workers hear their broker, until each has its silence."""
    supervisor = Supervisor()
    with ExitStack() as started:
        started.callback(supervisor.stop_all)
        found = {}
        for name, canary_seconds in CANARY_SECONDS.items():
            proxy = started.enter_context(SilentProxy(whole_stack.broker.port))
            url = urlsplit(whole_stack.broker.url)
            behind = url._replace(netloc=url.netloc.replace(str(url.port), str(proxy.port)))
            program = whole_stack.own.worker()
            times = (f"{canary_seconds:g}", f"{SILENT_SECONDS[name]:g}")
            supervisor.start(
                replace(
                    program,
                    name=name,
                    command=(sys.executable, "-m", "tests.outages.brokers.watchdog_entry", *times),
                    environment={
                        **program.environment,
                        **SHORT_DRAIN,
                        "BULLBEAR_BROKER_URL": urlunsplit(behind),
                        "BULLBEAR_PROCESS_NAME": name,
                    },
                    log=whole_stack.folders.logs / f"{name}.log",
                    stop_signal=SIGKILL,  # a muted worker would take its time
                )
            )
            found[name] = Tended(name, whole_stack, proxy, supervisor)
        for tended in found.values():
            tended.hears()
        yield found


@dataclass
class Muted:
    """Both are muted now; who they were then."""

    healing: Tended
    lasting: Tended
    at: float
    watchdogs: tuple[int, int]
    workers: tuple[int, int]


@pytest.fixture(scope="module")
def muted(both: dict[str, Tended]) -> Muted:
    """The silence begins, for both at once."""
    healing, lasting = both["healing"], both["lasting"]
    watchdogs, workers = (healing.watchdog, lasting.watchdog), (healing.worker, lasting.worker)
    healing.proxy.tell("mute")
    lasting.proxy.tell("mute all")
    return Muted(healing, lasting, time.time(), watchdogs, workers)


class TestTheWatchdog:
    def test_leaves_a_worker_alone_whose_broker_is_frozen(self, both: dict[str, Tended]) -> None:
        """Scenario D04. For longer than a worker may be silent: the broker takes no canary meanwhile."""
        tended = both["lasting"]
        before = tended.watchdog, tended.worker
        tended.hears()  # so none is under way now
        tended.stack.broker.freeze()
        time.sleep(SILENT_SECONDS["lasting"] + 1)  # the scenario's own time
        tended.stack.broker.go_on()
        tended.hears()
        assert (tended.watchdog, tended.worker) == before
        assert "worker_silent" not in tended.log

    def test_starts_a_silent_worker_again(self, muted: Muted) -> None:
        """Whatever it connects to stays silent: only the watchdog, which is outside, can tell."""
        tended = muted.lasting
        assert identity(muted.workers[1]) is not None
        tended.see(lambda: "worker_silent" in tended.log)
        tended.proxy.tell("unmute")
        tended.see(lambda: tended.watchdog != muted.watchdogs[1])
        tended.hears()
        assert identity(muted.workers[1]) is None
        assert tended.log.count("worker_silent") == 1

    def test_is_not_needed_where_a_new_connection_is_heard(self, muted: Muted) -> None:
        """The product's settings drop a connection that has been silent too long; nobody is started again."""
        tended = muted.healing
        tended.see(lambda: tended.heard_at > muted.at)
        assert (tended.watchdog, tended.worker) == (muted.watchdogs[0], muted.workers[0])
        assert "worker_silent" not in tended.log


class TestRoots:
    def test_go_on_through_both(self, muted: Muted) -> None:
        """Hints that a muted connection swallowed come again."""
        stack = muted.healing.stack
        (at_end,) = stack.end(stack.open())
        assert (at_end.result, at_end.end_reason) == ("complete", "settled")
        assert set(at_end.hits.values()) == {1}
