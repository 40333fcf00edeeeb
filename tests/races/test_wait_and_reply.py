"""B01: the reply arrives between "none yet" and "waiting".

Bull looks whether Bear has said something, finds nothing, and is about to wait.  At that moment Bear's
challenge is accepted.  Bull must never be left waiting for what is already there.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bullbear.lifecycle import Role
from dialogue.models import PeerMessage
from tests.races.explorer import Outcomes
from tests.races.naive import move, race, run, said, say, state_of, transaction, value
from tests.races.stage import Stage
from tests.scripted import BEAR_OPENS_FIRST
from tests.usecases.scene import Scene


@pytest.mark.usefixtures("database")
class TestOurs:
    """Look and wait, accept and wake: each under the Root lock, and parking names the wakes it has seen."""

    def test_loses_no_wake(self, frozen_pair: Scene) -> None:
        """Whoever is first, Bull has the challenge to answer, and the Root ends. Scenario B01."""
        stage = Stage(frozen_pair)
        challenge = stage.answered(Role.BEAR)
        stage.look_again(Role.BULL)

        def holds(outcomes: Outcomes) -> None:
            assert PeerMessage.objects.count() == 1
            assert frozen_pair.child(Role.BULL).state in {"ready", "running"}
            assert stage.end(outcomes, *BEAR_OPENS_FIRST).result == "complete"

        explored = stage.race(
            holds, {"bull": stage.begins(Role.BULL), "bear": stage.records(challenge)}
        )
        assert explored.held() == 7


def look_then_wait() -> None:
    """Bull: nothing there yet; then wait."""
    with transaction():
        if not said("challenge"):
            move("bull", "parked")


def look_twice_then_wait() -> None:
    """Bull: nothing there yet, and still nothing; then wait."""
    with transaction():
        if not said("challenge") and not said("challenge"):
            move("bull", "parked")


def wait_unless_there() -> None:
    """Bull: look and wait in one statement."""
    with transaction():
        run(
            "UPDATE naive.execution SET state = 'parked' WHERE name = 'bull' AND NOT EXISTS "
            "(SELECT FROM naive.fact WHERE kind = 'challenge')"
        )


def wait_unless_woken() -> None:
    """Bull: look, then wait unless the wakes have moved since; the count is read after the look."""
    with transaction():
        there = said("challenge")
        wakes = value("SELECT wakes FROM naive.execution WHERE name = 'bull'")
        if not there:
            move("bull", "parked", where=f"wakes = {wakes}")


def say_then_wake() -> None:
    """Bear: say it, and wake Bull if he waits."""
    with transaction():
        say("challenge", "bear")
        move("bull", "ready", where="state = 'parked'")


def say_and_count() -> None:
    """Bear: say it, count the wake in any case, and wake Bull if he waits."""
    with transaction():
        say("challenge", "bear")
        run("UPDATE naive.execution SET wakes = wakes + 1 WHERE name = 'bull'")
        move("bull", "ready", where="state = 'parked'")


@pytest.mark.usefixtures("naive")
class TestNaive:
    """The same without a common lock."""

    @pytest.mark.parametrize(
        ("bull", "bear", "figures"),
        [
            pytest.param(look_then_wait, say_then_wake, (20, 15), id="no common lock"),
            pytest.param(wait_unless_there, say_then_wake, (10, 6), id="look and wait in one"),
            pytest.param(
                wait_unless_woken, say_and_count, (40, 4), id="count read after the look"
            ),
            pytest.param(look_twice_then_wait, say_then_wake, (35, 26), id="look twice"),
        ],
    )
    def test_loses_wakes(
        self, bull: Callable[[], None], bear: Callable[[], None], figures: tuple[int, int]
    ) -> None:
        """Scenario B01, control: Bull waits, the challenge is there, and nobody will wake him."""
        explored = race(
            lambda: state_of("bull") != "parked", {"bull": bull, "bear": bear}, bull="running"
        )
        assert explored.figures == figures
