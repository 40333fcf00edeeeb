"""The same thing once more: a Root opened again, words said again, an answer that comes again.

Source: design.md D8; scenarios.md C04, C05, C06.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from bullbear.lifecycle import Role
from bullbear.models import Receipt, Root
from research.models import Opening
from tests import oracle
from tests.driving import Driver
from tests.factories import a_root
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import BULL_CLAIM, BULL_OPENING, a_dialogue, an_opening, says
from tests.usecases.conftest import OpenScene

AT_ONCE = 4
KEY = "order 7731"


@pytest.mark.usefixtures("database")
class TestOpenRoot:
    """`external_id` is the requester's own label.  A key that opens once comes with the API."""

    def test_with_the_same_label_opens_another_root(self, asking: Driver) -> None:
        """Scenario C04, as far as it exists. Each has a chain of its own."""
        first, second = (
            a_root(requester=asking.requester, desk=asking.desk, external_id=KEY) for _ in range(2)
        )
        assert list(Root.objects.filter(external_id=KEY).order_by("created_at")) == [first, second]
        assert bytes(first.receipts_head) != bytes(second.receipts_head)

    def test_at_the_same_moment_opens_each_one_whole(
        self, asking: Driver, double: ProviderDouble
    ) -> None:
        """Scenario C04, as far as it exists. Nothing of one is missing or stands with another."""
        barrier = threading.Barrier(AT_ONCE)

        def open_one() -> Root:
            try:
                barrier.wait(30)
                return a_root(requester=asking.requester, desk=asking.desk, external_id=KEY)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(AT_ONCE) as threads:
            opened = [threads.submit(open_one) for _ in range(AT_ONCE)]
        roots = [one.result() for one in opened]
        assert len({root.pk for root in roots}) == Root.objects.count() == AT_ONCE
        chains = [Receipt.objects.filter(root=root).order_by("seq") for root in roots]
        kinds = {tuple(chain.values_list("seq", "kind")) for chain in chains}
        assert len(kinds) == 1
        for root in roots:
            double.script(*a_dialogue())
            asking.run(root)
            oracle.check(root, double.hits())
            assert root.result == "complete"


@pytest.mark.usefixtures("database")
class TestAnAnswer:
    """Of one call."""

    @pytest.mark.parametrize(
        "again",
        [
            pytest.param({"twice": True}, id="twice at once"),
            pytest.param({"twice": True, "chunked": True}, id="twice at once, in chunks"),
        ],
    )
    def test_that_comes_twice_counts_once(self, opened: OpenScene, again: dict[str, bool]) -> None:
        """Scenario C06. One opening, one call billed, and the bytes of the first one kept."""
        answer = says(BULL_OPENING, an_opening(BULL_CLAIM))
        scene = opened(Behaviour.from_json(answer.to_json() | again))
        scene.step(Role.MAIN)
        scene.step(Role.BULL)
        assert scene.outcomes(Role.BULL) == [(1, 1, "answered", "valid")]
        assert Opening.objects.filter(root=scene.root).count() == 1
        scene.root.refresh_from_db()
        assert scene.root.model_calls_spent == 2
        root = scene.end()
        assert (root.result, scene.facts("late_answer")) == ("complete", [])
