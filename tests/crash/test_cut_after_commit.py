"""The connection is cut after COMMIT was sent: the caller sees an error, the row stands, once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.conf import settings

from bullbear import hints, sweep
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, Root, Timer
from bullbear.queries import database_now
from config.embedded.processes import wait_until
from dialogue import steps
from dialogue.cancel import cancel
from dialogue.decide import NothingHeld, decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from tests import oracle
from tests.crash.answers import answers
from tests.crash.processes import Ordered, StepEntry
from tests.crash.snapshot import Snapshot, take
from tests.driving import Driver
from tests.factories import a_root, a_worker, limited
from tests.provider_double import ProviderDouble
from tests.provider_double.double import PROJECT
from tests.scripted import BULL_OPENING, PLAN, asks_for, challenge_in, fails
from tests.usecases.conftest import asking, double, double_process

__all__ = ["asking", "double", "double_process"]  # fixtures
FAILED = 3
# Main's plan, Bull's opening with a tool call, Bear's with its challenge, Bull's response, Main's synthesis.
COMMITS_OF_A_DIALOGUE = 12
SHORT = {"deadline_seconds": 2, "finalize_seconds": 1}


class Cutter:
    """A step entry whose processes reach the database through the proxy."""

    def __init__(self, proxy: subprocess.Popen[str], entry: StepEntry) -> None:
        self._proxy = proxy
        self._entry = entry

    def order(self, call: str, *, nth: int, **arguments: object) -> Ordered:
        """Do one thing in another process, with its n-th COMMIT cut."""
        assert self._proxy.stdin is not None
        self._proxy.stdin.write(f"{nth}\n")
        self._proxy.stdin.flush()
        assert self._says() == "armed"
        ordered = self._entry.order(call, None, **arguments)
        ordered.wait()
        assert self._says() == "cut", "so many commits were not sent"
        return ordered

    def _says(self) -> str:
        assert self._proxy.stdout is not None
        return self._proxy.stdout.readline().strip()


@pytest.fixture(scope="module")
def cutting(
    double_process: ProviderDouble,
    django_db_setup: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cutter]:
    address = settings.BULLBEAR.database
    assert address is not None
    command = [sys.executable, "-m", "tests.crash.proxy", str(address.port)]
    with subprocess.Popen(  # noqa: S603
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as proxy:
        assert proxy.stdout is not None
        port = proxy.stdout.readline().strip()
        url = address.url().replace(f":{address.port}/", f":{port}/")
        environment = {"BULLBEAR_DATABASE_URL": url, "OPENAI_BASE_URL": double_process.base_url}
        log = tmp_path_factory.mktemp("cut") / "entry.log"
        with StepEntry(environment, log) as entry:
            yield Cutter(proxy, entry)
        assert proxy.stdin is not None
        proxy.stdin.close()


@pytest.fixture
def cutter(cutting: Cutter, asking: Driver) -> Cutter:
    """The one entry and proxy of this module, before rows of this test's own."""
    hints.set_publisher(lambda *_: None)
    return cutting


def seen(root_id: UUID, double: ProviderDouble) -> Snapshot:
    """Ask the oracle, and read what is on record."""
    oracle.check(Root.objects.get(pk=root_id), double.hits())
    return take(root_id, double.hits())


class TestTheStepsOfADialogue:
    def test_each_goes_on_with_the_row_that_stands(
        self, cutter: Cutter, asking: Driver, double: ProviderDouble
    ) -> None:
        """Scenario A16. Nothing is lost, doubled or called unknown, whichever COMMIT is cut."""
        for nth in range(1, COMMITS_OF_A_DIALOGUE + 1):
            double.forget()
            double.script(asks_for(BULL_OPENING, ("list_sources", {})), *answers())
            root = a_root(requester=asking.requester, desk=asking.desk)
            assert cutter.order("drive", nth=nth, root=root.pk).status == 0
            end = seen(root.pk, double)
            assert (end.state, end.end_reason, end.result) == ("finished", "settled", "complete")
            assert end.gaps == []
            assert len(end.calls) == 7
            assert [end.reached(call) for call in end.calls] == [1] * 7
            assert end.receipts["request_sealed"] == end.receipts["request_answered"] == 7
            assert end.receipts["late_answer"] == 0


