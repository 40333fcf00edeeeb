"""The clock of time-outs and lease ends: steady, also where the wall clock is set or wrong.

Note [Hard end]: the lease's hard end is a moment of the *database's* clock, and a worker's wall
clock may be off by an hour.  So a worker reads this clock just before it asks the database for its
time, and adds what the database says is left: `hard_end = read_before + (hard_end_at -
database_now)`.  The error is on the safe side: the reading is older than the answer.

Source: scenarios.md E01.
"""

from __future__ import annotations

import time

# On Linux it goes on while the machine sleeps, as the lease in the database does.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_seconds() -> float:
    """Return seconds since an arbitrary start; comparable within one machine's uptime."""
    return time.clock_gettime(_CLOCK)
