"""B16: threads doing random use cases on one Root never deadlock.

Eight threads do whatever a worker, a sweeper or an operator might do, in an order of chance, on one Root.
Nobody may ever wait in a circle: there is one lock, and so no order in which to take locks wrongly.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from bullbear.lifecycle import ENDED_ROOT
from bullbear.models import Child
from bullbear.sweep import Sight, offer_outbox, rescue, stop_peers, sweep
from dialogue.cancel import cancel
from dialogue.decide import NothingHeld, decide
from dialogue.rules import DecisionKind
from dialogue.steps import advance
from research.asking import UnknownPolicy
from tests.races.explorer import explore
from tests.races.naive import put, run, transaction
from tests.races.sessions import Act
from tests.scripted import BEAR_OPENING, challenge_in, fails
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

THREADS, ACTS, CANCELS_AFTER = 8, 30, 22
DEADLOCK = "40P01"


@dataclass
class Chaos:
    """What the threads may do, and what the server said to them."""

    scene: Scene
    deadlocks: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    def play(self, seed: int) -> None:
        """Do use cases in the order of a seed."""
        chance = random.Random(seed)  # noqa: S311  a schedule, no secret
        try:
            with connection.execute_wrapper(self._listen):
                for number in range(ACTS):
                    name, act = chance.choice(
                        self._acts(chance, may_cancel=number >= CANCELS_AFTER)
                    )
                    act()
                    self.done.append(name)
        finally:
            connections.close_all()

    def _acts(self, chance: random.Random, *, may_cancel: bool) -> list[tuple[str, Act]]:
        scene, root_id = self.scene, self.scene.root.pk
        child = chance.choice(list(Child.objects.filter(root=root_id)))
        driver = scene.driver
        acts: list[tuple[str, Act]] = [
            ("advance", lambda: advance(child.pk, provider=driver.provider, worker=driver.worker)),
            ("sweep", lambda: sweep(Sight(since=0))),
            ("rescue", lambda: rescue(root_id, child.pk, dead_workers=True)),
            ("stop peers", lambda: stop_peers(root_id)),
            ("offer", offer_outbox),
            ("decide", lambda: self._decide(chance)),
        ]
        return [*acts, ("cancel", lambda: cancel(root_id))] if may_cancel else acts

    def _decide(self, chance: random.Random) -> None:
        with contextlib.suppress(NothingHeld):
            kind = chance.choice(list(DecisionKind))
            decide(self.scene.root.pk, kind, decided_by=self.scene.driver.requester)

    def _listen(
        self,
        execute: Callable[[str, Any, bool, dict[str, Any]], Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001  Django's signature
        context: dict[str, Any],
    ) -> Any:
        """Note a deadlock: use cases repeat themselves after one, so that nobody else would see it."""
        try:
            return execute(sql, params, many, context)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) == DEADLOCK:
                self.deadlocks.append(sql)
            raise


@pytest.mark.usefixtures("database")
class TestOurs:
    """Every writing transaction of a Root begins with the one lock."""

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_never_deadlocks(self, opened: OpenScene, seed: int) -> None:
        """Steps, sweeps, rescues, decisions, cancels; then the Root ends well. Scenario B16."""
        scene = opened(
            fails(BEAR_OPENING, status=429, headers={"Retry-After": "0"}),
            fails(challenge_in(1), status=500),
            unknown_policy=UnknownPolicy.HOLD,
        )
        chaos = Chaos(scene)
        with ThreadPoolExecutor(THREADS) as threads:
            players = [threads.submit(chaos.play, 100 * seed + one) for one in range(THREADS)]
        for one in players:
            one.result()
        assert chaos.deadlocks == []
        assert len(chaos.done) == THREADS * ACTS
        cancel(scene.root.pk)
        assert scene.end().state in ENDED_ROOT


def two_locks(first: str, second: str) -> Act:
    """A use case that locks a Root and an execution, in its own order."""

    def act() -> None:
        with transaction():
            run(f"SELECT FROM naive.{first} FOR UPDATE")
            run(f"SELECT FROM naive.{second} FOR UPDATE")

    return act


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Two locks, two orders."""

    def test_deadlocks(self) -> None:
        """Scenario B16, control: the server has to end one of the two."""

        def prepare() -> dict[str, Act]:
            put(bull="running")
            return {
                "down": two_locks("root", "execution"),
                "up": two_locks("execution", "root"),
            }

        explored = explore(prepare, lambda _: None, every_statement=True)
        assert (explored.held(), explored.deadlocks) == (8, 4)
