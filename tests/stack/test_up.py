"""`bullbear up`: everything from one command, and nothing without it."""

from __future__ import annotations

import os
import re
import signal
import stat
import time
import urllib.request
from collections.abc import Iterator

import pytest

from config.cli.exits import Exit
from config.embedded.processes import wait_until
from tests.stack.running import Up, bullbear, stack_up
from tests.stack.watching import processes_of

NAMES = {"postgres", "valkey", "rehearsal", "web", "worker", "sweeper", "flower"}


@pytest.fixture(scope="module")
def up() -> Iterator[Up]:
    """Give one stack to all tests; the last ones end it and start it again."""
    with stack_up() as made:
        yield made


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
