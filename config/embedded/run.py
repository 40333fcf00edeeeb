"""Run one command beside private, throw-away servers: `python -m config.embedded.run -- COMMAND…`.

The command finds them in BULLBEAR_DATABASE_URL and BULLBEAR_BROKER_URL.  A server whose setting is
already given is not started; its database is not touched either, but a new one beside it is made
and dropped again: the command must be free to destroy what it finds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from config.database_roles import DatabaseAddress, create_database, drop_database
from config.embedded.folders import StackProblem, prepare
from config.embedded.processes import Command
from config.embedded.servers import BROKER_URL, DATABASE_URL, start_servers
from config.embedded.supervisor import Stopping, Supervisor

_USAGE = "usage: python -m config.embedded.run -- COMMAND [ARGUMENT…]"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    if arguments[:1] != ["--"] or len(arguments) == 1:
        sys.stderr.write(f"{_USAGE}\n")
        return 2
    supervisor = Supervisor()
    supervisor.catch_signals()
    home = Path(tempfile.mkdtemp(prefix="bullbear-run-"))
    home.chmod(0o711)
    try:
        given = {name: os.environ.get(name, "") for name in (DATABASE_URL, BROKER_URL)}
        urls = start_servers(supervisor, prepare(home), given=given, durable=False)
        return _beside(supervisor, urls, home, arguments[1:])
    except StackProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except Stopping:
        return 130
    finally:
        supervisor.stop_all()
        shutil.rmtree(home)


def _beside(supervisor: Supervisor, urls: dict[str, str], home: Path, command: list[str]) -> int:
    given = DatabaseAddress.parse(urls[DATABASE_URL])
    private = given.with_name(f"{given.name}_test_{os.getpid()}")
    create_database(private)
    environment = urls | {DATABASE_URL: private.url(), "BULLBEAR_HOME": str(home)}
    try:
        return supervisor.attend(Command(tuple(command), os.environ | environment))
    finally:
        drop_database(private)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
