"""`python -m config.embedded.run`: private servers for one command, and nothing afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.processes import wait_until
from tests.stack.watching import processes_of

COMMAND = """
import os, time
from pathlib import Path
print(os.environ["BULLBEAR_HOME"], os.environ["BULLBEAR_DATABASE_URL"], flush=True)
time.sleep(120)
"""


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    """Start the runner without servers of the test run, with its homes in `folder`."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"BULLBEAR_DATABASE_URL", "BULLBEAR_BROKER_URL", "BULLBEAR_HOME"}
    }
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "config.embedded.run", "--", sys.executable, "-c", command],
        env=environment | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.fixture
def runner(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a runner whose command sleeps."""
    process = start(COMMAND, home)
    yield process
    process.terminate()
    process.communicate()


def test_the_command_gets_a_fresh_database(runner: subprocess.Popen[str]) -> None:
    """Its name says that it may be destroyed."""
    assert runner.stdout is not None
    assert f"_test_{runner.pid}" in runner.stdout.readline().split()[1]


def test_the_commands_status_is_the_runners(home: Path) -> None:
    """A failing test run fails."""
    process = start("raise SystemExit(9)", home)
    process.communicate()
    assert process.returncode == 9
    assert processes_of(home) == {}
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_an_asked_runner_leaves_nothing(
    runner: subprocess.Popen[str], home: Path, asked: signal.Signals
) -> None:
    """Command, servers and folder are gone when it ends."""
    assert runner.stdout is not None
    runner.stdout.readline()
    runner.send_signal(asked)
    assert runner.wait(30) == 128 + signal.SIGTERM
    assert processes_of(home) == {}
    assert list(home.iterdir()) == []


def test_a_killed_runner_leaves_no_process(runner: subprocess.Popen[str], home: Path) -> None:
    """The kernel ends its children."""
    assert runner.stdout is not None
    runner.stdout.readline()
    assert len(processes_of(home)) >= 4
    runner.kill()
    runner.wait()
    assert wait_until(lambda: processes_of(home) == {}, seconds=5)
