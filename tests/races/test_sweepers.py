"""B12: three sweepers, 500 rows.

Three sweepers find the same 500 hints due, and the same lease overdue.  Each hint is offered by one of them,
nobody waits for anybody, and the lease is ended once.
"""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from bullbear.lifecycle import ChildState, Role
from bullbear.models import OutboxEntry
from bullbear.outbox import ADVANCE
from bullbear.queries import DatabaseNow, database_now
from bullbear.sweep import offer_outbox, rescue
from bullbear.transactions import transaction
from dialogue.next_request import Runner
from dialogue.steps import begin
from tests.factories import a_worker
from tests.races.explorer import Acts, Outcomes, explore
from tests.races.naive import run, value
from tests.races.stage import Stage, nobody_failed
from tests.usecases.conftest import OpenScene

ROWS = 500
SWEEPERS = ("one", "two", "three")


def owe(rows: int) -> None:
    """Owe steps of executions that are due to be offered."""
    now = database_now()
    OutboxEntry.objects.bulk_create(
        OutboxEntry(
            task=ADVANCE,
            keys={"execution_id": str(uuid4())},
            dedupe_key=f"advance:{number}",
            cause="test",
            created_at=now,
            offer_at=now,
        )
        for number in range(rows)
    )


def offers() -> int:
    """A sweeper's share; its transaction stays open until it is let through."""
    with transaction():
        return offer_outbox()


@pytest.mark.usefixtures("database")
class TestOurs:
    """Sweepers share the outbox by SKIP LOCKED, and look again at a lease under the Root lock."""

    def test_each_hint_is_offered_once(self) -> None:
        """Whatever the order, all 500 are offered once, and no sweeper waits. Scenario B12."""
        owe(ROWS)

        def prepare() -> Acts:
            OutboxEntry.objects.update(attempts=0, offer_at=DatabaseNow())
            return dict.fromkeys(SWEEPERS, offers)

        def judge(outcomes: Outcomes) -> None:
            nobody_failed(outcomes)
            shares = sorted(int(str(came.result)) for came in outcomes.values())
            assert shares == [0, 0, ROWS]
            assert OutboxEntry.objects.filter(attempts=1).count() == ROWS

        explored = explore(prepare, judge)
        assert explored.held() == 90
        assert not any(one.waited for one in explored.ran)

    def test_a_lease_is_ended_once(self, opened: OpenScene) -> None:
        """Main's worker died: one sweeper frees it, two find that done. Scenario B12."""
        scene = opened()
        main = scene.child(Role.MAIN)
        dead = Runner(a_worker(dead=True), scene.driver.provider.endpoint, uuid4())
        assert begin(main.pk, runner=dead) is not None
        stage = Stage(scene)

        def holds(_: Outcomes) -> None:
            child = scene.child(Role.MAIN)
            assert (child.state, child.rescues) == (ChildState.READY, 1)
            assert len(scene.facts("child_rescued")) == 1
            assert [one[2:] for one in scene.outcomes(Role.MAIN)] == [
                ("outcome_unknown", "worker_lost")
            ]

        sweeps = partial(rescue, scene.root.pk, main.pk, dead_workers=True)
        explored = stage.race(holds, dict.fromkeys(SWEEPERS[:2], sweeps))
        assert explored.held() == 4


def offer_all(sweeper: str) -> None:
    """A sweeper: read what is due, offer it, and note that."""
    with transaction():
        due = value("SELECT count(*) FROM naive.outbox WHERE offered_by = ''")
        if due:
            run("UPDATE naive.outbox SET offered = offered + 1, offered_by = %s", sweeper)


@pytest.mark.usefixtures("naive")
class TestNaive:
    """Read what is due, then offer all of it."""

    def test_offers_each_hint_twice(self) -> None:
        """Scenario B12, control: two sweepers suffice."""

        def prepare() -> Acts:
            run("DELETE FROM naive.outbox")
            run("INSERT INTO naive.outbox (work) SELECT 'step' FROM generate_series(1, %s)", ROWS)
            return {name: partial(offer_all, name) for name in SWEEPERS[:2]}

        def judge(outcomes: Outcomes) -> None:
            nobody_failed(outcomes)
            assert value("SELECT sum(offered) FROM naive.outbox") == ROWS

        explored = explore(prepare, judge, every_statement=True)
        assert explored.figures == (14, 12)
