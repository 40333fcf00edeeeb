"""A copy of the project, in which a guard can be missing, and one run of tests in it.

Each run has a database of its own on the servers that `config.embedded.run` was given, and a database of the
broker for itself.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from config.embedded.servers import BROKER_URL
from tests.mutants.guards import ROOT, Mutant

_ALL_PASSED, _SOME_FAILED = 0, 1
_FAILED = re.compile(r"^FAILED (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests said.

    Args:
        failed: the first test that failed; "" where none did.
        passed: whether all of them passed.
        output: everything it printed.
    """

    failed: str
    passed: bool
    output: str


class Copy:
    """A copy of the project's own files as they stand."""

    def __init__(self, folder: Path, broker_database: int) -> None:
        """Copy them into `folder`, which must not exist."""
        self._folder = folder
        self._broker_database = broker_database
        for name in _own_files():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)

    @contextmanager
    def without(self, guard: Mutant) -> Iterator[None]:
        """Take a guard away for this block."""
        path = self._folder / guard.path
        text = path.read_text()
        path.write_text(guard.applied_to(text))
        try:
            yield
        finally:
            path.write_text(text)

    def run(self, tests: Sequence[str], *, seconds: float) -> Outcome:
        """Run tests until the first one fails, or the time is over."""
        pytest = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests)
        running = subprocess.Popen(  # noqa: S603  our own command
            [sys.executable, "-m", "config.embedded.run", "--", sys.executable, *pytest],
            cwd=self._folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # without a guard, a test may wait for ever
            output, _ = running.communicate()
        failed = _FAILED.search(output) if running.returncode == _SOME_FAILED else None
        return Outcome(
            failed=failed[1] if failed else "",
            passed=running.returncode == _ALL_PASSED,
            output=output,
        )

    def _environment(self) -> dict[str, str]:
        broker = urlsplit(os.environ[BROKER_URL])._replace(path=f"/{self._broker_database}")
        data = os.environ.get("BULLBEAR_SAMPLE_DATA") or str(ROOT.parent / "shared" / "data")
        return os.environ | {
            BROKER_URL: urlunsplit(broker),
            "BULLBEAR_SAMPLE_DATA": data,
            "PYTHONDONTWRITEBYTECODE": "1",  # two versions of a file within one second
        }


def _own_files() -> list[str]:
    git = shutil.which("git") or "git"
    listed = subprocess.run(  # noqa: S603  our own command
        [git, "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
