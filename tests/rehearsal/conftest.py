"""The rehearsal model as its own process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.rehearsal.asking import Client


class Served:
    """A running server and the port it says it listens on."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "config.rehearsal.server", *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        self.port = int(self.first_line.rpartition(":")[2].partition("/")[0])

    def end(self) -> int:
        self.process.terminate()
        code = self.process.wait(timeout=5)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    running = Served()
    yield running
    running.end()


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    one = Client(served.port)
    yield one
    one.connection.close()
