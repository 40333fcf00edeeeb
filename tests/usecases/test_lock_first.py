"""Every writing use case takes the Root lock first: read off the statements that crossed the wire.

Scenario B17.  Source: design.md D7, Note [One Root, one lock].
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection

from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, Content, Root, Timer
from bullbear.sweep import (
    Sight,
    fire_timer,
    offer_outbox,
    pass_deadline,
    rescue,
    stop_peers,
    sweep,
)
from bullbear.transactions import transaction
from dialogue.cancel import cancel
from dialogue.decide import decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from dialogue.steps import begin
from research.asking import UnknownPolicy
from research.release import release
from tests.driving import Driver
from tests.factories import a_root, a_worker, limited
from tests.scripted import PLAN, challenge_in, fails
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene
from tests.usecases.statements import Said, Statement, watched

OF_THE_DESK = {"research_source", "research_parsereport", "bullbear_content"}


def first_on_a_table(statements: list[Statement]) -> Statement:
    """Find the first statement of a transaction that names one of our tables."""
    return next(one for one in statements if one.tables)


def locks(statement: Statement, root: Root) -> bool:
    """Whether a statement is the lock of this Root and nothing else."""
    return (
        statement.tables == ["bullbear_root"]
        and "FOR NO KEY UPDATE" in statement.text
        and root.pk.hex in statement.text
    )


def writes_under_the_lock(said: Said, root: Root) -> bool:
    """Whether something was written, and all of it in transactions that began with the lock."""
    firsts = [first_on_a_table(one) for one in said.writing]
    return bool(firsts) and all(locks(one, root) for one in firsts)


def what_is_said(act: Callable[[], object]) -> Said:
    with watched() as said:
        act()
    return said


@pytest.mark.usefixtures("database")
class TestOpenRoot:
    """The Root's own INSERT is the lock: nobody else can see the row before the commit."""

    def test_inserts_the_root_before_anything_of_it(self, asking: Driver) -> None:
        """Before it stand only sources with their contents, which are the desk's."""
        with watched() as said:
            root = a_root(requester=asking.requester, desk=asking.desk)
        [statements] = said.writing
        place = next(n for n, one in enumerate(statements) if "bullbear_root" in one.tables)
        assert statements[place].text.startswith('INSERT INTO "bullbear_root"')
        before = statements[:place]
        assert {table for one in before for table in one.tables} == OF_THE_DESK
        assert not any(root.pk.hex in one.text for one in before)
        assert Content.objects.filter(desk=asking.desk).count() == 6


@pytest.mark.usefixtures("database")
class TestSteps:
    """Begin and record, from the plan to the report."""

    def test_lock_first_with_scripted_answers(self, opened: OpenScene) -> None:
        """Each transaction of each step."""
        self.check(opened())

    def test_lock_first_with_tools(self, driver: Driver, opened: OpenScene) -> None:
        """Openings that call tools, and an exchange about what they returned."""
        scene = opened()
        self.check(Scene(scene.double, driver, driver.open()))

    @pytest.mark.parametrize("status", [400, 429, 500])
    def test_lock_first_after_a_failure(self, opened: OpenScene, status: int) -> None:
        """A call that was rejected, for good or for a while, and one of unknown outcome."""
        scene = opened(fails(PLAN, status=status))
        assert writes_under_the_lock(what_is_said(lambda: scene.step(Role.MAIN)), scene.root)

    def test_write_nothing_for_a_repeated_hint(self, opened: OpenScene) -> None:
        """An execution that is not READY is left alone; what was owed to it is taken away under the lock."""
        scene = opened()
        scene.step(Role.MAIN)
        said = what_is_said(lambda: scene.driver.step(scene.child(Role.MAIN)))
        assert writes_under_the_lock(said, scene.root)
        written = [one for of_one in said.writing for one in of_one if one.writes]
        assert [one.tables for one in written] == [["bullbear_root"], ["bullbear_outboxentry"]]

    @staticmethod
    def check(scene: Scene) -> None:
        while owed := scene.driver.owed(scene.root):
            child = owed[0]
            with watched() as said:
                scene.driver.step(child)
            assert writes_under_the_lock(said, scene.root)
        scene.root.refresh_from_db()
        assert scene.root.result == "complete"


@pytest.mark.usefixtures("database")
class TestCancel:
    """Cancelling."""

    def test_locks_first(self, challenged: Scene) -> None:
        """In the middle of a round."""
        said = what_is_said(lambda: cancel(challenged.root.pk))
        assert writes_under_the_lock(said, challenged.root)
        challenged.root.refresh_from_db()
        assert challenged.root.cause == "cancelled"


