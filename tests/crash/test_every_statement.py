"""Every use case is all or nothing: its k-th statement fails, for every k, and then it succeeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User

from bullbear import hints, sweep
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, ModelRequest, OutboxEntry, Root, Timer, Worker
from bullbear.queries import database_now
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from config.embedded.processes import wait_until
from dialogue import steps
from dialogue.cancel import cancel
from dialogue.decide import NothingHeld, decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from research.domains.registry import domain
from tests import oracle
from tests.crash.answers import answers
from tests.crash.faults import after_every_failure
from tests.driving import Driver
from tests.factories import a_root, a_worker, limited
from tests.provider_double import ProviderDouble
from tests.scripted import BULL_OPENING, PLAN, asks_for, challenge_in, fails
from tests.usecases.conftest import double, double_process

T = TypeVar("T")
__all__ = ["double", "double_process"]  # fixtures
SHORT = {"deadline_seconds": 2, "finalize_seconds": 1}


@dataclass
class Scene:
    """A Root whose every transaction is tried."""

    driver: Driver
    double: ProviderDouble
    root: Root
    statements: int = 0

    def child(self, role: Role) -> Child:
        return Child.objects.get(root=self.root, role=role)

    def advance(self, child: Child) -> None:
        """Take a step as `advance` does, each transaction after all its failures."""
        provider = self.driver.provider
        runner = Runner(self.driver.worker, provider.endpoint, uuid4())
        step = self._tried(steps.begin, child.pk, runner=runner)
        while step is not None:
            exchange = provider.dispatch(step.call)
            ran = steps._run_tools(step, exchange)
            runner = replace(runner, token=uuid4())
            step = self._tried(steps.record, step, exchange, ran, runner=runner)

    def _tried(self, use_case: Callable[..., T], *given: object, **named: object) -> T:
        result, statements = after_every_failure(partial(use_case, *given, **named))
        self.statements += statements
        return result

    def end(self) -> Root:
        """Go on to the end without faults, and ask the oracle."""
        root = self.driver.run(self.root)
        oracle.check(root, self.double.hits())
        return root


@pytest.fixture
def scene(analyst: User, desk: Group, worker_row: Worker, double: ProviderDouble) -> Scene:
    hints.set_publisher(lambda *_: None)
    double.script(*answers())
    provider = Provider(Endpoint.from_base_url(double.base_url), "none")
    driver = Driver(desk, analyst, worker_row, provider, domain("investment"))
    return Scene(driver, double, a_root(requester=analyst, desk=desk))


class TestSteps:
    def test_a_whole_dialogue(self, scene: Scene) -> None:
        """Scenario A15. Every begin and every record, tool calls and report included."""
        scene.double.forget()
        scene.double.script(asks_for(BULL_OPENING, ("list_sources", {})), *answers())
        while owed := scene.driver.owed(scene.root):
            scene.advance(owed[0])
        root = scene.end()
        assert (root.state, root.result) == ("finished", "complete")
        assert scene.statements > 100
        assert len(scene.double.hits()) == ModelRequest.objects.filter(root=root).count() == 7


class TestOpenRoot:
    def test_opens_a_root_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15."""
        requester, desk = scene.driver.requester, scene.driver.desk
        scene.root, statements = after_every_failure(
            lambda: a_root(requester=requester, desk=desk)
        )
        assert statements > 5
        assert scene.end().result == "complete"


class TestCancel:
    def test_cancels_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15. Repeated after its success it changes nothing."""
        scene.driver.run(scene.root, until=lambda root: root.children.count() == 3)
        done, _ = after_every_failure(lambda: cancel(scene.root.pk))
        assert done
        assert not cancel(scene.root.pk)
        assert scene.end().state == "cancelled"


class TestDecide:
    def test_decides_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15. Repeated after its success there is nothing to decide."""
        scene.double.forget()
        scene.double.script(fails(challenge_in(1), status=500), *answers())
        requester, desk = scene.driver.requester, scene.driver.desk
        held = limited(unknown_policy="hold")
        scene.root = a_root(requester=requester, desk=desk, options=held)
        scene.driver.run(scene.root)
        deciding = partial(decide, scene.root.pk, DecisionKind.REASK, decided_by=requester)
        after_every_failure(deciding)
        with pytest.raises(NothingHeld):
            deciding()
        assert scene.end().result == "complete"


class TestSweep:
    def test_rescues_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15."""
        main = scene.child(Role.MAIN)
        dead = Runner(a_worker(dead=True), scene.driver.provider.endpoint, uuid4())
        assert steps.begin(main.pk, runner=dead) is not None
        after_every_failure(lambda: sweep.rescue(scene.root.pk, main.pk, dead_workers=True))
        main.refresh_from_db()
        assert (main.state, main.rescues) == (ChildState.READY, 1)
        assert scene.end().state == "finished"

    def test_fires_a_timer_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15."""
        scene.double.forget()
        scene.double.script(fails(PLAN, status=429), *answers())
        scene.driver.run(scene.root)
        timer = Timer.objects.get()
        assert wait_until(lambda: timer.fires_at <= database_now(), seconds=60)
        after_every_failure(lambda: sweep.fire_timer(scene.root.pk, timer.pk))
        assert scene.end().result == "complete"

    def test_stops_peers_and_passes_a_deadline_whole_or_not_at_all(self, scene: Scene) -> None:
        """Scenario A15."""
        requester, desk = scene.driver.requester, scene.driver.desk
        scene.root = a_root(requester=requester, desk=desk, options=limited(**SHORT))
        assert wait_until(lambda: scene.root.peers_stop_at <= database_now(), seconds=60)
        after_every_failure(lambda: sweep.stop_peers(scene.root.pk))
        assert wait_until(lambda: scene.root.deadline_at <= database_now(), seconds=60)
        after_every_failure(lambda: sweep.pass_deadline(scene.root.pk))
        assert scene.end().state == "expired"

    def test_offers_what_is_owed_or_leaves_it(self, scene: Scene) -> None:
        """Scenario A15."""
        OutboxEntry.objects.update(offer_at=database_now())
        offered, _ = after_every_failure(sweep.offer_outbox)
        assert offered == 1
        assert OutboxEntry.objects.get().attempts == 1
        assert scene.end().result == "complete"


class TestAControl:
    @pytest.mark.usefixtures("database")
    def test_a_use_case_in_two_transactions_is_found_out(self) -> None:
        """Scenario A15. What is not all or nothing fails here."""

        def twice() -> None:
            for _ in range(2):
                Worker.objects.create(
                    id=uuid4(), name="x", started_at=database_now(), alive_until=database_now()
                )
                Group.objects.create(name=str(uuid4()))

        with pytest.raises(AssertionError, match="left something"):
            after_every_failure(twice)
