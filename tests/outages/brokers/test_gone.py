"""The broker dies, loses everything, or is full: it costs time, never work."""

from __future__ import annotations

import time

import pytest

from bullbear.lifecycle import ChildState, Role, RootState
from bullbear.models import Child, OutboxEntry, Receipt, Root
from bullbear.outbox import ADVANCE
from dialogue.models import PeerMessage
from research.models import Opening
from tests.outages.brokers.scripts import IN_CALLS, SENDING
from tests.outages.brokers.stack import Stack, execution
from tests.scripted import RESPONSE, challenge_in

ROOTS = 4
REFUSED = "OutOfMemoryError"
COMPLETE = ("finished", "complete", "settled")


@pytest.fixture(scope="module")
def left() -> list[Root]:
    """Roots left to the sweeper, which takes its five seconds: the last test waits for all at once."""
    return []


class TestASend:
    def test_stands_though_the_broker_is_down(self, stack: Stack) -> None:
        """Scenario D01. The peer is woken when the broker is back: by the sweeper, from the database."""
        root = stack.open(SENDING)
        stack.see(Opening.objects.filter(root=root, child__role=Role.BULL).exists)
        stack.double.release("bear opens")
        stack.see(lambda: stack.has_asked(challenge_in(1), SENDING))
        stack.broker.kill()
        stack.double.release("bear challenges")
        stack.see(PeerMessage.objects.filter(root=root).exists)

        bull = Child.objects.get(root=root, role=Role.BULL)
        assert bull.state == ChildState.READY
        assert OutboxEntry.objects.filter(dedupe_key=f"advance:{bull.pk}").count() == 1
        assert Receipt.objects.filter(root=root, kind="message_accepted").count() == 1
        assert not stack.has_asked(RESPONSE, SENDING)

        stack.broker.start()
        (at_end,) = stack.end(root)
        assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
        assert [kind for kind, _, _ in at_end.messages] == ["challenge", "response"]
        assert set(at_end.hits.values()) == {1}


class TestAnEmptiedBroker:
    def test_carries_hints_again_at_once(self, stack: Stack) -> None:
        """Scenario D05. Nobody declares anything anew: no sweeper is needed for what comes afterwards."""
        stack.broker.empty()
        stack.stop_sweepers()
        (at_end,) = stack.end(stack.open())
        assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE

    def test_loses_hints_and_no_work(self, stack: Stack, left: list[Root]) -> None:
        """Scenario D05. FLUSHALL while calls are in flight and hints wait."""
        in_calls = [stack.open(IN_CALLS) for _ in range(2)]
        stack.see(lambda: sum(one.model_calls_reserved for one in _read(in_calls)) == 2)
        stack.stop_workers()
        waiting = [stack.open() for _ in range(2)]
        stack.see(lambda: stack.broker.waiting() >= 2)
        stack.broker.empty()
        stack.go_on()
        stack.double.release("in calls")
        left.extend((*in_calls, *waiting))


class TestALostQueue:
    def test_is_made_good_from_the_database(self, stack: Stack, left: list[Root]) -> None:
        """Scenario D02. The broker is killed with all it held; nobody but the database knows of the work."""
        stack.stop_sweepers()
        stack.stop_workers()
        roots = [stack.open() for _ in range(ROOTS)]
        stack.see(lambda: stack.broker.waiting() >= ROOTS)
        stack.broker.lose()
        stack.broker.start()
        assert stack.broker.waiting() == 0
        stack.go_on()
        left.extend(roots)


class TestARestart:
    def test_three_times_in_three_seconds_harms_nobody(
        self, stack: Stack, left: list[Root]
    ) -> None:
        """Scenario D03."""
        roots = []
        for _ in range(3):
            began = time.monotonic()
            roots.append(stack.open())
            stack.broker.kill()
            roots.append(stack.open())
            stack.broker.start()
            time.sleep(max(0.0, began + 1.0 - time.monotonic()))  # the scenario's own pace
        left.extend(roots)


class TestAFullBroker:
    def test_takes_no_hints_and_stops_nobody(self, stack: Stack, left: list[Root]) -> None:
        """Scenario D06. `maxmemory` is reached: no hint comes in, the worker lives and takes what waits."""
        stack.see(lambda: stack.broker.waited_for() >= 1)
        stack.stop_workers()
        hinted = stack.open()
        stack.see(lambda: stack.broker.waiting() >= 1)
        stack.broker.remember_at_most(1)
        refused = stack.host.publish(ADVANCE, execution_id=str(execution(hinted, Role.MAIN)))
        assert refused.error == "OperationalError"
        unhinted = stack.open()
        assert unhinted.state == RootState.OPEN
        stack.go_on()
        stack.see(lambda: stack.broker.waiting() == 0)
        stack.see(lambda: _read([hinted])[0].model_calls_spent >= 1)
        assert OutboxEntry.objects.filter(
            dedupe_key=f"advance:{execution(unhinted, Role.MAIN)}"
        ).exists()

        stack.broker.remember_at_most(0)
        left.extend((hinted, unhinted))

    def test_ends_no_worker_that_connects_to_it(self, stack: Stack, left: list[Root]) -> None:
        """Scenario D06. Not even what a worker declares when it connects is taken: it tries again."""
        stack.broker.remember_at_most(1)
        refused = stack.log_of("worker").count(REFUSED)
        stack.broker.hang_up()
        stack.see(lambda: stack.log_of("worker").count(REFUSED) > refused or not stack.is_well)
        left.append(stack.open())
        assert stack.is_well


class TestWhatWasLeft:
    def test_is_finished_from_the_database_alone(self, stack: Stack, left: list[Root]) -> None:
        """Scenarios D02, D03, D05 and D06. Each call was made once."""
        assert left
        for at_end in stack.end(*left):
            assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
            assert len(at_end.calls) == 6
            assert set(at_end.hits.values()) == {1}


def _read(roots: list[Root]) -> list[Root]:
    return list(Root.objects.filter(pk__in=[root.pk for root in roots]))
