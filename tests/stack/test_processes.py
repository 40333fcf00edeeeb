"""Children are known by pid and start, die with us, and are stopped by pid."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from config.embedded.processes import (
    Program,
    end_leftover,
    identity,
    is_alive,
    run_once,
    spawn,
    stop,
    wait_until,
)

SLEEP = "import time; print('ready', flush=True); time.sleep(60)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEP
PARENT = """
import sys, time
from pathlib import Path
from config.embedded.processes import Program, spawn
folder = Path(sys.argv[1])
program = Program("child", (sys.executable, "-c", "import time; time.sleep(60)"), {}, folder, folder / "log")
print(spawn(program).pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Program]:
    """Make a program of a line of Python."""

    def made(code: str) -> Program:
        log = tmp_path / "child.log"
        return Program("child", (sys.executable, "-c", code), {}, tmp_path, log, stop_seconds=0.3)

    return made


def is_ready(program: Program) -> bool:
    return program.log.exists() and "ready" in program.log.read_text()


class TestIdentity:
    def test_tells_a_process_from_a_later_one_with_its_pid(self) -> None:
        """A recycled pid is another process."""
        myself = identity(os.getpid())
        assert myself is not None
        assert is_alive(myself)
        assert not is_alive(replace(myself, started=myself.started - 1))

    def test_does_not_count_a_zombie(self) -> None:
        """A dead child that nobody reaped is not alive."""
        child = subprocess.Popen([sys.executable, "-c", ""])
        known = identity(child.pid)
        assert wait_until(lambda: identity(child.pid) is None, seconds=5)
        assert known is None or not is_alive(known)
        child.wait()


class TestSpawn:
    def test_makes_a_child_that_dies_with_its_killed_parent(self, tmp_path: Path) -> None:
        """SIGKILL of the supervisor leaves no child."""
        parent = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert parent.stdout is not None
        child = identity(int(parent.stdout.readline()))
        parent.kill()
        parent.communicate()
        assert child is not None
        assert wait_until(lambda: not is_alive(child), seconds=5)

    def test_keeps_a_terminals_interrupt_from_the_child(
        self, program: Callable[[str], Program]
    ) -> None:
        """The child has a session of its own."""
        child = spawn(program(SLEEP))
        assert os.getsid(child.pid) == child.pid
        stop(child, program(SLEEP))


class TestStop:
    def test_asks_first(self, program: Callable[[str], Program]) -> None:
        """An obedient child ends by the signal it was asked with."""
        child = spawn(program(SLEEP))
        stop(child, program(SLEEP))
        assert child.returncode == -signal.SIGTERM

    def test_insists_on_a_deaf_child(self, program: Callable[[str], Program]) -> None:
        """A child that ignores the signal is killed."""
        deaf = program(DEAF)
        child = spawn(deaf)
        assert wait_until(lambda: is_ready(deaf), seconds=5)
        stop(child, deaf)
        assert child.returncode == -signal.SIGKILL


class TestRunOnce:
    def test_returns_the_status(self, program: Callable[[str], Program]) -> None:
        """It says how the program ended."""
        assert run_once(program("raise SystemExit(7)"), timeout=10) == 7

    def test_stops_a_program_that_takes_too_long(self, program: Callable[[str], Program]) -> None:
        """A time-out is not success."""
        assert run_once(program(SLEEP), timeout=0.3) == -signal.SIGTERM


class TestEndLeftover:
    def test_ends_the_very_process(self, program: Callable[[str], Program]) -> None:
        """What a killed supervisor left is asked, then killed."""
        deaf = program(DEAF)
        child = spawn(deaf)
        assert wait_until(lambda: is_ready(deaf), seconds=5)
        known = identity(child.pid)
        assert known is not None
        end_leftover(known, patience_seconds=0.2)
        assert child.wait(5) == -signal.SIGKILL

    def test_spares_a_process_with_a_recycled_pid(self, program: Callable[[str], Program]) -> None:
        """A pid alone ends nobody."""
        child = spawn(program(SLEEP))
        known = identity(child.pid)
        assert known is not None
        end_leftover(replace(known, started=known.started - 1), patience_seconds=0.2)
        assert child.poll() is None
        stop(child, program(SLEEP))
