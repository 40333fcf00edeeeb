"""A Root that somebody holds, or that cannot be swept, keeps no other Root waiting."""

from __future__ import annotations

import threading
import time
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, connections

from bullbear import hints, sweep
from bullbear.lifecycle import ChildState
from bullbear.locks import hold_root
from bullbear.models import Child, Root
from bullbear.sweep import SEEN_SECONDS, Sight
from bullbear.transactions import transaction
from bullbear.wire.call import Endpoint
from dialogue import steps
from dialogue.next_request import Runner
from tests.factories import a_root, a_worker

ENDPOINT = Endpoint.from_base_url("http://127.0.0.1:9/v1")


@pytest.fixture
def abandoned(analyst: User, desk: Group) -> list[Child]:
    """Three Roots whose worker died in Main's first call."""
    hints.set_publisher(lambda *_: None)
    mains = []
    for _ in range(3):
        main = Child.objects.get(root=a_root(requester=analyst, desk=desk))
        steps.begin(main.pk, runner=Runner(a_worker(dead=True), ENDPOINT, uuid4()))
        mains.append(main)
    return mains


class TestASweepOverAHeldRoot:
    def test_goes_on_with_the_others(self, abandoned: list[Child]) -> None:
        """Scenario A12. The held one is rescued by a later sweep; the sweeper's view is not broken by it."""
        held = abandoned[1].root
        let_go = threading.Event()
        holder = threading.Thread(target=_hold, args=(held, holding := threading.Event(), let_go))
        holder.start()
        assert holding.wait(10)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        sight = Sight(since=time.monotonic() - SEEN_SECONDS)
        sweep.sweep(sight)
        assert states(abandoned) == [ChildState.READY, ChildState.RUNNING, ChildState.READY]
        assert sight.unbroken
        let_go.set()
        holder.join()
        sweep.sweep(sight)
        assert states(abandoned) == [ChildState.READY] * 3


def _hold(root: Root, holding: threading.Event, let_go: threading.Event) -> None:
    with transaction(), hold_root(root.pk):
        holding.set()
        let_go.wait(10)
    connections.close_all()


def states(children: list[Child]) -> list[ChildState]:
    """Read the executions' states again."""
    return [ChildState(Child.objects.get(pk=child.pk).state) for child in children]
