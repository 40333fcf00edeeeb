"""A broker of a test's own: it can be killed, stopped, emptied and filled up, and comes back on its port."""

from __future__ import annotations

import secrets
import shutil
import signal
import subprocess
from typing import Any, cast

import redis

from config.embedded.folders import Folders
from config.embedded.ports import free_port
from config.embedded.processes import spawn, wait_until
from config.embedded.programs import find
from config.embedded.valkey import Valkey

QUEUE = "bullbear"
READY_SECONDS = 30.0


class Broker:
    """A real Valkey server."""

    def __init__(self, folders: Folders) -> None:
        password = secrets.token_urlsafe(16)
        self._server = Valkey(folders, find(folders).valkey, free_port(), password)
        self._server.make()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens, password included."""
        return self._server.url

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.port

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert self._process is None
        self._process = spawn(self._server.program())
        assert wait_until(self._server.is_ready, seconds=READY_SECONDS)

    def kill(self) -> None:
        """End it with SIGKILL; what it wrote down stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

    def lose(self) -> None:
        """End it with SIGKILL, and lose what it wrote down."""
        self.kill()
        shutil.rmtree(self._server.data / "appendonlydir")

    def freeze(self) -> None:
        """Stop it: its sockets stay open, new ones are accepted by the kernel, nobody answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def heal(self) -> None:
        """Bring it back as it should be, whatever a test did to it."""
        if self._process is None:
            self.start()
        self.go_on()
        self.remember_at_most(0)

    def empty(self) -> None:
        """FLUSHALL."""
        with self.client() as client:
            client.flushall()

    def remember_at_most(self, size: int) -> None:
        """Set its `maxmemory`, in bytes; 0 is no limit."""
        with self.client() as client:
            client.config_set("maxmemory", size)

    def hang_up(self) -> None:
        """Close every connection but the one that asks for it."""
        with self.client() as client:
            client.client_kill_filter(_type="normal", skipme=True)

    def put(self, raw: bytes) -> None:
        """Put anything where hints are expected."""
        with self.client() as client:
            client.lpush(QUEUE, raw)

    def waiting(self) -> int:
        """Count the hints that nobody has taken yet."""
        with self.client() as client:
            return cast(int, client.llen(QUEUE))

    def waited_for(self) -> int:
        """Count the connections over which somebody waits for a hint just now."""
        with self.client() as client:
            return int(client.info("clients")["blocked_clients"])

    def client(self) -> Any:
        """Connect to it; to be closed."""
        return redis.Redis.from_url(self.url, socket_timeout=10)
