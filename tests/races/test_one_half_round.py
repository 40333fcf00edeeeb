"""B07: two challenges in one round.

Bear's turn of round 1 is taken up by two workers at once; or Bear's answer is recorded by two processes at
once.  A round has one challenge, and a half-round is spent once.
"""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from dialogue.models import HalfRound, PeerMessage
from tests.races.explorer import Outcomes
from tests.races.naive import race, said, say, transaction
from tests.races.stage import Stage
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestOurs:
    """The half-round is spent with its seal, and a message is accepted under the lease of that seal."""

    def test_one_half_round_is_spent(self, frozen_pair: Scene) -> None:
        """Two workers take up Bear's turn: one seals its request. Scenario B07."""
        stage = Stage(frozen_pair)

        def holds(_: Outcomes) -> None:
            [request] = frozen_pair.requests(Role.BEAR, "challenge")
            assert HalfRound.objects.get().first_request == request
            assert len(frozen_pair.facts("half_round_spent")) == 1

        explored = stage.race(
            holds, {"one": stage.begins(Role.BEAR), "other": stage.begins(Role.BEAR)}
        )
        assert explored.held() == 14

    def test_one_message_is_accepted(self, frozen_pair: Scene) -> None:
        """Two processes record Bear's answer: one has it accepted. Scenario B07."""
        stage = Stage(frozen_pair)
        challenge = stage.answered(Role.BEAR)

        def holds(_: Outcomes) -> None:
            assert PeerMessage.objects.count() == 1
            assert len(frozen_pair.facts("message_accepted")) == 1
            assert frozen_pair.halves() == [(1, "challenge", "accepted", 1)]
            assert frozen_pair.child(Role.BULL).wakes == woken + 1

        woken = frozen_pair.child(Role.BULL).wakes
        explored = stage.race(
            holds, {"one": stage.records(challenge), "other": stage.records(challenge)}
        )
        assert explored.held() == 4


def accept(worker: str) -> None:
    """A worker: this round has no challenge yet; then accept mine."""
    with transaction():
        if not said("challenge"):
            say("challenge", worker)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Look for a challenge, then write one."""

    def test_accepts_two(self) -> None:
        """Scenario B07, control."""
        explored = race(
            lambda: said("challenge") == 1,
            {"one": lambda: accept("one"), "other": lambda: accept("other")},
        )
        assert explored.figures == (20, 18)
