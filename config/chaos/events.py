"""What was done to the stack, as a file of JSON lines: the injector appends, the witness reads."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Note(StrEnum):
    """What an event says."""

    KILLED = "killed"  # a process, by SIGKILL
    STOPPED = "stopped"  # a process, by SIGSTOP
    CANCEL = "cancel"  # the witness is to cancel a Root
    HEALED = "healed"  # nothing is hurt any more


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that was done.

    Args:
        at: seconds since the epoch.
        target: the child's name.
        pid: the process it was done to.
        away: for how many seconds from then it does not run.
        pick: a number by which the witness chooses.
    """

    note: Note
    at: float
    target: str = ""
    pid: int = 0
    away: float = 0.0
    pick: int = 0


class Journal:
    """The writing end."""

    def __init__(self, path: Path) -> None:
        """Begin an empty journal."""
        self._path = path
        path.write_text("")

    def write(
        self, note: Note, *, target: str = "", pid: int = 0, away: float = 0.0, pick: int = 0
    ) -> None:
        """Append an event that happens now."""
        event = Event(note, time.time(), target, pid, away, pick)
        with self._path.open("a") as file:
            file.write(json.dumps(asdict(event)) + "\n")


class Reader:
    """The reading end: gives each event once."""

    def __init__(self, path: Path) -> None:
        """Begin at the start."""
        self._path = path
        self._offset = 0

    def news(self) -> list[Event]:
        """Return what was appended since; a line that is not whole yet comes the next time."""
        with self._path.open("rb") as file:
            file.seek(self._offset)
            whole, end, _ = file.read().rpartition(b"\n")
        self._offset += len(whole) + len(end)
        found = (json.loads(line) for line in whole.splitlines())
        return [Event(**{**one, "note": Note(one["note"])}) for one in found]
