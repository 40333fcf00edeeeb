"""See which processes belong to a stack, from outside, by the folder they work for."""

from __future__ import annotations

import os
from pathlib import Path


def processes_of(home: Path) -> dict[int, str]:
    """Return pid → command line of every live process that names `home`, this one excepted."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            is_zombie = entry.joinpath("stat").read_text().rpartition(")")[2].split()[0] in "ZX"
            command = entry.joinpath("cmdline").read_bytes()
            told = command + entry.joinpath("environ").read_bytes()
            told += os.fsencode(entry.joinpath("cwd").readlink())
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if not is_zombie and os.fsencode(home) in told:
            found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")
    return found
