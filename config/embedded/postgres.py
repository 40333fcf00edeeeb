"""One PostgreSQL server as our child: made once, started on loopback, known again after a crash.

Source: design.md D20; https://www.postgresql.org/docs/18/app-initdb.html.
"""

from __future__ import annotations

import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import psycopg

from config.embedded.folders import Folders, StackProblem, make_private, write_private
from config.embedded.ports import LOOPBACK
from config.embedded.processes import Identity, Program, end_leftover, identity, run_once

OWNER = "bullbear"
DATABASE = "bullbear"
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}
_INITDB_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server of this stack.

    Args:
        binaries: the folder with `initdb` and `postgres`.
        durable: False only for data that is thrown away: no fsync.
    """

    folders: Folders
    binaries: Path
    port: int
    password: str
    durable: bool = True

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.folders.servers / "postgres"

    @property
    def url(self) -> str:
        """The owner's URL, password included."""
        return f"postgresql://{OWNER}:{self.password}@{LOOPBACK}:{self.port}/{DATABASE}"

    def program(self) -> Program:
        """Return how the server is started; its password stands in no argument."""
        settings = {
            "listen_addresses": LOOPBACK,
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_parameter_max_length_on_error": "0",
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
        }
        if not self.durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        arguments = [part for pair in settings.items() for part in ("-c", "=".join(pair))]
        return self._program(
            "postgres",
            ("-D", str(self.data), *arguments),
            stop_signal=signal.SIGINT,
            stop_seconds=20.0,
        )

    def make(self) -> None:
        """Make the data directory, whole or not at all; an existing one is left as it is.

        Raises:
            StackProblem: initdb failed, and where its output stands.
        """
        if (self.data / "PG_VERSION").exists():
            return
        fresh = self.data.with_name("postgres.fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        make_private(fresh, self.folders.user)
        password_file = fresh.with_name("postgres.password")
        write_private(password_file, self.password, self.folders.user)
        initdb = self._program(
            "initdb",
            (
                *("-D", str(fresh), "--username", OWNER, "--pwfile", str(password_file)),
                *("--auth", "scram-sha-256", "--encoding", "UTF8", "--no-instructions"),
                *("--locale-provider", "builtin", "--locale", "C"),
                *("--builtin-locale", "C.UTF-8"),
                *(() if self.durable else ("--no-sync",)),
            ),
        )
        try:
            status = run_once(initdb, timeout=_INITDB_SECONDS)
        finally:
            password_file.unlink()
        if status != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            raise StackProblem(
                f"initdb ended with status {status}; its output is in {initdb.log}."
            )
        fresh.rename(self.data)

    def clear_stale_pid_file(self) -> None:
        """Remove `postmaster.pid` unless a live server of this very data directory wrote it.

        PostgreSQL itself refuses to start when any process of its user has the pid that stands
        there, so a recycled pid would block it for good.  A live server here is a leftover of a
        killed supervisor, because the caller holds the lock: it is ended first.
        """
        pid_file = self.data / "postmaster.pid"
        written = _pid_in(pid_file)
        leftover = None if written is None else self._server_with(written)
        if leftover is not None:
            end_leftover(leftover, patience_seconds=5.0)
        pid_file.unlink(missing_ok=True)

    def is_ready(self) -> bool:
        """Say whether the server lets its owner in: another server on this port would not."""
        try:
            with psycopg.connect(
                host=LOOPBACK,
                port=self.port,
                user=OWNER,
                password=self.password,
                dbname="postgres",
                connect_timeout=2,
            ):
                return True
        except psycopg.OperationalError:
            return False

    def _server_with(self, pid: int) -> Identity | None:
        process = Path(f"/proc/{pid}")
        found = identity(pid)
        try:
            is_postgres = (process / "comm").read_text().strip() == "postgres"
            is_ours = is_postgres and (process / "cwd").samefile(self.data)
        except OSError:
            return None
        return found if is_ours else None

    def _program(
        self,
        binary: str,
        arguments: tuple[str, ...],
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        stop_seconds: float = 5.0,
    ) -> Program:
        return Program(
            name="postgres",
            command=(str(self.binaries / binary), *arguments),
            environment=_ENVIRONMENT,
            folder=self.folders.servers,
            log=self.folders.logs / f"{binary}.log",
            user=self.folders.user,
            stop_signal=stop_signal,
            stop_seconds=stop_seconds,
            death_signal=signal.SIGINT,
        )


def _pid_in(pid_file: Path) -> int | None:
    try:
        first_line = pid_file.read_text().partition("\n")[0]
    except FileNotFoundError:
        return None
    return abs(int(first_line)) if first_line.strip().lstrip("-").isdigit() else None
