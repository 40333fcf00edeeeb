"""The table's run, once for all tests that name a row of it, and the other processes of this folder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crash.crashes import Crash
from tests.crash.processes import start
from tests.crash.stage import Facts, facts_of, whatever_was_seen
from tests.crash.story import Story, Told
from tests.crash.table import write_rows

SCENARIO_SECONDS = 900.0
ENDING_SECONDS = 30.0
SCENARIOS = ("kills", "outage", "table")
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that read what a scenario beside them saw after those that work meanwhile."""
    places = [place for place, item in enumerate(items) if HERE in item.path.parents]
    ours = [items[place] for place in places]
    for place, item in zip(places, sorted(ours, key=_reads_a_scenario), strict=True):
        items[place] = item


def _reads_a_scenario(item: pytest.Item) -> bool:
    return bool({*SCENARIOS} & {*getattr(item, "fixturenames", [])})


@dataclass
class Beside:
    """The scenarios that run beside the tests, each a process of its own."""

    processes: dict[str, tuple[subprocess.Popen[bytes], Path]]

    def facts(self, name: str) -> Facts:
        """Wait for a scenario's end, and read its facts."""
        return facts_of(self.ended(name))

    def ended(self, name: str) -> Path:
        """Wait for a scenario's end, and name the folder in which it wrote down what it saw."""
        process, folder = self.processes[name]
        assert process.wait(SCENARIO_SECONDS) == 0, (folder / "log").read_text()[-3000:]
        return folder


@pytest.fixture(scope="session", autouse=True)
def beside(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Beside]:
    """Start the scenarios that a chosen test asks for, before anything else is waited for."""
    chosen = {name for item in request.session.items for name in getattr(item, "fixturenames", [])}
    running = Beside({})
    for name in SCENARIOS:
        if name in chosen:
            folder = tmp_path_factory.mktemp(name)
            if name == "table":
                write_rows(folder, _chosen_crashes(request.session))
            started = start(f"tests.crash.{name}", str(folder), log=folder / "log")
            running.processes[name] = (started.process, folder)
    yield running
    for process, _ in running.processes.values():
        process.terminate()
    for process, _ in running.processes.values():
        try:
            process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _chosen_crashes(session: pytest.Session) -> list[Crash]:
    """Gather every row of the table that a chosen test names, once."""
    callspecs = [getattr(item, "callspec", None) for item in session.items]
    rows = [one.params["crash"] for one in callspecs if one and "crash" in one.params]
    return list(dict.fromkeys(rows))


@pytest.fixture(scope="session")
def kills(beside: Beside) -> Facts:
    """What became of Roots whose workers were killed, three times."""
    return beside.facts("kills")


@pytest.fixture(scope="session")
def outage(beside: Beside) -> Facts:
    """What became of Roots whose database was gone during their calls."""
    return beside.facts("outage")


@pytest.fixture(scope="session")
def table(beside: Beside) -> Told:
    """What became of every crash of the table that a chosen test names."""
    told: Told = whatever_was_seen(beside.ended("table"))
    return told


@pytest.fixture(scope="session")
def stories(table: Told) -> dict[Crash, Story]:
    """The stories of the table, by their crashes."""
    return {story.crash: story for story in table.stories}


@pytest.fixture
def story(stories: dict[Crash, Story], crash: Crash) -> Story:
    """What became of the crash that the test names."""
    return stories[crash]
