"""Start the servers that nobody gave us: PostgreSQL, Valkey, or both."""

from __future__ import annotations

from collections.abc import Callable

from config.embedded.folders import Folders, StackProblem
from config.embedded.ports import free_port
from config.embedded.postgres import Postgres
from config.embedded.programs import find
from config.embedded.runtime_file import load_credentials
from config.embedded.supervisor import Supervisor
from config.embedded.valkey import Valkey

DATABASE_URL = "BULLBEAR_DATABASE_URL"
BROKER_URL = "BULLBEAR_BROKER_URL"
_READY_SECONDS = 60.0
_PORTS_TRIED = 3


def start_servers(
    supervisor: Supervisor, folders: Folders, *, given: dict[str, str], durable: bool = True
) -> dict[str, str]:
    """Start each server whose URL is not given; return both URLs by their settings' names."""
    urls = {name: given.get(name, "") for name in (DATABASE_URL, BROKER_URL)}
    if all(urls.values()):
        return urls
    programs = find(folders)
    credentials = load_credentials(folders.credentials)

    def postgres(port: int) -> str:
        server = Postgres(folders, programs.postgres, port, credentials.database, durable=durable)
        server.make()
        supervisor.start(server.program(), prepare=server.clear_stale_pid_file)
        supervisor.wait_ready("postgres", server.is_ready, seconds=_READY_SECONDS)
        return server.url

    def valkey(port: int) -> str:
        server = Valkey(folders, programs.valkey, port, credentials.broker)
        server.make()
        supervisor.start(server.program())
        supervisor.wait_ready("valkey", server.is_ready, seconds=_READY_SECONDS)
        return server.url

    if not urls[DATABASE_URL]:
        urls[DATABASE_URL] = _on_a_free_port(postgres)
    if not urls[BROKER_URL]:
        urls[BROKER_URL] = _on_a_free_port(valkey)
    return urls


def _on_a_free_port(start: Callable[[int], str]) -> str:
    for _ in range(_PORTS_TRIED - 1):
        try:
            return start(free_port())
        except StackProblem:  # most likely somebody took the port in between
            continue
    return start(free_port())
