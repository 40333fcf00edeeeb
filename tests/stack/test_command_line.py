"""The command line refuses by name and status, before anything is written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.cli.exits import Exit
from config.database_roles import DatabaseAddress, drop_database

NOWHERE = "01900000-0000-7000-8000-000000000000"
PORTFOLIO = "Name,ISIN,Weight,Asset class\nA fund,IE00B4L5Y983,100,equity\n"


OWN = DatabaseAddress.parse(os.environ["BULLBEAR_DATABASE_URL"])
OWN = OWN.with_name(f"{OWN.name}_cli")


def bullbear(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command on this module's own database."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "config.cli.main", *arguments],
        env=os.environ | {"BULLBEAR_DATABASE_URL": OWN.url()} | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def rows(table: str) -> int:
    with OWN.connect() as connection:
        [count] = connection.execute(f"SELECT count(*) FROM {table}").fetchone() or [0]  # noqa: S608
    return int(count)


@pytest.fixture(scope="module", autouse=True)
def _migrated() -> Iterator[None]:
    told = bullbear("migrate", "--accounts")
    assert told.returncode == Exit.OK, told.stderr
    assert told.stdout == ""
    yield
    drop_database(OWN)


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
            (("--scope", "account:7731"), Exit.USAGE, "does not hold account:7731"),
            (("--domain", "chess"), Exit.USAGE, "unknown domain 'chess'"),
            (("--desk", "other"), Exit.USAGE, "desk: analyst belongs to no desk other"),
            (("--as", "stranger"), Exit.NOT_FOUND, "There is no user 'stranger'"),
            (("--dialogue", "perhaps"), Exit.USAGE, "perhaps"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_refuses(
        self, portfolio: str, options: tuple[str, ...], status: Exit, named: str
    ) -> None:
        """The option or setting is named, and nothing half-made is left."""
        told = bullbear("ask", "Does it?", "--portfolio", portfolio, *options)
        assert (told.returncode, told.stdout) == (status, "")
        assert named in told.stderr
        assert "Traceback" not in told.stderr
        assert (rows("bullbear_root"), rows("bullbear_content")) == (0, 0)

    def test_refuses_an_endless_question(self, portfolio: str) -> None:
        """Its length and the limit are named."""
        told = bullbear("ask", "why? " * 20_000, "--portfolio", portfolio)
        assert told.returncode == Exit.USAGE
        assert "question: it has 100,000 characters" in told.stderr

    def test_refuses_an_empty_portfolio(self, tmp_path: Path) -> None:
        """The file is named."""
        (tmp_path / "empty.csv").write_text("")
        told = bullbear("ask", "Does it?", "--portfolio", str(tmp_path / "empty.csv"))
        assert told.returncode == Exit.USAGE
        assert "empty.csv" in told.stderr

    def test_needs_a_broker_and_says_which_setting(self, portfolio: str) -> None:
        """A missing setting is named with its remedy."""
        told = bullbear("ask", "Does it?", "--portfolio", portfolio, BULLBEAR_BROKER_URL="")
        assert told.returncode == Exit.USAGE
        assert "BULLBEAR_BROKER_URL is not set. Set redis://" in told.stderr


class TestOtherCommands:
    @pytest.mark.parametrize("command", ["show", "watch", "cancel", "verify"])
    def test_tell_an_absent_root(self, command: str) -> None:
        """Status 3, whether there is none or none that one may see."""
        told = bullbear(command, NOWHERE)
        assert (told.returncode, told.stdout) == (Exit.NOT_FOUND, "")
        assert NOWHERE in told.stderr

    def test_status_tells_that_nothing_runs(self, tmp_path: Path) -> None:
        """Status 75: try again when a stack is up."""
        told = bullbear("status", BULLBEAR_HOME=str(tmp_path))
        assert told.returncode == Exit.TEMPORARY
        assert str(tmp_path) in told.stdout

    def test_help_names_every_command(self) -> None:
        """One line each."""
        told = bullbear("--help")
        first = ["demo", "up", "migrate", "status", "doctor"]
        names = [*first, "ask", "watch", "show", "verify", "cancel", "sweeper"]
        assert [name for name in names if name not in told.stdout] == []
