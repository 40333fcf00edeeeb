"""A log of the calls that arrived whole: the ground truth for what was really submitted."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path


class HitLog:
    """An append-only file of JSON lines, one for each call; it outlives this process's sudden end.

    Shape:
        time: seconds since the epoch, idempotency_key: str, sha256: of the body, in hex
    """

    def __init__(self, path: Path) -> None:
        """Open the file, and make it where there is none; what stands in it stays."""
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(self, idempotency_key: str, raw: bytes) -> None:
        """Append a call: a single write, so that threads and a kill leave whole lines."""
        hit = {
            "time": time.time(),
            "idempotency_key": idempotency_key,
            "sha256": hashlib.sha256(raw).hexdigest(),
        }
        os.write(self._descriptor, json.dumps(hit).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)
