"""The command line refuses by name and status, before anything is written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from bullbear.models import Content, Root
from config.cli import main
from config.cli.exits import Exit
from config.configuration import load
from config.database_roles import DatabaseAddress
from config.embedded.ports import free_port

NOWHERE = "01900000-0000-7000-8000-000000000000"
PORTFOLIO = "Name,ISIN,Weight,Asset class\nA fund,IE00B4L5Y983,100,equity\n"


@dataclass(frozen=True, slots=True)
class Told:
    """How a command ended and what it printed."""

    status: int
    stdout: str
    stderr: str


Bullbear = Callable[..., Told]


@pytest.fixture
def bullbear(
    analyst: User, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Bullbear:
    """Run commands in this process, which has Django already."""
    monkeypatch.setattr(main, "_prepare_django", lambda: None)

    def run(*arguments: str) -> Told:
        monkeypatch.setattr(sys, "argv", ["bullbear", *arguments])
        with pytest.raises(SystemExit) as ended:
            main.run()
        return Told(int(ended.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture
def portfolio(tmp_path: Path) -> str:
    """Give a readable portfolio."""
    path = tmp_path / "portfolio.csv"
    path.write_text(PORTFOLIO)
    return str(path)


class TestAsk:
    @pytest.mark.parametrize(
        ("options", "status", "named"),
        [
            (("--rounds", "0"), Exit.USAGE, "rounds: 0 was asked for and 1 to 3 are possible"),
            (("--rounds", "99"), Exit.USAGE, "rounds: 99 was asked for"),
            (("--source", "absent.csv"), Exit.USAGE, "--source: absent.csv cannot be read"),
            (("--source-url", "https://files.example/a"), Exit.USAGE, "Fetching files is off"),
            (("--scope", "account:7731"), Exit.USAGE, "does not hold account:7731"),
            (("--scope-of", "account:7731=portfolio"), Exit.USAGE, "does not hold account:7731"),
            (("--scope-of", "account:7731=no.csv"), Exit.USAGE, "names no one file"),
            (("--readable-by", "judge=portfolio"), Exit.USAGE, "names no role"),
            (("--readable-by", "main=portfolio"), Exit.USAGE, "only researcher, bull, bear"),
            (("--domain", "chess"), Exit.USAGE, "unknown domain 'chess'"),
            (("--subject", "absent.csv"), Exit.USAGE, "--portfolio: absent.csv cannot be read"),
            (
                ("--domain", "decision", "--source", "plan=a.md"),
                Exit.USAGE,
                "--source: a.md cannot",
            ),
            (("--desk", "other"), Exit.USAGE, "desk: analyst belongs to no desk other"),
            (("--as", "stranger"), Exit.NOT_FOUND, "There is no user 'stranger'"),
            (("--dialogue", "perhaps"), Exit.USAGE, "perhaps"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_refuses(
        self,
        bullbear: Bullbear,
        portfolio: str,
        options: tuple[str, ...],
        status: Exit,
        named: str,
    ) -> None:
        """The option or setting is named, and nothing half-made is left."""
        told = bullbear("ask", "Does it?", "--portfolio", portfolio, *options)
        assert (told.status, told.stdout) == (status, "")
        assert named in told.stderr
        assert (Root.objects.count(), Content.objects.count()) == (0, 0)

    def test_fetches_no_file_from_a_host_that_is_not_named(
        self, bullbear: Bullbear, portfolio: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The host and the setting are named, and nothing half-made is left."""
        monkeypatch.setenv("BULLBEAR_URL_HOSTS", "files.example")
        monkeypatch.setattr(settings, "BULLBEAR", load())
        url = "A fund=https://other.example/a.csv?key=secret"
        told = bullbear("ask", "Does it?", "--portfolio", portfolio, "--source-url", url)
        assert (told.status, told.stdout) == (Exit.USAGE, "")
        assert "https://other.example:443 is not among the hosts that" in told.stderr
        assert "secret" not in told.stderr
        assert (Root.objects.count(), Content.objects.count()) == (0, 0)

    def test_refuses_an_endless_question(self, bullbear: Bullbear, portfolio: str) -> None:
        """Its length and the limit are named."""
        told = bullbear("ask", "why? " * 20_000, "--portfolio", portfolio)
        assert told.status == Exit.USAGE
        assert "question: it has 100,000 characters" in told.stderr

    def test_refuses_an_empty_portfolio(self, bullbear: Bullbear, tmp_path: Path) -> None:
        """The file is named."""
        (tmp_path / "empty.csv").write_text("")
        told = bullbear("ask", "Does it?", "--portfolio", str(tmp_path / "empty.csv"))
        assert told.status == Exit.USAGE
        assert "empty.csv" in told.stderr

    def test_refuses_a_subject_that_is_none(self, bullbear: Bullbear, tmp_path: Path) -> None:
        """What is given as the portfolio and holds something else is named, with its kind."""
        (tmp_path / "note.md").write_text("# A note\n\nNothing of the kind.\n")
        told = bullbear("ask", "Does it?", "--portfolio", str(tmp_path / "note.md"))
        assert (told.status, told.stdout) == (Exit.USAGE, "")
        assert "note.md: it is given as the portfolio and reads as text." in told.stderr
        assert (Root.objects.count(), Content.objects.count()) == (0, 0)

    def test_refuses_a_source_of_a_part_where_there_are_no_parts(
        self, bullbear: Bullbear, tmp_path: Path
    ) -> None:
        """A proposal has no lines that a source could belong to."""
        for name in ("plan.md", "note.md"):
            (tmp_path / name).write_text(f"The text of {name}.\n")
        files = ("--proposal", str(tmp_path / "plan.md"), "--source", f"3={tmp_path / 'note.md'}")
        told = bullbear("ask", "Should we?", "--domain", "decision", *files)
        assert (told.status, told.stdout) == (Exit.USAGE, "")
        assert "note.md: it is given for '3', and a proposal has no parts" in told.stderr
        assert (Root.objects.count(), Content.objects.count()) == (0, 0)

    def test_needs_a_broker_and_says_which_setting(
        self, bullbear: Bullbear, portfolio: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A missing setting is named with its remedy."""
        monkeypatch.delenv("BULLBEAR_BROKER_URL")
        monkeypatch.setattr(settings, "BULLBEAR", load())
        told = bullbear("ask", "Does it?", "--portfolio", portfolio)
        assert told.status == Exit.USAGE
        assert "BULLBEAR_BROKER_URL is not set. Set redis://" in told.stderr


class TestOtherCommands:
    @pytest.mark.parametrize("command", ["show", "watch", "cancel", "verify"])
    def test_tell_an_absent_root(self, bullbear: Bullbear, command: str) -> None:
        """Status 3, whether there is none or none that one may see."""
        told = bullbear(command, NOWHERE)
        assert (told.status, told.stdout) == (Exit.NOT_FOUND, "")
        assert NOWHERE in told.stderr

    def test_release_of_an_absent_root_tells_no_more(self, bullbear: Bullbear) -> None:
        """Status 3, whether there is none or none that one may see. Scenario H12."""
        told = bullbear("release", NOWHERE, "S1", "--reason", "Asked for.")
        assert (told.status, told.stdout) == (Exit.NOT_FOUND, "")
        assert NOWHERE in told.stderr

    def test_status_tells_that_nothing_runs(
        self, bullbear: Bullbear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Status 75: try again when a stack is up."""
        monkeypatch.setenv("BULLBEAR_HOME", str(tmp_path))
        told = bullbear("status")
        assert told.status == Exit.TEMPORARY
        assert str(tmp_path) in told.stdout

    def test_help_names_every_command(self, bullbear: Bullbear) -> None:
        """One line each."""
        told = bullbear("--help")
        first = ["demo", "up", "migrate", "status", "doctor"]
        names = [*first, "ask", "watch", "show", "verify", "cancel", "sweeper"]
        assert [name for name in names if name not in told.stdout] == []

    def test_say_that_the_database_is_away(self) -> None:
        """Status 75, in one line, without its password."""
        owner = DatabaseAddress.parse(os.environ["BULLBEAR_DATABASE_URL"])
        away = owner.url().replace(f":{owner.port}/", f":{free_port()}/")
        told = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "config.cli.main", "show", NOWHERE],
            env=os.environ | {"BULLBEAR_DATABASE_URL": away},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert told.returncode == Exit.TEMPORARY
        assert told.stderr.startswith("The database does not answer: ")
        assert owner.password not in told.stderr
        assert "Traceback" not in told.stderr
