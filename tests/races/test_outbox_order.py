"""B13: outbox ids commit out of order.

Two transactions owe work.  The first takes the smaller id and commits last; between the two commits, a
sweeper looks.  Work that became visible late must be offered all the same.
"""

from __future__ import annotations

from functools import partial

import pytest

from bullbear.lifecycle import Role
from bullbear.models import OutboxEntry
from bullbear.queries import DatabaseNow
from bullbear.sweep import offer_outbox, pass_deadline
from tests.races.explorer import Acts, Outcomes, explore
from tests.races.naive import put, run, transaction, value
from tests.races.stage import Stage, nobody_failed
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

SMALLER_ID_COMMITS_LAST = "one two two sweeper sweeper one"


def sweep_now() -> int:
    """Offer all that is visible, due or not."""
    OutboxEntry.objects.update(offer_at=DatabaseNow())
    return offer_outbox()


@pytest.mark.usefixtures("database")
class TestOurs:
    """A row stands until its work is begun: nobody remembers how far the outbox was read."""

    def test_what_commits_late_is_offered_by_the_next_sweep(self, opened: OpenScene) -> None:
        """Two deadlines pass, and Main of each is owed its step. Scenario B13."""
        scene, other = opened(), opened()
        for one in (scene, other):
            one.step(Role.MAIN)

        def attempts(of: Scene) -> int:
            return OutboxEntry.objects.get(dedupe_key=f"advance:{of.child(Role.MAIN).pk}").attempts

        def holds(_: Outcomes) -> None:
            assert (attempts(scene), attempts(other)) == (0, 1)
            sweep_now()
            assert (attempts(scene), attempts(other)) == (1, 2)

        explored = Stage(scene).race(
            holds,
            {
                "one": partial(pass_deadline, scene.root.pk),
                "two": partial(pass_deadline, other.root.pk),
                "sweeper": sweep_now,
            },
            only=SMALLER_ID_COMMITS_LAST,
        )
        assert explored.held() == 1


def owe(work: str) -> None:
    """A writer: owe work under the next id."""
    with transaction():
        run("INSERT INTO naive.outbox (work) VALUES (%s)", work)


class Relay:
    """A sweeper that remembers the last id it has read."""

    def __init__(self) -> None:
        self.last = 0
        self.offered = 0

    def read_on(self) -> None:
        """Offer what stands behind the last id."""
        found = value("SELECT array_agg(id) FROM naive.outbox WHERE id > %s", self.last) or []
        self.offered += len(found)
        self.last = max([self.last, *found])


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read on from the last id."""

    def test_skips_what_commits_late(self) -> None:
        """Scenario B13, control: work that nobody will ever offer."""
        relays: list[Relay] = []

        def prepare() -> Acts:
            put()
            relays.append(Relay())
            return {
                "one": partial(owe, "1"),
                "two": partial(owe, "2"),
                "sweeper": relays[-1].read_on,
            }

        def judge(outcomes: Outcomes) -> None:
            nobody_failed(outcomes)
            relays[-1].read_on()
            assert relays[-1].offered == 2

        explored = explore(prepare, judge, every_statement=True)
        assert explored.figures == (30, 2)
