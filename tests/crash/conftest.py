"""The table's run, once for all tests that name a row of it, and the other processes of this folder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import _take_rows_away
from tests.crash.crashes import Crash
from tests.crash.fleet import Fleet, Story
from tests.crash.processes import StepEntry, start
from tests.crash.stage import Facts, facts_of
from tests.provider_double import ProviderDouble

SCENARIO_SECONDS = 200.0
SCENARIOS = ("kills", "outage")


@dataclass
class Beside:
    """The scenarios that run beside the tests, each a process of its own."""

    processes: dict[str, tuple[subprocess.Popen[bytes], Path]]

    def facts(self, name: str) -> Facts:
        """Wait for a scenario's end, and read what it saw."""
        process, folder = self.processes[name]
        assert process.wait(SCENARIO_SECONDS) == 0, (folder / "log").read_text()[-3000:]
        return facts_of(folder)


@pytest.fixture(scope="session")
def beside(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Beside]:
    """Start the scenarios that a chosen test asks for, before anything else is waited for."""
    chosen = {name for item in request.session.items for name in getattr(item, "fixturenames", [])}
    running = Beside({})
    for name in SCENARIOS:
        if name in chosen:
            folder = tmp_path_factory.mktemp(name)
            started = start(f"tests.crash.{name}", str(folder), log=folder / "log")
            running.processes[name] = (started.process, folder)
    yield running
    for process, _ in running.processes.values():
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def kills(beside: Beside) -> Facts:
    """What became of Roots whose workers were killed, three times."""
    return beside.facts("kills")


@pytest.fixture(scope="session")
def outage(beside: Beside) -> Facts:
    """What became of Roots whose database was gone during their calls."""
    return beside.facts("outage")


@pytest.fixture(scope="session")
def fleet(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    beside: Beside,  # they run meanwhile
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Fleet:
    """The table's run: every crash that a chosen test names; its rows are gone by then."""
    crashes: dict[Crash, None] = {}
    for item in request.session.items:
        callspec = getattr(item, "callspec", None)
        if callspec is not None and "crash" in callspec.params:
            crashes[callspec.params["crash"]] = None
    folder = tmp_path_factory.mktemp("crash")
    with django_db_blocker.unblock():
        empty_broker()
        (folder / "double").mkdir()
        with ProviderDouble(folder / "double") as double:
            environment = {"OPENAI_BASE_URL": double.base_url}
            with StepEntry(environment, folder / "entry.log") as entry:
                fleet = Fleet(folder, double, entry)
                fleet.run(list(crashes))
        _take_rows_away()
    return fleet


@pytest.fixture
def story(fleet: Fleet, crash: Crash) -> Story:
    """What became of the crash that the test names."""
    return fleet.stories[crash]


def empty_broker() -> None:
    """Lose every hint that is under way."""
    client = redis.Redis.from_url(settings.BULLBEAR.broker_url.get_secret_value())
    client.flushdb()
    client.close()
