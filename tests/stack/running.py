"""A running `bullbear up` in a home of its own, and commands that attach to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.embedded.processes import wait_until
from config.embedded.runtime_file import Runtime, running
from tests.stack.watching import processes_of

OURS = ("BULLBEAR_", "OPENAI_")


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | {"BULLBEAR_HOME": str(home)}


def bullbear(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "config.cli.main", *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@contextmanager
def stack_up(settings: Mapping[str, str] | None = None) -> Iterator[Up]:
    """Start a stack in a folder that `nobody` may enter, and leave nothing of it."""
    home = Path(tempfile.mkdtemp(prefix="bullbear-test-"))
    home.chmod(0o711)
    made = Up(home, settings or {})
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        wait_until(lambda: made.children() == {}, seconds=10)
        shutil.rmtree(home)


class Up:
    """A running `bullbear up`.

    Args:
        settings: what its environment says beside its home.
    """

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        self.home = home
        self.settings = settings
        self.output = home / "output"
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        with self.output.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "config.cli.main", "up"],
                env={**environment(self.home), **self.settings},
                stderr=output,
                start_new_session=True,
            )
        assert wait_until(lambda: self.is_up() or process.poll() is not None, seconds=90)
        assert process.poll() is None, self.output.read_text()
        return process

    def is_up(self) -> bool:
        found = running(self.home / "runtime.json")
        return found is not None and found.web_url != ""

    @property
    def runtime(self) -> Runtime:
        found = running(self.home / "runtime.json")
        assert found is not None
        return found

    def children(self) -> dict[int, str]:
        found = processes_of(self.home)
        return {pid: command for pid, command in found.items() if pid != self.process.pid}