class TestTheOtherUseCases:
    def test_open_root_stands(self, cutter: Cutter, asking: Driver) -> None:
        """Scenario A16."""
        opened = cutter.order(
            "open",
            nth=1,
            requester=asking.requester.pk,
            desk=asking.desk.pk,
            text="Does it spread the risk?",
            external_id="cut",
        )
        assert opened.status == FAILED
        root = Root.objects.get(external_id="cut")
        assert [child.role for child in asking.owed(root)] == ["main"]

    def test_cancel_stands(self, cutter: Cutter, asking: Driver, double: ProviderDouble) -> None:
        """Scenario A16. Repeated it changes nothing."""
        double.script(*answers())
        root = a_root(requester=asking.requester, desk=asking.desk)
        assert cutter.order("cancel", nth=1, root=root.pk).status == FAILED
        receipts = take(root.pk, []).receipts
        assert receipts["root_finalizing"] == 1
        assert not cancel(root.pk)
        assert take(root.pk, []).receipts == receipts
        asking.run(root)
        assert seen(root.pk, double).state == "cancelled"

    def test_a_decision_stands(
        self, cutter: Cutter, asking: Driver, double: ProviderDouble
    ) -> None:
        """Scenario A16. Repeated there is nothing to decide."""
        double.script(fails(challenge_in(1), status=500), *answers())
        held = limited(unknown_policy="hold")
        root = a_root(requester=asking.requester, desk=asking.desk, options=held)
        asking.run(root)
        by = asking.requester
        assert cutter.order("decide", nth=1, root=root.pk, by=by.pk).status == FAILED
        with pytest.raises(NothingHeld):
            decide(root.pk, DecisionKind.REASK, decided_by=by)
        asking.run(root)
        end = seen(root.pk, double)
        assert (end.receipts["decision_recorded"], end.result) == (1, "complete")

    def test_a_rescue_stands(self, cutter: Cutter, asking: Driver, double: ProviderDouble) -> None:
        """Scenario A16. The next sweep finds nothing to rescue."""
        double.script(*answers())
        root = a_root(requester=asking.requester, desk=asking.desk)
        main = Child.objects.get(root=root)
        dead = Runner(a_worker(dead=True), asking.provider.endpoint, uuid4())
        steps.begin(main.pk, runner=dead)
        status = cutter.order("rescue", nth=1, root=root.pk, child=main.pk).status
        assert status == FAILED
        sweep.rescue(root.pk, main.pk, dead_workers=True)
        main.refresh_from_db()
        assert (main.state, main.rescues) == (ChildState.READY, 1)
        asking.run(root)
        assert seen(root.pk, double).receipts["child_rescued"] == 1

    def test_a_fired_timer_stands(
        self, cutter: Cutter, asking: Driver, double: ProviderDouble
    ) -> None:
        """Scenario A16. It fires once."""
        double.script(fails(PLAN, status=429), *answers())
        root = a_root(requester=asking.requester, desk=asking.desk)
        asking.run(root)
        timer = Timer.objects.get(child__role=Role.MAIN)
        assert wait_until(lambda: timer.fires_at <= database_now(), seconds=60)
        status = cutter.order("fire_timer", nth=1, root=root.pk, timer=timer.pk).status
        assert status == FAILED
        sweep.fire_timer(root.pk, timer.pk)
        asking.run(root)
        end = seen(root.pk, double)
        assert (end.receipts["timer_fired"], end.result) == (1, "complete")

    def test_stopped_peers_and_a_passed_deadline_stand(
        self, cutter: Cutter, asking: Driver, double: ProviderDouble
    ) -> None:
        """Scenario A16. Each is recorded once."""
        root = a_root(requester=asking.requester, desk=asking.desk, options=limited(**SHORT))
        assert wait_until(lambda: root.peers_stop_at <= database_now(), seconds=60)
        assert cutter.order("stop_peers", nth=1, root=root.pk).status == FAILED
        sweep.stop_peers(root.pk)
        assert wait_until(lambda: root.deadline_at <= database_now(), seconds=60)
        assert cutter.order("pass_deadline", nth=1, root=root.pk).status == FAILED
        sweep.pass_deadline(root.pk)
        asking.run(root)
        end = seen(root.pk, double)
        assert (end.receipts["root_finalizing"], end.receipts["deadline_passed"]) == (1, 1)
        assert (end.state, end.reports) == ("expired", 1)
