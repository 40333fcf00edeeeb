"""`bullbear up`: everything from one command, and nothing without it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.cli.exits import Exit
from config.embedded.processes import wait_until
from config.embedded.runtime_file import Runtime, running
from tests.stack.watching import processes_of

OURS = ("BULLBEAR_", "OPENAI_")
NAMES = {"postgres", "valkey", "rehearsal", "web", "worker", "sweeper", "flower"}


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
        timeout=60,
    )


class Up:
    """A running `bullbear up`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.output = home / "output"
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        with self.output.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "config.cli.main", "up"],
                env=environment(self.home),
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


@pytest.fixture(scope="module")
def up() -> Iterator[Up]:
    """Give one stack to all tests; the last ones end it and start it again."""
    home = Path(tempfile.mkdtemp(prefix="bullbear-test-"))
    home.chmod(0o711)
    made = Up(home)
    yield made
    made.process.kill()
    made.process.wait()
    wait_until(lambda: made.children() == {}, seconds=10)
    shutil.rmtree(home)


class TestWhileItRuns:
    def test_everything_is_there(self, up: Up) -> None:
        """Servers, model, web, worker and sweeper; doctor finds no problem."""
        assert set(up.runtime.processes) == NAMES
        told = bullbear(up.home, "doctor")
        assert told.returncode == Exit.OK, told.stdout
        assert "bear bullbear-rehearsal" in told.stdout

    def test_no_secret_stands_in_an_argument(self, up: Up) -> None:
        """Not of any process, nor in any log."""
        settings, accounts = up.runtime.settings, up.runtime.accounts
        urls = (settings["BULLBEAR_DATABASE_URL"], settings["BULLBEAR_BROKER_URL"])
        passwords = [url.split("@")[0].rpartition(":")[2] for url in urls]
        secrets = {*passwords, settings["BULLBEAR_SECRET_KEY"], *accounts.values()}
        told = [*processes_of(up.home).values(), up.output.read_text()]
        told += [log.read_text(errors="replace") for log in (up.home / "logs").iterdir()]
        assert len(secrets) == 5
        assert not [one for one in told for secret in secrets if secret in one]

    def test_the_files_with_passwords_are_their_owners(self, up: Up) -> None:
        """Mode 0600, both."""
        for path in (up.home / "runtime.json", up.home / "servers" / "credentials.json"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_the_admin_answers_under_a_strict_policy(self, up: Up) -> None:
        """The login page comes, with its style sheet, and no inline script may run."""
        with urllib.request.urlopen(f"{up.runtime.web_url}admin/login/", timeout=10) as answer:  # noqa: S310
            policy = answer.headers["Content-Security-Policy"]
            [sheet] = re.findall(r'href="/(static/admin/css/base[^"]*)"', answer.read().decode())
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        with urllib.request.urlopen(f"{up.runtime.web_url}{sheet}", timeout=10) as answer:  # noqa: S310
            assert answer.headers["Content-Type"].startswith("text/css")

    def test_a_second_one_is_refused(self, up: Up) -> None:
        """One home, one stack; the other names it."""
        told = bullbear(up.home, "up")
        assert told.returncode == Exit.TEMPORARY
        assert str(up.home) in told.stderr

    @pytest.mark.parametrize("name", ["worker", "sweeper", "web", "rehearsal", "valkey", "flower"])
    def test_a_killed_process_is_replaced_at_once(self, up: Up, name: str) -> None:
        """Within two seconds another one has its place, known to the runtime file."""
        before = up.runtime.processes[name]
        began = time.monotonic()
        os.kill(before.pid, signal.SIGKILL)
        assert wait_until(lambda: up.runtime.processes[name] != before, seconds=10)
        assert time.monotonic() - began < 2


class TestEnding:
    def test_ctrl_c_leaves_nothing_behind(self, up: Up) -> None:
        """Every child is gone, the runtime file too, and the status is 0."""
        up.process.send_signal(signal.SIGINT)
        assert up.process.wait(30) == 0
        assert up.children() == {}
        assert not (up.home / "runtime.json").exists()

    def test_sigkill_leaves_nothing_behind_and_it_comes_up_again(self, up: Up) -> None:
        """The kernel ends the children, and the data stand."""
        up.process = up.start()
        up.process.kill()
        up.process.wait()
        assert wait_until(lambda: up.children() == {}, seconds=5)
        up.process = up.start()
        assert bullbear(up.home, "doctor").returncode == Exit.OK
        up.process.send_signal(signal.SIGTERM)
        assert up.process.wait(30) == 0
        assert up.children() == {}
