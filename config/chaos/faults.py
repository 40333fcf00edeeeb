"""Which faults are injected, and when: all of it follows from the seed.

Kinds are drawn from a bag that is filled again when it is empty, so that a long run has them all, in the
proportions below, and never the same order twice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What can happen to a running stack; a *stop* is SIGSTOP with a later SIGCONT."""

    WORKER_KILLED = "worker_killed"  # SIGKILL in the middle of its calls
    WORKER_KILLED_BROKER_EMPTIED = "worker_killed_broker_emptied"  # nothing left but the database
    WORKER_STOPPED = "worker_stopped"  # also past the time in which it counts as alive
    WORKER_DRAINED = "worker_drained"  # SIGTERM: a rolling restart
    BROKER_KILLED = "broker_killed"
    BROKER_STOPPED = "broker_stopped"  # its sockets stay open and say nothing
    BROKER_EMPTIED = "broker_emptied"  # FLUSHALL
    DATABASE_KILLED = "database_killed"  # SIGKILL, then its own crash recovery
    SESSIONS_TERMINATED = "sessions_terminated"  # pg_terminate_backend on half of them
    SWEEPER_KILLED = "sweeper_killed"
    SWEEPER_STOPPED = "sweeper_stopped"
    MODEL_KILLED = "model_killed"  # calls in flight break off, later ones are refused
    ROOT_CANCELLED = "root_cancelled"
    ALL_KILLED = (
        "all_killed"  # workers, sweepers, model and broker at once, and the broker emptied
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """How often a fault is drawn, and how long what it hits stays away or stopped.

    Units: seconds, for both ends of the range.
    """

    share: int
    away: tuple[float, float] = (0.0, 0.0)


KINDS: Mapping[Fault, Kind] = {
    Fault.WORKER_KILLED: Kind(3, (0.0, 3.0)),
    Fault.WORKER_KILLED_BROKER_EMPTIED: Kind(1, (0.0, 3.0)),
    Fault.WORKER_STOPPED: Kind(3, (3.0, 25.0)),
    Fault.WORKER_DRAINED: Kind(2),
    Fault.BROKER_KILLED: Kind(1, (0.5, 5.0)),
    Fault.BROKER_STOPPED: Kind(1, (3.0, 15.0)),
    Fault.BROKER_EMPTIED: Kind(1),
    Fault.DATABASE_KILLED: Kind(1, (0.5, 5.0)),
    Fault.SESSIONS_TERMINATED: Kind(2),
    Fault.SWEEPER_KILLED: Kind(1, (0.0, 3.0)),
    Fault.SWEEPER_STOPPED: Kind(1, (3.0, 20.0)),
    Fault.MODEL_KILLED: Kind(1, (0.5, 3.0)),
    Fault.ROOT_CANCELLED: Kind(2),
    Fault.ALL_KILLED: Kind(1, (0.5, 3.0)),
}
FIRST_SECONDS = 2.0
PAUSE_SECONDS = (2.0, 7.0)  # between two faults


@dataclass(frozen=True, slots=True)
class Order:
    """One fault to inject.

    Args:
        at: seconds after the beginning.
        away: how long what it hits stays away or stopped.
        pick: a number by which its target is chosen among those that are there.
    """

    at: float
    fault: Fault
    away: float
    pick: int


def orders(seed: int, seconds: float) -> Iterator[Order]:
    """Yield all faults of a run that lasts so long, in order."""
    chance = random.Random(f"faults {seed}")  # noqa: S311  a schedule, not a secret
    bag: list[Fault] = []
    at = FIRST_SECONDS
    while at < seconds:
        if not bag:
            bag = [fault for fault, kind in KINDS.items() for _ in range(kind.share)]
            chance.shuffle(bag)
        fault = bag.pop()
        yield Order(at, fault, chance.uniform(*KINDS[fault].away), chance.randrange(2**16))
        at += chance.uniform(*PAUSE_SECONDS)
