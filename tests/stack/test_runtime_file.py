"""Other commands find a running stack, and only a running one."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from config.embedded.folders import Folders, StackProblem
from config.embedded.processes import Identity, identity
from config.embedded.runtime_file import Runtime, load_credentials, read, running, write
from config.env import Env


@pytest.fixture
def runtime() -> Runtime:
    """Give a stack whose supervisor is this very process."""
    myself = identity(os.getpid())
    assert myself is not None
    return Runtime(
        supervisor=myself,
        settings={"BULLBEAR_BROKER_URL": "redis://:secret@127.0.0.1:7/0"},
        web_url="http://127.0.0.1:8/",
        accounts={"admin": "password"},
        processes={"postgres": Identity(1, 2)},
    )


class TestRunning:
    def test_returns_what_was_written(self, folders: Folders, runtime: Runtime) -> None:
        """The file says all of it, to its owner only."""
        write(folders.runtime_file, runtime)
        assert running(folders.runtime_file) == runtime
        assert stat.S_IMODE(folders.runtime_file.stat().st_mode) == 0o600

    def test_does_not_believe_a_dead_supervisor(self, folders: Folders, runtime: Runtime) -> None:
        """A recycled pid of the supervisor is not the supervisor."""
        gone = replace(runtime.supervisor, started=runtime.supervisor.started - 1)
        write(folders.runtime_file, replace(runtime, supervisor=gone))
        assert running(folders.runtime_file) is None
        assert read(folders.runtime_file) is not None

    def test_names_a_file_that_is_none(self, folders: Folders) -> None:
        """Something else under its name is a problem, not a stack."""
        folders.runtime_file.write_text("[]")
        with pytest.raises(StackProblem, match="is not a runtime file"):
            running(folders.runtime_file)


class TestAttaching:
    def test_takes_unset_settings_from_the_running_stack(
        self, home: Path, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A command beside `bullbear up` finds its servers; a set variable wins."""
        write(home / "runtime.json", runtime)
        monkeypatch.setenv("BULLBEAR_HOME", str(home))
        monkeypatch.delenv("BULLBEAR_BROKER_URL", raising=False)
        assert Env().broker_url.get_secret_value() == "redis://:secret@127.0.0.1:7/0"
        monkeypatch.setenv("BULLBEAR_BROKER_URL", "redis://elsewhere:9/0")
        assert Env().broker_url.get_secret_value() == "redis://elsewhere:9/0"


class TestLoadCredentials:
    def test_makes_them_once(self, folders: Folders) -> None:
        """They live as long as the data they open."""
        made = load_credentials(folders.credentials)
        assert load_credentials(folders.credentials) == made
        assert stat.S_IMODE(folders.credentials.stat().st_mode) == 0o600
        assert len({made.database, made.broker, made.secret_key, made.admin, made.analyst}) == 5
