"""The rehearsal model's hit log, read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Hit:
    """A call that arrived whole."""

    time: float
    idempotency_key: str
    sha256: str


def read_hits(path: Path) -> list[Hit]:
    """Return all calls that arrived so far, in their order."""
    if not path.exists():
        return []
    return [Hit(**json.loads(line)) for line in path.read_text().splitlines()]
