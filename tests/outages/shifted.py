"""Run a module in a process whose wall clock is wrong, ids and logs included.

    python -m tests.outages.shifted SECONDS MODULE [ARGUMENT…]

The clock is shifted before anything of the product is imported.  Steady clocks are left alone, as on a
machine whose wall clock somebody has set.
"""

from __future__ import annotations

import json
import runpy
import sys
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

import time_machine
import uuid_utils.compat

_TIMESTAMP_SHIFT = 80  # a UUIDv7 begins with 48 bits of Unix milliseconds


def main() -> None:
    """Shift, and become the module."""
    seconds = float(sys.argv[1])
    right = time.time()
    wrong = datetime.now(UTC) + timedelta(seconds=seconds)
    time_machine.travel(wrong, tick=True).start()
    _shift_ids(round(seconds * 1000))
    sys.stderr.write(json.dumps({"right": right, "told": time.time()}) + "\n")
    sys.stderr.flush()
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _shift_ids(milliseconds: int) -> None:
    """Let ids carry the wrong time too; they are made outside of Python."""
    fresh = uuid_utils.compat.uuid7

    def shifted() -> UUID:
        return UUID(int=fresh().int + (milliseconds << _TIMESTAMP_SHIFT))

    uuid_utils.compat.uuid7 = shifted  # type: ignore[assignment]


if __name__ == "__main__":
    main()
