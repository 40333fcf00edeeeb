"""The k-th network operation of a dialogue fails, for every k: an honest outcome, and the Root ends."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User

from bullbear import hints, sweep
from bullbear.models import ModelRequest, Root, Worker
from bullbear.queries import due_timers
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from config.embedded.processes import wait_until
from research.domains.registry import domain
from tests import oracle
from tests.crash.answers import answers
from tests.crash.faults import failing_network
from tests.driving import Driver
from tests.factories import a_root
from tests.provider_double import ProviderDouble
from tests.usecases.conftest import double, double_process

__all__ = ["double", "double_process"]  # fixtures
CLASS_OF = {
    "connect": ("rejected", "connect_refused"),
    "send": ("outcome_unknown", "write_failed"),
    "recv": ("outcome_unknown", "reset"),
}


@pytest.fixture
def driver(analyst: User, desk: Group, worker_row: Worker, double: ProviderDouble) -> Driver:
    hints.set_publisher(lambda *_: None)
    double.script(*answers())
    provider = Provider(Endpoint.from_base_url(double.base_url), "none")
    return Driver(desk, analyst, worker_row, provider, domain("investment"))


def test_the_kth_operation_fails_until_none_does(driver: Driver, double: ProviderDouble) -> None:
    """Scenario A15, for the network: each failure is known as what it is, and every Root ends."""
    broken: dict[int, tuple[Root, str]] = {}
    failing = 0
    while True:
        failing += 1
        root = a_root(requester=driver.requester, desk=driver.desk)
        with failing_network(failing) as network:
            driver.run(root)
        if not network.failed:
            break
        broken[failing] = (root, network.failed)
    assert root.result == "complete"
    assert len(broken) > 18
    assert {name for _, name in broken.values()} == set(CLASS_OF)
    _fire_all_timers(driver, [root for root, _ in broken.values()])
    hits = double.hits()
    for root, name in broken.values():
        oracle.check(root, hits)
        failed = ModelRequest.objects.filter(root=root).exclude(state="answered")
        assert [(one.state, one.outcome_class) for one in failed] == [CLASS_OF[name]]
        assert root.state == "finished"


def _fire_all_timers(driver: Driver, roots: list[Root]) -> None:
    """Let rejected calls be repeated when their time has come."""

    def ended() -> bool:
        for root_id, timer_id in due_timers():
            sweep.fire_timer(root_id, timer_id)
        return all(driver.run(root).state == "finished" for root in roots)

    assert wait_until(ended, seconds=60)
