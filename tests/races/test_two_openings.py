"""B05 and B06: both openings are accepted at once; two join at once.

The first accepted opening offers a pair and waits; the second joins, and the pair is frozen.  Whichever is
first, there must be one offer, one pair, and somebody whose turn it is.
"""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from bullbear.lifecycle import Role
from bullbear.models import Child
from bullbear.queries import database_now
from bullbear.transactions import transaction
from dialogue.models import Pair, PairOffer
from dialogue.steps import Step
from research.models import Opening
from tests.races.explorer import Outcomes, explore
from tests.races.naive import race, said, say
from tests.races.stage import Stage
from tests.scripted import BEAR_OPENS_FIRST
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene


def both_opening(opened: OpenScene) -> tuple[Scene, Stage]:
    """Main has planned a dialogue."""
    scene = opened()
    scene.step(Role.MAIN)
    return scene, Stage(scene)


@pytest.mark.usefixtures("database")
class TestOurs:
    """Offer and join are decided under the Root lock."""

    def test_two_openings_make_one_pair(self, opened: OpenScene) -> None:
        """One offers, the other joins, Bear has the first turn, and the dialogue ends. Scenario B05."""
        scene, stage = both_opening(opened)
        bulls, bears = stage.answered(Role.BULL), stage.answered(Role.BEAR)

        def holds(outcomes: Outcomes) -> None:
            assert Opening.objects.count() == 2
            assert [len(scene.facts(kind)) for kind in ("pair_offered", "pair_frozen")] == [1, 1]
            first = PairOffer.objects.get().child
            assert first == Opening.objects.earliest("pk").child
            bear = "ready" if first == scene.child(Role.BEAR) else "running"
            assert scene.child(Role.BEAR).state == bear
            assert scene.child(Role.BULL).state == "parked"
            answers = BEAR_OPENS_FIRST if first == scene.child(Role.BEAR) else ()
            assert stage.end(outcomes, *answers).result == "complete"

        explored = stage.race(holds, {"bull": stage.records(bulls), "bear": stage.records(bears)})
        assert explored.held() == 4

    def test_joining_twice_is_the_same_act(self, opened: OpenScene) -> None:
        """Two processes record Bear's opening: one joins, the other changes nothing. Scenario B06."""
        scene, stage = both_opening(opened)
        scene.step(Role.BULL)
        opening = stage.answered(Role.BEAR)

        def holds(outcomes: Outcomes) -> None:
            assert (Pair.objects.count(), PairOffer.objects.count()) == (1, 1)
            assert len(scene.facts("pair_frozen")) == 1
            assert Opening.objects.count() == 2
            assert sum(isinstance(came.result, Step) for came in outcomes.values()) == 1
            assert len(scene.requests(Role.BEAR, "challenge")) == 1

        explored = stage.race(
            holds, {"one": stage.records(opening), "other": stage.records(opening)}
        )
        assert explored.held() == 4


def join(bull: Child, bear: Child) -> None:
    """Freeze a pair without the Root lock."""
    with transaction():
        Pair.objects.create(
            root_id=bull.root_id,
            bull=bull,
            bear=bear,
            bull_authorization_digest=bull.authorization_digest,
            bear_authorization_digest=bear.authorization_digest,
            max_rounds=2,
            opening_order="independent",
            frozen_at=database_now(),
        )


@pytest.mark.usefixtures("database")
class TestTheDatabase:
    """What it holds itself, should code forget the lock."""

    def test_refuses_a_second_pair_by_name(self, opened: OpenScene) -> None:
        """Two join without the lock: the second waits for the first, and is refused. Scenario B06."""
        scene, stage = both_opening(opened)
        bull, bear = scene.child(Role.BULL), scene.child(Role.BEAR)
        stage.keep()

        def holds(outcomes: Outcomes) -> None:
            failed = [came.failed for came in outcomes.values() if came.failed is not None]
            assert [type(one) for one in failed] == [IntegrityError]
            assert Pair.objects.count() == 1

        explored = explore(
            lambda: stage.again(
                {"one": lambda: join(bull, bear), "other": lambda: join(bull, bear)}
            ),
            holds,
            every_statement=True,
        )
        assert explored.held() == 14


def open_and_count(side: str) -> None:
    """A child: put my opening on record; the second freezes the pair."""
    with transaction():
        say("opening", side)
        if said("opening") == 2:
            say("pair", side)


def join_once(worker: str) -> None:
    """A worker: there is no pair yet; then freeze one."""
    with transaction():
        if not said("pair"):
            say("pair", worker)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Count, then write; no lock."""

    def test_both_are_the_first(self) -> None:
        """Scenario B05, control: each sees its own opening alone, and both wait for ever."""
        explored = race(
            lambda: said("pair") == 1,
            {"bull": lambda: open_and_count("bull"), "bear": lambda: open_and_count("bear")},
        )
        assert explored.figures == (20, 12)

    def test_both_join(self) -> None:
        """Scenario B06, control: two pairs."""
        explored = race(
            lambda: said("pair") == 1,
            {"one": lambda: join_once("one"), "other": lambda: join_once("other")},
        )
        assert explored.figures == (20, 18)
