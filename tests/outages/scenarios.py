"""The scenarios that run beside the tests, each a process of its own; and what each of them saw.

A plugin, so that all modules share them: a fixture that is imported is set up anew in each module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.conftest import Beside
from tests.crash.processes import start
from tests.crash.stage import Facts
from tests.outages.playing import STAGES

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that read what a scenario saw after those of this folder that work meanwhile."""
    places = [place for place, item in enumerate(items) if item.path.parent == HERE]
    ours = [items[place] for place in places]
    for place, item in zip(places, sorted(ours, key=_reads_a_scenario), strict=True):
        items[place] = item


def _reads_a_scenario(item: pytest.Item) -> bool:
    return not STAGES.keys().isdisjoint(getattr(item, "fixturenames", []))


@pytest.fixture(scope="session")
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Beside]:
    """Start the scenarios that a chosen test asks for, before any of them is waited for."""
    chosen = {name for item in request.session.items for name in getattr(item, "fixturenames", [])}
    running = Beside({})
    for name in STAGES:
        if name in chosen:
            folder = tmp_path_factory.mktemp(name)
            started = start("tests.outages.playing", str(folder), name, log=folder / "log")
            running.processes[name] = (started.process, folder)
    yield running
    for process, _ in running.processes.values():
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def away(played: Beside) -> Facts:
    """What was seen while PostgreSQL was stopped for half a minute."""
    return played.facts("away")


@pytest.fixture(scope="session")
def killed(played: Beside) -> Facts:
    """What was seen when PostgreSQL was killed under load, and when it had no connection left."""
    return played.facts("killed")


@pytest.fixture(scope="session")
def many_calls(played: Beside) -> Facts:
    """What was seen while one worker had five hundred calls open."""
    return played.facts("many_calls")


@pytest.fixture(scope="session")
def rolling(played: Beside) -> Facts:
    """What was seen while all workers were replaced one after another."""
    return played.facts("rolling")


@pytest.fixture(scope="session")
def clocks(played: Beside) -> Facts:
    """What became of the same questions with right clocks and with wrong ones."""
    return played.facts("clocks")
