"""The broker dies, loses everything, or is full: it costs time, never work."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bullbear.lifecycle import ChildState, Role, RootState
from bullbear.models import Child, OutboxEntry, Receipt, Root
from bullbear.outbox import ADVANCE
from dialogue.models import PeerMessage
from research.models import Opening
from tests.crash.processes import Running
from tests.outages.stack import Stack, execution
from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    PLAN,
    RESPONSE,
    a_challenge,
    a_plan,
    an_opening,
    challenge_in,
    says,
)

SENDING, IN_CALLS = "(Root sending.)", "(Root in calls.)"
SCRIPT = [
    says(BEAR_OPENING, an_opening(BEAR_CLAIM), also=SENDING, gate="bear opens"),
    says(challenge_in(1), a_challenge("C1"), also=SENDING, gate="bear challenges"),
    says(PLAN, a_plan(), also=IN_CALLS, gate="in calls", times=2),
]
ROOTS = 4
COMPLETE = ("finished", "complete", "settled")


@dataclass
class Staffed:
    """A stack with one worker and one sweeper."""

    stack: Stack
    worker: Running
    sweeper: Running


@pytest.fixture(scope="module")
def staff(stack: Stack) -> Staffed:
    """One worker and one sweeper for all tests."""
    staff = Staffed(stack, stack.worker(), stack.sweeper())
    stack.wait_for_workers()
    return staff


@pytest.fixture
def staffed(staff: Staffed) -> Iterator[Staffed]:
    """Everything runs and is well, before and afterwards; it is the same worker all the time."""
    yield staff
    staff.worker.send(signal.SIGCONT)
    staff.sweeper.send(signal.SIGCONT)
    staff.stack.broker.heal()
    assert staff.worker.process.poll() is None, staff.stack.log_of("worker")[-3000:]


class TestASend:
    def test_stands_though_the_broker_is_down(self, staffed: Staffed) -> None:
        """Scenario D01. The peer is woken when the broker is back: by the sweeper, from the database."""
        stack = staffed.stack
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


class TestALostQueue:
    def test_is_made_good_from_the_database(self, staffed: Staffed) -> None:
        """Scenario D02. The broker is killed with all it held; nobody but the database knows of the work."""
        stack = staffed.stack
        stack.pause(staffed.worker)
        roots = [stack.open() for _ in range(ROOTS)]
        stack.see(lambda: stack.broker.waiting() >= ROOTS)
        stack.broker.lose()
        stack.broker.start()
        assert stack.broker.waiting() == 0
        staffed.worker.send(signal.SIGCONT)
        for at_end in stack.end(*roots):
            assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
            assert len(at_end.calls) == 6
            assert set(at_end.hits.values()) == {1}


class TestARestart:
    def test_three_times_in_three_seconds_harms_nobody(self, staffed: Staffed) -> None:
        """Scenario D03."""
        stack = staffed.stack
        roots = []
        for _ in range(3):
            began = time.monotonic()
            roots.append(stack.open())
            stack.broker.kill()
            roots.append(stack.open())
            stack.broker.start()
            time.sleep(max(0.0, began + 1.0 - time.monotonic()))  # the scenario's own pace
        for at_end in stack.end(*roots):
            assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
            assert set(at_end.hits.values()) == {1}


class TestAnEmptiedBroker:
    def test_loses_hints_and_no_work(self, staffed: Staffed) -> None:
        """Scenario D05. FLUSHALL while calls are in flight and hints wait."""
        stack = staffed.stack
        in_calls = [stack.open(IN_CALLS) for _ in range(2)]
        stack.see(lambda: sum(one.model_calls_reserved for one in _read(in_calls)) == 2)
        stack.pause(staffed.worker)
        waiting = [stack.open() for _ in range(2)]
        stack.see(lambda: stack.broker.waiting() >= 2)
        stack.broker.empty()
        assert stack.broker.waiting() == 0
        staffed.worker.send(signal.SIGCONT)
        stack.double.release("in calls")
        for at_end in stack.end(*in_calls, *waiting):
            assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
            assert set(at_end.hits.values()) == {1}

    def test_carries_hints_again_at_once(self, staffed: Staffed) -> None:
        """Scenario D05. Nobody declares anything anew: no sweeper is needed for what comes afterwards."""
        stack = staffed.stack
        stack.broker.empty()
        staffed.sweeper.send(signal.SIGSTOP)
        (at_end,) = stack.end(stack.open())
        assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE


class TestAFullBroker:
    def test_takes_no_hints_and_stops_nobody(self, staffed: Staffed) -> None:
        """Scenario D06. `maxmemory` is reached: no hint comes in, the worker lives and takes what waits."""
        stack = staffed.stack
        stack.pause(staffed.worker)
        hinted = stack.open()
        stack.see(lambda: stack.broker.waiting() >= 1)
        stack.broker.remember_at_most(1)
        refused = stack.host.publish(ADVANCE, execution_id=str(execution(hinted, Role.MAIN)))
        assert refused.error == "OperationalError"
        unhinted = stack.open()
        assert unhinted.state == RootState.OPEN
        staffed.worker.send(signal.SIGCONT)
        stack.see(lambda: stack.broker.waiting() == 0)
        stack.see(lambda: _read([hinted])[0].model_calls_spent >= 1)
        assert OutboxEntry.objects.filter(
            dedupe_key=f"advance:{execution(unhinted, Role.MAIN)}"
        ).exists()

        stack.broker.remember_at_most(0)
        for at_end in stack.end(hinted, unhinted):
            assert (at_end.state, at_end.result, at_end.end_reason) == COMPLETE
            assert set(at_end.hits.values()) == {1}


def _read(roots: list[Root]) -> list[Root]:
    return list(Root.objects.filter(pk__in=[root.pk for root in roots]))