@pytest.mark.usefixtures("database")
class TestDecide:
    """An operator's decision."""

    def test_locks_first(self, opened: OpenScene) -> None:
        """About a half-round that is held."""
        scene = opened(fails(challenge_in(1), status=500), unknown_policy=UnknownPolicy.HOLD)
        scene.run()
        requester = scene.driver.requester
        said = what_is_said(
            lambda: decide(scene.root.pk, DecisionKind.ABANDON, decided_by=requester)
        )
        assert writes_under_the_lock(said, scene.root)


@pytest.mark.usefixtures("database")
class TestRelease:
    """A person's release."""

    def test_locks_first(self, opened: OpenScene) -> None:
        """Of a source, after the Root has ended."""
        scene = opened()
        scene.run()
        by = scene.driver.requester
        said = what_is_said(lambda: release(scene.root.pk, "S2", reason="Published.", by=by))
        assert writes_under_the_lock(said, scene.root)


@pytest.mark.usefixtures("database")
class TestTheSweeper:
    """Each thing that may be due."""

    def test_locks_first_to_rescue(self, opened: OpenScene) -> None:
        """A worker died with a sealed request."""
        scene, main = self.abandoned(opened)
        said = what_is_said(lambda: rescue(scene.root.pk, main.pk, dead_workers=True))
        assert writes_under_the_lock(said, scene.root)
        assert scene.child(Role.MAIN).state == ChildState.READY

    def test_locks_first_to_fire_a_timer(self, opened: OpenScene) -> None:
        """A call was rejected for a while."""
        scene = opened(fails(PLAN, status=429))
        scene.step(Role.MAIN)
        timer = Timer.objects.get()
        said = what_is_said(lambda: fire_timer(scene.root.pk, timer.pk))
        assert writes_under_the_lock(said, scene.root)
        assert len(scene.facts("timer_fired")) == 1

    def test_locks_first_to_stop_the_peers(self, opened: OpenScene) -> None:
        """Their time is over."""
        scene = opened(options=limited(deadline_seconds=60.001, finalize_seconds=60))
        said = what_is_said(lambda: stop_peers(scene.root.pk))
        assert writes_under_the_lock(said, scene.root)
        scene.root.refresh_from_db()
        assert scene.root.cause == "deadline"

    def test_locks_first_to_pass_the_deadline(self, opened: OpenScene) -> None:
        """The Root's time is over."""
        scene = opened()
        said = what_is_said(lambda: pass_deadline(scene.root.pk))
        assert writes_under_the_lock(said, scene.root)
        assert len(scene.facts("deadline_passed")) == 1

    def test_reads_without_a_lock_and_writes_with_it(self, opened: OpenScene) -> None:
        """A whole sweep: besides the outbox nothing is written but under the lock of its Root."""
        scene, _ = self.abandoned(opened)
        sight = Sight(since=0)
        said = what_is_said(lambda: sweep(sight))
        *of_the_root, outbox = said.writing
        assert [one.tables for one in outbox] == [["bullbear_outboxentry"]]
        assert [locks(first_on_a_table(one), scene.root) for one in of_the_root] == [True]

    def test_offers_the_outbox_and_touches_nothing_else(self, opened: OpenScene) -> None:
        """Its rows are shared out by SKIP LOCKED: no fact and no row of a Root's own depends on them."""
        opened()
        said = what_is_said(offer_outbox)
        assert {table for one in said.statements for table in one.tables} == {
            "bullbear_outboxentry"
        }

    @staticmethod
    def abandoned(opened: OpenScene) -> tuple[Scene, Child]:
        """Main's request is sealed, and its worker is dead."""
        scene = opened()
        main = scene.child(Role.MAIN)
        endpoint = scene.driver.provider.endpoint
        begin(main.pk, runner=Runner(a_worker(dead=True), endpoint, uuid4()))
        return scene, main


@pytest.mark.usefixtures("database")
class TestTheWitness:
    """Controls: what the tests above rest on."""

    def test_hears_every_statement(self, asking: Driver) -> None:
        """BEGIN and COMMIT included, in order, with their values."""

        def act() -> None:
            with transaction(), connection.cursor() as cursor:
                cursor.execute("SELECT %s", ["a value"])
            asking.requester.refresh_from_db()

        said = what_is_said(act)
        assert [one.text.split()[0] for one in said.statements] == [
            "BEGIN",
            "SELECT",
            "COMMIT",
            "SELECT",
        ]
        assert said.statements[1].text == "SELECT 'a value'"
        assert said.writing == []

    def test_sees_a_write_without_the_lock(self, opened: OpenScene) -> None:
        """In a transaction, or alone."""
        scene = opened()

        def careless() -> None:
            Child.objects.filter(root=scene.root).update(wakes=7)

        def careless_inside() -> None:
            with transaction():
                careless()

        for act in (careless, careless_inside):
            said = what_is_said(act)
            assert len(said.writing) == 1
            assert not writes_under_the_lock(said, scene.root)
