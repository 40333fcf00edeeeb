"""B18: both children park with nothing pending.

Were there ever a hole in the table of turns, both sides would wait for each other, each having seen the other
still at work.  Whoever parks last must end the dialogue: never a silent hour.  That one of them waits for a
timer is no such thing: tests/usecases/test_rejections.py.
"""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.parking import park
from bullbear.transactions import transaction
from dialogue.case import load_case
from dialogue.settle import end_mutual_wait, settle, wake_next
from tests.races.explorer import Outcomes
from tests.races.naive import move, race, said, say, value
from tests.races.sessions import Act
from tests.races.stage import Stage
from tests.scripted import SYNTHESIS, a_synthesis, says
from tests.usecases.scene import Scene

STANDS = says(SYNTHESIS, a_synthesis(C1="stands", C2="stands"))


def parks(scene: Scene, role: Role) -> Act:
    """End a step as `dialogue/steps.py` does where the table gives the execution nothing."""
    root_id, child_id = scene.root.pk, scene.child(role).pk

    def act() -> None:
        with transaction(), hold_root(root_id) as held:
            case = load_case(held)
            child = case.child(child_id)
            park(held, child, seen=child.wakes)
            if end_mutual_wait(case):
                settle(case)
                wake_next(case, "mutual_wait")

    return act


@pytest.mark.usefixtures("database")
class TestOurs:
    """Parking and looking whether anybody is left are one transaction under the Root lock."""

    def test_whoever_parks_last_ends_it(self, frozen_pair: Scene) -> None:
        """The pair ends for `mutual_wait`, and Main concludes. Scenario B18."""
        stage = Stage(frozen_pair)
        stage.look_again(Role.BULL)

        def holds(outcomes: Outcomes) -> None:
            assert frozen_pair.pair.end_reason == "mutual_wait"
            assert frozen_pair.child(Role.MAIN).state == "ready"
            assert stage.end(outcomes, STANDS).result == "partial"

        explored = stage.race(
            holds, {"bull": parks(frozen_pair, Role.BULL), "bear": parks(frozen_pair, Role.BEAR)}
        )
        assert explored.held() == 4


def wait(side: str) -> None:
    """A child: wait; and if nobody is at work any more, end it."""
    with transaction():
        move(side, "parked")
        if not value("SELECT count(*) FROM naive.execution WHERE state <> 'parked'"):
            say("end", side)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Each waits, and then looks at the other."""

    def test_both_wait_for_ever(self) -> None:
        """Scenario B18, control: each still sees the other at work."""
        explored = race(
            lambda: said("end") == 1,
            {"bull": lambda: wait("bull"), "bear": lambda: wait("bear")},
            bull="running",
            bear="running",
        )
        assert explored.figures == (20, 12)
