"""One Valkey server as our child: hints only, so it may lose everything at any time.

Source: design.md D4, D20.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

import redis

from config.embedded.folders import Folders, make_private, write_private
from config.embedded.ports import LOOPBACK
from config.embedded.processes import Program

_CONFIGURATION = """\
bind {host}
port {port}
protected-mode yes
requirepass {password}
dir {data}
appendonly yes
save ""
maxmemory-policy noeviction
daemonize no
logfile ""
"""


@dataclass(frozen=True, slots=True)
class Valkey:
    """A broker of this stack."""

    folders: Folders
    binary: Path
    port: int
    password: str

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.folders.servers / "valkey"

    @property
    def url(self) -> str:
        """The broker's URL, password included."""
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    def program(self) -> Program:
        """Return how the server is started; its password stands in its configuration file."""
        return Program(
            name="valkey",
            command=(str(self.binary), str(self._configuration)),
            environment={"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
            folder=self.folders.servers,
            log=self.folders.logs / "valkey.log",
            user=self.folders.user,
            stop_signal=signal.SIGTERM,
            stop_seconds=5.0,
            death_signal=signal.SIGTERM,
        )

    def make(self) -> None:
        """Write the configuration file, and the data directory where there is none."""
        make_private(self.data, self.folders.user)
        text = _CONFIGURATION.format(
            host=LOOPBACK, port=self.port, password=self.password, data=self.data
        )
        write_private(self._configuration, text, self.folders.user)

    def is_ready(self) -> bool:
        """Say whether the server answers to this stack's password."""
        client = redis.Redis(
            host=LOOPBACK, port=self.port, password=self.password, socket_timeout=2
        )
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    @property
    def _configuration(self) -> Path:
        return self.data / "valkey.conf"
