"""What each fault does to the stack."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import psycopg
import redis

from config.chaos.events import Journal, Note
from config.chaos.faults import Fault, Order
from config.chaos.private import BROKER, DATABASE, MODEL, SWEEPERS, WORKERS, Private

_SESSIONS = r"""
SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE '%\_app'
"""


class NobodyThere(Exception):
    """What the fault would hit is away, stopped or ending already."""


@dataclass(slots=True)
class Injector:
    """Injects faults one after another, and counts them.

    Args:
        injected: how often each fault was injected.
        omitted: how many were not, because nobody was there to be hit.
    """

    private: Private
    journal: Journal
    injected: Counter[Fault] = field(default_factory=Counter)
    omitted: int = 0

    def inject(self, order: Order) -> str:
        """Inject a fault; say what was hit, or "" where nobody was there."""
        try:
            hit = _ACTS[order.fault](self, order)
        except (NobodyThere, psycopg.OperationalError, redis.RedisError):
            self.omitted += 1
            return ""
        self.injected[order.fault] += 1
        return hit

    def choose(self, names: Sequence[str], order: Order) -> str:
        """Choose one of those that are there.

        Raises:
            NobodyThere: none is.
        """
        there = [name for name in names if self.private.fleet.is_up(name)]
        if not there:
            raise NobodyThere
        return there[order.pick % len(there)]

    def crash(self, name: str, order: Order) -> None:
        """Kill a child, and tell the witness."""
        pid = self.private.fleet.pid(name)
        self.private.fleet.crash(name, away=order.away)
        self.journal.write(Note.KILLED, target=name, pid=pid, away=order.away)


Act = Callable[[Injector, Order], str]


def _kill(*names: str) -> Act:
    def act(injector: Injector, order: Order) -> str:
        name = injector.choose(names, order)
        injector.crash(name, order)
        return f"{name}, away for {order.away:.1f} s"

    return act


def _stop(*names: str) -> Act:
    def act(injector: Injector, order: Order) -> str:
        name = injector.choose(names, order)
        injector.private.fleet.freeze(name, away=order.away)
        injector.journal.write(Note.STOPPED, target=name, away=order.away)
        return f"{name}, for {order.away:.1f} s"

    return act


def _drain_worker(injector: Injector, order: Order) -> str:
    name = injector.choose(WORKERS, order)
    injector.private.fleet.ask_to_end(name)
    return name


def _empty_broker(injector: Injector, order: Order) -> str:
    name = injector.choose([BROKER], order)
    injector.private.empty_broker()
    return name


def _leave_only_the_database(injector: Injector, order: Order) -> str:
    injector.choose([BROKER], order)
    name = injector.choose(WORKERS, order)
    injector.crash(name, order)
    injector.private.empty_broker()
    return f"{name} and all hints"


def _kill_all(injector: Injector, order: Order) -> str:
    injector.choose([BROKER], order)
    injector.private.empty_broker()
    for name in (*WORKERS, *SWEEPERS, MODEL, BROKER):
        injector.crash(name, order)
    return "everything but the database"


def _terminate_sessions(injector: Injector, order: Order) -> str:
    injector.choose([DATABASE], order)
    chance = random.Random(order.pick)  # noqa: S311  a choice, not a secret
    with injector.private.connect() as connection:
        found = [row[0] for row in connection.execute(_SESSIONS).fetchall()]
        chosen = chance.sample(found, -(-len(found) // 2))
        for pid in chosen:
            connection.execute("SELECT pg_terminate_backend(%s)", [pid])
    return f"{len(chosen)} of {len(found)}"


def _cancel_root(injector: Injector, order: Order) -> str:
    injector.journal.write(Note.CANCEL, pick=order.pick)
    return "one of those under way"


_ACTS: Mapping[Fault, Act] = {
    Fault.WORKER_KILLED: _kill(*WORKERS),
    Fault.WORKER_KILLED_BROKER_EMPTIED: _leave_only_the_database,
    Fault.WORKER_STOPPED: _stop(*WORKERS),
    Fault.WORKER_DRAINED: _drain_worker,
    Fault.BROKER_KILLED: _kill(BROKER),
    Fault.BROKER_STOPPED: _stop(BROKER),
    Fault.BROKER_EMPTIED: _empty_broker,
    Fault.DATABASE_KILLED: _kill(DATABASE),
    Fault.SESSIONS_TERMINATED: _terminate_sessions,
    Fault.SWEEPER_KILLED: _kill(*SWEEPERS),
    Fault.SWEEPER_STOPPED: _stop(*SWEEPERS),
    Fault.MODEL_KILLED: _kill(MODEL),
    Fault.ROOT_CANCELLED: _cancel_root,
    Fault.ALL_KILLED: _kill_all,
}
