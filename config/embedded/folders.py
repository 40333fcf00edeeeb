"""Where a stack keeps its things, and as whom its servers run.

`home` (BULLBEAR_HOME) belongs to whoever started the stack: lock, runtime file, logs, reports.
The servers' folder holds their data, and as root a copy of their programs.  It is `home/servers`,
unless root's servers, which run as `nobody`, could not enter that; then it is a folder of its own
under /var/lib/bullbear.  Nobody's permissions are changed, and no user is created.

Source: design.md D20.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from config.embedded.processes import User, wait_until

OUTSIDE = Path("/var/lib/bullbear")


class StackProblem(Exception):
    """The stack cannot run; the message names what is wrong and what to do."""


class AlreadyRunning(StackProblem):
    """Another supervisor holds this home's lock."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The places of one stack."""

    home: Path
    servers: Path
    user: User | None

    @property
    def logs(self) -> Path:
        """Where each child's output goes."""
        return self.home / "logs"

    @property
    def runtime_file(self) -> Path:
        """Where other commands find the running stack."""
        return self.home / "runtime.json"

    @property
    def credentials(self) -> Path:
        """The passwords, beside the data they open."""
        return self.servers / "credentials.json"


def prepare(home: Path) -> Folders:
    """Make the folders of `home`, and return them."""
    home = home.absolute()
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    user = server_user()
    servers = home / "servers"
    if user is not None and not can_enter(home, user):
        servers = OUTSIDE / hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:16]
        _make_enterable(OUTSIDE)
    _make_enterable(servers)
    if servers.stat().st_uid != os.geteuid() or servers.is_symlink():
        raise StackProblem(
            f"{servers} does not belong to the user who starts the stack. "
            "Start it as the user who made it, or name another folder with BULLBEAR_HOME."
        )
    folders = Folders(home=home, servers=servers, user=user)
    folders.logs.mkdir(mode=0o700, exist_ok=True)
    return folders


def server_user() -> User | None:
    """Return `nobody` where we are root: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError as missing:
        raise StackProblem(
            "There is no user `nobody` for the embedded servers to run as. "
            "Start the stack as an ordinary user, or set BULLBEAR_DATABASE_URL and "
            "BULLBEAR_BROKER_URL."
        ) from missing
    return User(entry.pw_uid, entry.pw_gid)


def can_enter(folder: Path, user: User) -> bool:
    """Say whether `user` may pass through `folder`, by asking the kernel as that user."""
    asked = subprocess.run(  # noqa: S603
        ["/usr/bin/test", "-x", folder],
        user=user.uid,
        group=user.gid,
        extra_groups=[],
        cwd="/",
        check=False,
    )
    return asked.returncode == 0


def _make_enterable(folder: Path) -> None:
    try:
        folder.mkdir()
    except FileExistsError:
        return
    folder.chmod(0o711)


def make_private(folder: Path, user: User | None) -> None:
    """Make a folder that only the servers' user may enter."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if user is not None:
        os.chown(folder, user.uid, user.gid)


def write_private(path: Path, text: str, user: User | None = None) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    if user is not None:
        os.chown(fresh, user.uid, user.gid)
    fresh.replace(path)


def lock(folders: Folders) -> int:
    """Take the home's lock, held while the returned descriptor is open.

    Raises:
        AlreadyRunning: another supervisor holds it.
    """
    descriptor = os.open(folders.home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def taken() -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    if wait_until(taken, seconds=0.5):
        return descriptor
    os.close(descriptor)
    raise AlreadyRunning(
        f"A stack already runs in {folders.home}. `bullbear status` shows it; stop it first, "
        "or name another folder with BULLBEAR_HOME."
    )
