"""The server ends the application's session before its k-th statement, for k = 1, 2, 3 … until none is ended.

Every transaction is all or nothing then, and a step goes on by itself.

Source: design.md D7; scenarios.md D07.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import OperationalError, connection

from bullbear import sweep
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, ModelRequest, OutboxEntry, Timer
from bullbear.queries import database_now
from config.embedded.processes import wait_until
from dialogue import steps
from dialogue.cancel import cancel
from dialogue.decide import decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from research.models import Plan
from tests import oracle
from tests.driving import Driver
from tests.factories import a_root, a_worker, limited
from tests.outages.terminating import after_every_termination, terminated
from tests.provider_double import ProviderDouble
from tests.scripted import BEAR_OPENING, PLAN, a_dialogue, asks_for, challenge_in, fails
from tests.usecases.conftest import OpenScene, asking, double, double_process, opened
from tests.usecases.on_record import address
from tests.usecases.scene import Scene

T = TypeVar("T")
pytest_plugins = ["tests.outages.scenarios"]
pytestmark = pytest.mark.usefixtures("played")  # from the first test on
__all__ = ["asking", "double", "double_process", "opened"]  # fixtures
SHORT = {"deadline_seconds": 2, "finalize_seconds": 1}


class Tried:
    """Takes steps whose every transaction is tried; counts statements and commits."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.count = 0

    def advance(self, child: Child) -> None:
        """Take a step as `advance` does, each transaction after all its terminations."""
        provider = self.driver.provider
        runner = Runner(self.driver.worker, provider.endpoint, uuid4())
        step = self._tried(steps.begin, child.pk, runner=runner)
        while step is not None:
            exchange = provider.dispatch(step.call)
            ran = steps._run_tools(step, exchange)
            runner = replace(runner, token=uuid4())
            step = self._tried(steps.record, step, exchange, ran, runner=runner)

    def _tried(self, use_case: Callable[..., T], *given: object, **named: object) -> T:
        result, count = after_every_termination(partial(use_case, *given, **named))
        self.count += count
        return result


