"""Hints come three times, too late, forged, from several sweepers at once, or from newer code: one effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from uuid import uuid4

import pytest

from audit.oracle import take_census
from bullbear.lifecycle import Role
from bullbear.models import Child, ModelRequest, Worker
from bullbear.outbox import ADVANCE
from tests.crash.snapshot import take
from tests.outages.brokers.repeater import Repeater
from tests.outages.brokers.stack import Stack, execution

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


@pytest.fixture(scope="module", autouse=True)
def _crowd(whole_stack: Stack) -> Iterator[None]:
    """Two workers and three sweepers."""
    known = Worker.objects.count()
    whole_stack.worker("worker-2")
    for name in ("sweeper-2", "sweeper-3"):
        whole_stack.sweeper(name)
    whole_stack.wait_for_workers(known + 1)
    yield
    for name in ("worker-2", "sweeper-2", "sweeper-3"):
        whole_stack.send_away(name)


def settle(stack: Stack, taken: int) -> None:
    """Wait until the workers have gone through so many hints, and none waits."""
    stack.see(lambda: stack.broker.waiting() == 0 and len(stack.steps_taken()) >= taken)


class TestEveryHintThreeTimes:
    def test_has_the_effect_of_one(self, stack: Stack) -> None:
        """Scenario C01. The same bytes, to two workers."""
        with Repeater(stack.broker) as repeater:
            roots = [stack.open() for _ in range(ROOTS)]
            stack.wait_for_end(*roots)
        taken = Counter(stack.steps_taken())
        assert len(repeater.repeated) >= 5 * ROOTS
        assert set(repeater.repeated.values()) == {2}
        stack.see(lambda: min(Counter(stack.steps_taken())[one] for one in repeater.repeated) == 3)
        assert max(taken.values()) <= 3
        for at_end in stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}
            assert (at_end.result, at_end.end_reason) == ("complete", "settled")


class TestAHintAfterCompletion:
    def test_changes_nothing(self, stack: Stack) -> None:
        """Scenario C02. For every execution of an ended Root, twice."""
        root = stack.open()
        (at_end,) = stack.end(root)
        before, census = len(stack.steps_taken()), take_census()
        children = list(Child.objects.filter(root=root))
        for child in children * 2:
            assert stack.host.publish(ADVANCE, execution_id=str(child.pk)).error == ""
        settle(stack, before + 2 * len(children))
        assert take(root.pk, stack.double.hits()) == at_end
        assert take_census() == census


class TestAForgedHint:
    def test_has_no_effect(self, stack: Stack) -> None:
        """Scenario C03. Ids of nothing, of other things, and no ids at all; the workers go on."""
        root = stack.open()
        (at_end,) = stack.end(root)
        before, census = len(stack.steps_taken()), take_census()
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
            assert stack.host.publish(ADVANCE, **keys).error == ""
        settle(stack, before + len(forged))
        assert take(root.pk, stack.double.hits()) == at_end
        assert take_census() == census
        stack.end(stack.open())

    def test_of_a_foreign_execution_is_that_executions_own_hint(self, stack: Stack) -> None:
        """Scenario C03. Whoever offers it, it says no more than: look again."""
        roots = [stack.open() for _ in range(2)]
        for root in roots:
            for role in (Role.MAIN, Role.BULL, Role.BEAR):
                for child in Child.objects.filter(root=root, role=role):
                    stack.host.publish(ADVANCE, execution_id=str(child.pk), root_id=str(uuid4()))
        for at_end in stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}


class TestSeveralSweepers:
    def test_at_once_have_the_effect_of_one(self, stack: Stack) -> None:
        """Scenario C07. All hints are lost, all Roots are due together, and three sweepers find them."""
        stack.broker.kill()
        roots = [stack.open() for _ in range(ROOTS)]
        stack.broker.start()
        for at_end in stack.end(*roots):
            assert Counter((call.role, call.purpose) for call in at_end.calls) == CALLS
            assert set(at_end.hits.values()) == {1}
            assert at_end.receipts["child_rescued"] == 0


class TestAHintOfNewerCode:
    def test_with_more_in_it_is_understood(self, stack: Stack) -> None:
        """Old and new code side by side: arguments of tomorrow are ignored, the step is taken.

        No other hint of the Root's first step is there, and no sweeper.
        """
        stack.stop_sweepers()
        stack.stop_workers()
        root = stack.open()
        stack.see(lambda: stack.broker.waiting() >= 1)
        stack.broker.empty()
        newer = {"priority": 3, "trace": {"parent": "00-ab"}, "since": None}
        main = str(execution(root, Role.MAIN))
        assert stack.host.publish(ADVANCE, execution_id=main, **newer).error == ""
        stack.start_workers()
        (at_end,) = stack.end(root)
        assert (at_end.result, at_end.end_reason) == ("complete", "settled")
        assert set(at_end.hits.values()) == {1}
