"""Run one command beside private, throw-away servers: `python -m config.embedded.run -- COMMAND…`.

The command finds them in BULLBEAR_DATABASE_URL and BULLBEAR_BROKER_URL.  A server whose setting is
already given is not started; its database is not touched either, but a new one beside it is made
and dropped again: the command must be free to destroy what it finds.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from config.database_roles import DatabaseAddress, create_database, drop_database
from config.embedded.folders import StackProblem, prepare
from config.embedded.processes import die_with_parent
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
    try:
        environment = os.environ | urls | {DATABASE_URL: private.url(), "BULLBEAR_HOME": str(home)}
        process = subprocess.Popen(  # noqa: S603
            command,
            env=environment,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no other thread runs
        )
        return _wait(process, supervisor)
    finally:
        drop_database(private)


def _wait(process: subprocess.Popen[bytes], supervisor: Supervisor) -> int:
    """Tend the servers until the command ends; a signal for us goes on to it once."""
    asked = False
    while process.poll() is None:
        supervisor.tend()
        if supervisor.stopping.wait(0.1) and not asked:
            process.terminate()
            asked = True
        elif asked:
            process.wait()
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
