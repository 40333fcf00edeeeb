"""PostgreSQL and Valkey as our children: closed, findable, and startable after any crash."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import psycopg
import pytest
import redis

from config.database_roles import DatabaseAddress
from config.embedded.folders import Folders, StackProblem
from config.embedded.ports import free_port
from config.embedded.postgres import Postgres
from config.embedded.processes import identity, spawn, wait_until
from config.embedded.programs import find
from config.embedded.servers import BROKER_URL, DATABASE_URL, start_servers
from config.embedded.supervisor import Supervisor
from tests.stack.watching import processes_of


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    """Give a supervisor whose children do not outlive the test."""
    made = Supervisor()
    yield made
    made.stop_all()


@pytest.fixture
def postgres(folders: Folders) -> Postgres:
    """Give a server whose data directory is made."""
    made = Postgres(folders, find(folders).postgres, free_port(), "password", durable=False)
    made.make()
    return made


def write_pid_file(postgres: Postgres, pid: int) -> None:
    pid_file = postgres.data / "postmaster.pid"
    pid_file.write_text(f"{pid}\n{postgres.data}\n1\n{postgres.port}\n\n127.0.0.1\n")
    if postgres.folders.user is not None:
        os.chown(pid_file, postgres.folders.user.uid, postgres.folders.user.gid)


class TestStartServers:
    def test_starts_both_closed_to_strangers(
        self, supervisor: Supervisor, folders: Folders
    ) -> None:
        """A wrong password opens neither; the right ones stand in no argument."""
        urls = start_servers(supervisor, folders, given={}, durable=False)
        secret, broker_secret = (
            urls[name].split("@")[0].rpartition(":")[2] for name in (DATABASE_URL, BROKER_URL)
        )
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(
                urls[DATABASE_URL].replace(secret, "x").replace("/bullbear", "/postgres")
            )
        stranger = redis.Redis.from_url(urls[BROKER_URL].replace(broker_secret, "x"))
        with stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        commands = processes_of(folders.home)
        assert len(commands) >= 2
        assert not [one for one in commands.values() if secret in one or broker_secret in one]

    def test_starts_only_what_is_not_given(self, supervisor: Supervisor, folders: Folders) -> None:
        """A URL of one's own takes the server's place."""
        given = {DATABASE_URL: "postgresql://of:mine@elsewhere/db", BROKER_URL: "redis://mine"}
        assert start_servers(supervisor, folders, given=given) == given
        assert processes_of(folders.home) == {}

    def test_listens_on_loopback_only(self, supervisor: Supervisor, folders: Folders) -> None:
        """No other address of this machine answers, and there is no socket file."""
        urls = start_servers(supervisor, folders, given={}, durable=False)
        owner = DatabaseAddress.parse(urls[DATABASE_URL]).with_name("postgres")
        with owner.connect() as connection:
            shown = connection.execute(
                "SELECT current_setting('listen_addresses'), "
                "current_setting('unix_socket_directories'), "
                "current_setting('password_encryption')"
            ).fetchone()
        assert shown == ("127.0.0.1", "", "scram-sha-256")


class TestPostgresStarts:
    def start(self, postgres: Postgres, supervisor: Supervisor) -> None:
        supervisor.start(postgres.program(), prepare=postgres.clear_stale_pid_file)
        supervisor.wait_ready("postgres", postgres.is_ready, seconds=30)

    def test_after_a_pid_file_of_a_dead_process(
        self, postgres: Postgres, supervisor: Supervisor
    ) -> None:
        """A crashed machine leaves such a file."""
        dead = subprocess.Popen(["/bin/true"])
        dead.wait()
        write_pid_file(postgres, dead.pid)
        self.start(postgres, supervisor)

    def test_after_a_pid_file_with_a_recycled_pid(
        self, postgres: Postgres, supervisor: Supervisor
    ) -> None:
        """A stranger of the same user has the pid now: PostgreSQL alone would refuse for good."""
        user = postgres.folders.user
        stranger = subprocess.Popen(
            ["/bin/sleep", "60"],
            user=user.uid if user else None,
            group=user.gid if user else None,
            extra_groups=[] if user else None,
        )
        write_pid_file(postgres, stranger.pid)
        self.start(postgres, supervisor)
        assert stranger.poll() is None
        stranger.kill()
        stranger.wait()

    def test_after_a_live_leftover_of_its_own_directory(
        self, postgres: Postgres, supervisor: Supervisor
    ) -> None:
        """A server that a killed supervisor left is ended first, not joined."""
        leftover = spawn(postgres.program())
        assert wait_until(postgres.is_ready, seconds=30)
        self.start(postgres, supervisor)
        assert leftover.wait(5) is not None
        assert identity(leftover.pid) is None

    def test_again_when_it_was_killed(self, postgres: Postgres, supervisor: Supervisor) -> None:
        """A dead server is started again on its port."""
        self.start(postgres, supervisor)
        [pid] = [pid for pid, command in processes_of(postgres.data).items() if " -D " in command]
        os.kill(pid, signal.SIGKILL)

        def is_back() -> bool:
            supervisor.tend()
            return identity(pid) is None and postgres.is_ready()

        assert wait_until(is_back, seconds=20)


class TestPostgresMake:
    def test_begins_anew_after_a_killed_initdb(self, folders: Folders) -> None:
        """A half-made directory is thrown away, and no password file stays."""
        half_made = folders.servers / "postgres.fresh"
        half_made.mkdir()
        (half_made / "PG_VERSION").write_text("18")
        server = Postgres(folders, find(folders).postgres, free_port(), "password", durable=False)
        server.make()
        assert {one.name for one in folders.servers.iterdir()} - {"postgres"} == {
            one.name for one in folders.servers.glob("programs-*")
        }
        assert (server.data / "global" / "pg_control").exists()

    def test_says_where_the_output_of_a_failed_initdb_stands(self, folders: Folders) -> None:
        """Nothing is left that would be taken for a data directory."""
        server = Postgres(folders, folders.home, free_port(), "password")
        (folders.home / "initdb").write_text("#!/bin/sh\nexit 3\n")
        (folders.home / "initdb").chmod(0o755)
        with pytest.raises(StackProblem, match=r"initdb ended with status 3.*initdb\.log"):
            server.make()
        assert [one.name for one in folders.servers.iterdir()] == []