@pytest.mark.usefixtures("database")
class TestTransactions:
    """Whole or not at all, wherever the session ends; and the same act succeeds afterwards."""

    def test_of_steps_with_a_tool_call_a_message_and_a_report(self, opened: OpenScene) -> None:
        """Scenario D07. Bear's opening, the pair and its challenge; Main's synthesis and report."""
        scene = opened(asks_for(BEAR_OPENING, ("list_sources", {})))
        tried = Tried(scene.driver)
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        tried.advance(scene.child(Role.BEAR))
        scene.step(Role.BULL)
        tried.advance(scene.child(Role.MAIN))
        root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")
        assert tried.count > 60
        assert len(scene.double.hits()) == ModelRequest.objects.filter(root=root).count() == 7

    def test_of_opening_a_root(self, asking: Driver, double: ProviderDouble) -> None:
        """Scenario D07. No source, no configuration and no receipt without the others."""
        double.script(*a_dialogue())
        root, count = after_every_termination(
            lambda: a_root(requester=asking.requester, desk=asking.desk)
        )
        assert count > 5
        assert Scene(double, asking, root).end().result == "complete"

    def test_of_a_cancel(self, opened: OpenScene) -> None:
        """Scenario D07. Requested or not."""
        scene = opened()
        scene.step(Role.MAIN)
        done, _ = after_every_termination(lambda: cancel(scene.root.pk))
        assert done
        assert scene.end().state == "cancelled"

    def test_of_a_decision(self, opened: OpenScene) -> None:
        """Scenario D07. Decided once."""
        held = limited(unknown_policy="hold")
        scene = opened(fails(challenge_in(1), status=500), options=held)
        scene.run()
        requester = scene.driver.requester
        after_every_termination(
            lambda: decide(scene.root.pk, DecisionKind.REASK, decided_by=requester)
        )
        assert scene.end().result == "complete"
        assert len(scene.facts("decision_recorded")) == 1

    def test_of_a_rescue(self, opened: OpenScene) -> None:
        """Scenario D07. Counted once."""
        scene = opened()
        main = scene.child(Role.MAIN)
        dead = Runner(a_worker(dead=True), scene.driver.provider.endpoint, uuid4())
        assert steps.begin(main.pk, runner=dead) is not None
        after_every_termination(lambda: sweep.rescue(scene.root.pk, main.pk, dead_workers=True))
        main.refresh_from_db()
        assert (main.state, main.rescues) == (ChildState.READY, 1)
        assert scene.end().state == "finished"

    def test_of_a_timer(self, opened: OpenScene) -> None:
        """Scenario D07. Fired once."""
        scene = opened(fails(PLAN, status=429))
        scene.run()
        timer = Timer.objects.get()
        assert wait_until(lambda: timer.fires_at <= database_now(), seconds=10)
        after_every_termination(lambda: sweep.fire_timer(scene.root.pk, timer.pk))
        assert len(scene.facts("timer_fired")) == 1
        assert scene.end().result == "complete"

    def test_of_a_deadline(self, opened: OpenScene) -> None:
        """Scenario D07. The peers' time, then the Root's."""
        scene = opened(options=limited(**SHORT))
        root_id = scene.root.pk
        assert wait_until(lambda: scene.root.peers_stop_at <= database_now(), seconds=10)
        after_every_termination(lambda: sweep.stop_peers(root_id))
        assert wait_until(lambda: scene.root.deadline_at <= database_now(), seconds=10)
        after_every_termination(lambda: sweep.pass_deadline(root_id))
        assert scene.end().state == "expired"

    def test_of_offering_hints(self, opened: OpenScene) -> None:
        """Scenario D07. Offered, or still owed."""
        scene = opened()
        OutboxEntry.objects.update(offer_at=database_now())
        offered, _ = after_every_termination(sweep.offer_outbox)
        assert offered == 1
        assert OutboxEntry.objects.get().attempts == 1
        assert scene.end().result == "complete"

    def test_and_two_in_one_act_are_found_out(self) -> None:
        """A control: what is not all or nothing fails here."""

        def twice() -> None:
            for _ in range(2):
                Group.objects.create(name=str(uuid4()))

        with pytest.raises(AssertionError, match="left something"):
            after_every_termination(twice)


@pytest.mark.usefixtures("database")
class TestAStep:
    """`advance`, as a worker calls it."""

    def test_goes_on_by_itself(
        self, asking: Driver, double: ProviderDouble, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Scenario D07. Before whatever statement its session ends: one call, one record, one plan."""
        monkeypatch.setattr(steps, "PAUSE_SECONDS", 0.01)  # the database is never away here
        double.script(*[one for one in a_dialogue() if one.when == PLAN] * 100)
        ending = 0
        while True:
            ending += 1
            root = a_root(requester=asking.requester, desk=asking.desk)
            main = Child.objects.get(root=root)
            with (
                address("app").connect() as server,
                terminated(ending, server=server) as terminator,
            ):
                asking.step(main)
            hits = double.hits()
            oracle.check(root, hits)
            assert len(hits) == ending
            [request] = ModelRequest.objects.filter(root=root)
            assert (request.state, request.outcome_class) == ("answered", "valid")
            assert Plan.objects.filter(root=root).count() == 1
            if terminator.seen < ending:
                break
        assert ending > 15

    def test_leaves_it_at_a_second_try(self, opened: OpenScene) -> None:
        """A control: no endless loop. It fails, nothing was written, and the step is still owed."""
        scene = opened()
        main = scene.child(Role.MAIN)
        with (
            address("app").connect() as server,
            pytest.raises(OperationalError),
            terminated(1, 2, server=server),
        ):
            scene.driver.step(main)
        connection.close()  # as a worker does after each task
        assert [one.pk for one in scene.driver.owed(scene.root)] == [main.pk]
        assert scene.double.hits() == []
        assert scene.end().result == "complete"
