"""Time-outs that contradict each other are refused at start, by name, by every process that rests on them.

Which ones do is listed in tests/stack/test_configuration.py.

Source: config/contradictions.py; scenarios.md E05.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.crash.processes import Running, start

PROCESSES = {
    "worker": ("celery", "--app", "config.celery", "worker", "--pool", "threads"),
    "watchdog": ("config.watchdog",),
    "sweeper": ("config.cli.main", "sweeper"),
    "web": ("gunicorn", "--config", "python:config.gunicorn_conf", "config.wsgi"),
}
CONTRADICTORY = {"BULLBEAR_PROVIDER_TIMEOUT_SECONDS": "60", "BULLBEAR_DRAIN_SECONDS": "20"}


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Running, Path]]:
    """Start every process with a drain that is shorter than a call may be."""
    folder = tmp_path_factory.mktemp("contradictions")
    more = {"BULLBEAR_SECRET_KEY": secrets.token_urlsafe(32), **CONTRADICTORY}
    return {
        name: (start(*command, log=folder / name, **more), folder / name)
        for name, command in PROCESSES.items()
    }


class TestAProcess:
    @pytest.mark.parametrize("name", PROCESSES)
    def test_does_not_start_on_contradictory_time_outs(
        self, refused: dict[str, tuple[Running, Path]], name: str
    ) -> None:
        """Scenario E05. It ends with a failure that names the setting, its value, and what to do."""
        process, log = refused[name]
        assert process.wait() != 0
        said = log.read_text()
        assert "BULLBEAR_DRAIN_SECONDS (20) is less than a call may last: set it to" in said
        assert "BULLBEAR_PROVIDER_TIMEOUT_SECONDS (60)" in said
