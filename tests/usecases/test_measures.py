"""What a dialogue costs and what a call holds, as the wire and the server see it.

Source: design.md D7, D8; performance.md, P1 and P2.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import connections

from bullbear.content import load_bytes
from bullbear.lifecycle import Role
from bullbear.models import ModelRequest, Root
from dialogue.models import HalfRound
from tests import oracle
from tests.driving import Driver, Rehearsal
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    BEAR_OPENS_FIRST,
    BULL_CLAIM,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_challenge,
    a_plan,
    a_response,
    a_synthesis,
    an_opening,
    challenge_in,
    response_in,
    says,
)
from tests.usecases.conftest import OpenScene
from tests.usecases.pooled import pooled, the_server
from tests.usecases.scene import Scene
from tests.usecases.statements import Said, watched

STATEMENTS_PER_CALL = 34  # P2, must
POOL = 4
IN_A_POOL = partial(pooled, POOL)
CALLS = {
    Role.MAIN: says(PLAN, a_plan(), gate="held"),
    Role.BULL: says(BULL_OPENING, an_opening(BULL_CLAIM), gate="held"),
    Role.BEAR: says(challenge_in(1), a_challenge("C2"), gate="held"),
}
BEFORE = {
    Role.MAIN: [],
    Role.BULL: [Role.MAIN],
    Role.BEAR: [Role.MAIN, Role.BEAR, Role.BULL],
}


def write_transactions(calls: int) -> int:
    """P1, must."""
    return 2 * calls + 4


def a_dialogue_of(rounds: int) -> list[Behaviour]:
    """Bear challenges and Bull defends, round after round, until none is left."""
    exchange = [
        answer
        for round_ in range(1, rounds + 1)
        for answer in (
            says(challenge_in(round_), a_challenge("C1")),
            says(response_in(round_), a_response("C1", action="defend")),
        )
    ]
    return [
        says(PLAN, a_plan()),
        says(BULL_OPENING, an_opening(BULL_CLAIM)),
        says(BEAR_OPENING, an_opening(BEAR_CLAIM)),
        *exchange,
        says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved")),
    ]


def steps_of(driver: Driver, root: Root) -> Iterator[Said]:
    """Advance a Root to its end; give what each step said to the server, and nothing else."""
    while owed := driver.owed(root):
        with watched() as said:
            driver.step(owed[0])
        yield said
    root.refresh_from_db()


def measure(
    driver: Driver, open_root: Callable[[], Root], name: str
) -> tuple[Root, int, int, int]:
    """Open a Root and advance it to its end; return it with calls, statements and write transactions."""
    with watched() as opening:
        root = open_root()
    everything = [opening, *steps_of(driver, root)]
    calls = ModelRequest.objects.filter(root=root).count()
    statements = sum(len(said.statements) for said in everything)
    writing = sum(len(said.writing) for said in everything)
    print(  # noqa: T201  the figures, for whoever runs this with -s
        f"\n{name}: {calls} calls, {writing} write transactions (at most {write_transactions(calls)}), "
        f"{statements} statements, {statements / calls:.1f} a call (at most {STATEMENTS_PER_CALL})"
    )
    return root, calls, statements, writing


def take_all_of_the_pool() -> None:
    """Take every connection of the pool at once, and give it back."""
    pool: Any = connections["default"].pool  # type: ignore[attr-defined]
    for one in [pool.getconn(timeout=5) for _ in range(POOL)]:
        pool.putconn(one)


@pytest.mark.usefixtures("database")
class TestTheWire:
    """A whole Root, its calls passed on to the rehearsal model."""

    def test_carries_the_sealed_bytes_once(
        self, asking: Driver, double: ProviderDouble, rehearsal: Rehearsal
    ) -> None:
        """Every sealed request was dispatched exactly once, and what arrived is what was sealed."""
        double.otherwise(Behaviour(forward=rehearsal.base_url))
        root = asking.run(asking.open())
        assert root.result == "complete"
        sealed = {one.act: one for one in ModelRequest.objects.filter(root=root)}
        hits = double.hits()
        assert Counter(hit.idempotency_key for hit in hits) == dict.fromkeys(sealed, 1)
        for hit in hits:
            request = sealed[hit.idempotency_key]
            body = load_bytes(request.body)
            assert double.body(hit) == body
            assert hit.sha256 == request.body_sha256 == hashlib.sha256(body).hexdigest()
            assert (hit.method, hit.path) == ("POST", request.path)
            arrived = {name.lower() for name in hit.header_names}
            assert {name.lower() for name in request.header_names} <= arrived
        oracle.check(root, hits)


@pytest.mark.usefixtures("database")
class TestTheCost:
    """Opening, steps and end, every statement on the wire counted."""

    @pytest.mark.parametrize("rounds", [1, 2, 3])
    def test_of_a_dialogue_is_within_p1_and_p2(
        self, opened: OpenScene, double: ProviderDouble, asking: Driver, rounds: int
    ) -> None:
        """The rounds really happen: each brings a challenge and a response."""
        double.script(*a_dialogue_of(rounds))
        root, calls, statements, writing = measure(
            asking, lambda: opened(rounds=rounds).root, f"{rounds} round(s), scripted"
        )
        assert root.result == "complete"
        assert calls == 4 + 2 * rounds
        accepted = HalfRound.objects.filter(pair__root=root, outcome="accepted")
        assert accepted.count() == 2 * rounds
        assert writing <= write_transactions(calls)
        assert statements / calls <= STATEMENTS_PER_CALL

    def test_of_a_dialogue_with_tools_is_within_p1_and_p2(self, driver: Driver) -> None:
        """Seven real sources, and the tools that the rehearsal model calls."""
        root, calls, statements, writing = measure(driver, driver.open, "rehearsal, sample files")
        assert root.result == "complete"
        assert root.tool_calls_spent > 0
        assert writing <= write_transactions(calls)
        assert statements / calls <= STATEMENTS_PER_CALL

    def test_of_successive_calls_of_one_execution_is_a_transaction_each_and_one(
        self, driver: Driver
    ) -> None:
        """N calls of one step cost N + 1 write transactions: each record seals the next request."""
        root = driver.open()
        seen = 0
        for said in steps_of(driver, root):
            calls = ModelRequest.objects.filter(root=root).count() - seen
            seen += calls
            assert len(said.writing) == calls + 1


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("role", CALLS)
class TestDuringACall:
    """While the provider holds its answer back."""

    def in_call(self, opened: OpenScene, role: Role) -> tuple[Scene, AbstractContextManager[None]]:
        """Come to the execution's call; whoever enters the second value holds it behind its gate."""
        scene = opened(CALLS[role], *BEAR_OPENS_FIRST)
        for earlier in BEFORE[role]:
            scene.step(earlier)
        connections["default"].close()
        return scene, scene.in_call(role, "held")

    def test_no_connection_is_open(self, opened: OpenScene, role: Role) -> None:
        """Without a pool this process has none at all at the server."""
        scene, in_call = self.in_call(opened, role)
        with the_server() as server, in_call:
            assert server.comes_to([])
        scene.check()

    def test_no_connection_of_a_pool_is_busy(self, opened: OpenScene, role: Role) -> None:
        """With a pool they stay open, idle, in no transaction, and free for others."""
        with pooled(POOL), the_server() as server:
            scene, in_call = self.in_call(opened, role)
            with in_call:
                assert server.comes_to(["idle"] * len(server.sessions()))
                assert 0 < len(server.sessions()) <= POOL
                take_all_of_the_pool()
            scene.check()

    @pytest.mark.parametrize("hold", [nullcontext, IN_A_POOL], ids=["no pool", "pool"])
    def test_no_lock_is_held(
        self, opened: OpenScene, role: Role, hold: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """Neither a lock that the server lists nor one on a row."""
        with hold(), the_server() as server:
            scene, in_call = self.in_call(opened, role)
            with in_call:
                assert server.locks() == 0
                assert server.is_free(scene.root.pk)
            scene.check()


@pytest.mark.usefixtures("database")
def test_a_held_lock_would_be_seen(opened: OpenScene) -> None:
    """A control: the same questions, asked while somebody does hold the Root."""
    scene = opened()
    with the_server() as server, the_server() as other, other.application.transaction():
        other.application.execute(
            "SELECT FROM bullbear_root WHERE id = %s FOR NO KEY UPDATE", [scene.root.pk]
        )
        assert server.locks() > 0
        assert not server.is_free(scene.root.pk)
