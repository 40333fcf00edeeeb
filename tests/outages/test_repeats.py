"""Hints come three times, too late, forged, from several sweepers at once, or from newer code: one effect."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest

from audit.oracle import take_census
from bullbear.lifecycle import Role
from bullbear.models import Child, ModelRequest
from bullbear.outbox import ADVANCE
from tests.crash.processes import Running
from tests.crash.snapshot import take
from tests.outages.repeater import Repeater
from tests.outages.stack import Stack, execution

WORKERS = ("worker-1", "worker-2")
SWEEPERS = ("sweeper-1", "sweeper-2", "sweeper-3")
ROOTS = 6
CALLS = Counter(
    {
        ("main", "plan"): 1,
        ("bull", "opening"): 1,
        ("bear", "opening"): 1,
        ("bear", "challenge"): 1,
        ("bull", "response"): 1,
        ("main", "synthesis"): 1,
    }
)


@dataclass
class Crowd:
    """A stack with two workers and three sweepers."""

    stack: Stack
    processes: dict[str, Running]

    def signal(self, sign: signal.Signals, *names: str) -> None:
        """Send some of them a signal."""
        for name in names:
            self.processes[name].send(sign)


@pytest.fixture(scope="module")
def all_crowd(stack: Stack) -> Crowd:
    """The same processes for all tests."""
    workers = {name: stack.worker(name) for name in WORKERS}
    sweepers = {name: stack.sweeper(name) for name in SWEEPERS}
    stack.wait_for_workers(len(workers))
    return Crowd(stack, workers | sweepers)


@pytest.fixture
def crowd(all_crowd: Crowd) -> Iterator[Crowd]:
    """Everybody works, before and afterwards, and nobody was started anew."""
    yield all_crowd
    all_crowd.signal(signal.SIGCONT, *all_crowd.processes)
    all_crowd.stack.broker.heal()
    ended = [name for name, one in all_crowd.processes.items() if one.process.poll() is not None]
    assert ended == []


def settle(stack: Stack, taken: int) -> None:
    """Wait until the workers have gone through so many hints, and none waits."""
    stack.see(lambda: stack.broker.waiting() == 0 and len(stack.steps_taken()) >= taken)


class TestEveryHintThreeTimes:
    def test_has_the_effect_of_one(self, crowd: Crowd) -> None:
        """Scenario C01. The same bytes, to two workers."""
        with Repeater(crowd.stack.broker) as repeater:
            roots = [crowd.stack.open() for _ in range(ROOTS)]
            crowd.stack.wait_for_end(*roots)
        taken = Counter(crowd.stack.steps_taken())
        assert len(repeater.repeated) >= 5 * ROOTS
        assert set(repeater.repeated.values()) == {2}
        crowd.stack.see(
            lambda: min(Counter(crowd.stack.steps_taken())[one] for one in repeater.repeated) == 3
        )
        assert max(taken.values()) <= 3
        for at_end in crowd.stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}
            assert (at_end.result, at_end.end_reason) == ("complete", "settled")


class TestAHintAfterCompletion:
    def test_changes_nothing(self, crowd: Crowd) -> None:
        """Scenario C02. For every execution of an ended Root, twice."""
        root = crowd.stack.open()
        (at_end,) = crowd.stack.end(root)
        before, census = len(crowd.stack.steps_taken()), take_census()
        children = list(Child.objects.filter(root=root))
        for child in children * 2:
            assert crowd.stack.host.publish(ADVANCE, execution_id=str(child.pk)).error == ""
        settle(crowd.stack, before + 2 * len(children))
        assert take(root.pk, crowd.stack.double.hits()) == at_end
        assert take_census() == census


class TestAForgedHint:
    def test_has_no_effect(self, crowd: Crowd) -> None:
        """Scenario C03. Ids of nothing, of other things, and no ids at all; the workers go on."""
        root = crowd.stack.open()
        (at_end,) = crowd.stack.end(root)
        before, census = len(crowd.stack.steps_taken()), take_census()
        request = ModelRequest.objects.filter(root=root).first()
        assert request is not None
        forged: list[dict[str, object]] = [
            {"execution_id": one}
            for one in (
                str(uuid4()),
                str(root.pk),
                str(request.pk),
                "",
                "main",
                "'; DROP TABLE bullbear_child; --",
                "../" * 40,
                "\u0000",
                None,
                7,
                ["a"],
                {"execution_id": str(root.pk)},
            )
        ]
        forged += [{}, {"root_id": str(root.pk)}]
        for keys in forged:
            assert crowd.stack.host.publish(ADVANCE, **keys).error == ""
        settle(crowd.stack, before + len(forged))
        assert take(root.pk, crowd.stack.double.hits()) == at_end
        assert take_census() == census
        crowd.stack.end(crowd.stack.open())

    def test_of_a_foreign_execution_is_that_executions_own_hint(self, crowd: Crowd) -> None:
        """Scenario C03. Whoever offers it, it says no more than: look again."""
        roots = [crowd.stack.open() for _ in range(2)]
        for root in roots:
            for role in (Role.MAIN, Role.BULL, Role.BEAR):
                for child in Child.objects.filter(root=root, role=role):
                    crowd.stack.host.publish(
                        ADVANCE, execution_id=str(child.pk), root_id=str(uuid4())
                    )
        for at_end in crowd.stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}


class TestSeveralSweepers:
    def test_at_once_have_the_effect_of_one(self, crowd: Crowd) -> None:
        """Scenario C07. All hints are lost, all Roots are due together, and three sweepers find them."""
        crowd.stack.broker.kill()
        roots = [crowd.stack.open() for _ in range(ROOTS)]
        crowd.stack.broker.start()
        for at_end in crowd.stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}
            assert at_end.receipts["child_rescued"] == 0


class TestAHintOfNewerCode:
    def test_with_more_in_it_is_understood(self, crowd: Crowd) -> None:
        """Old and new code side by side: arguments of tomorrow are ignored, the step is taken.

        No other hint of the Root's first step is there, and no sweeper.
        """
        stack = crowd.stack
        crowd.signal(signal.SIGSTOP, *SWEEPERS)
        stack.pause(*(crowd.processes[name] for name in WORKERS))
        root = stack.open()
        stack.see(lambda: stack.broker.waiting() >= 1)
        stack.broker.empty()
        newer = {"priority": 3, "trace": {"parent": "00-ab"}, "since": None}
        main = str(execution(root, Role.MAIN))
        assert stack.host.publish(ADVANCE, execution_id=main, **newer).error == ""
        crowd.signal(signal.SIGCONT, *WORKERS)
        (at_end,) = stack.end(root)
        assert (at_end.result, at_end.end_reason) == ("complete", "settled")
        assert set(at_end.hits.values()) == {1}
