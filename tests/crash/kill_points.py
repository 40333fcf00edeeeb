"""Where a process of a test may kill or stop itself: a name, a function, and before, half way or after.

The one list of kill points.  `arming.py` wraps these functions in a test's own process; nothing in the
product knows of it.

Source: scenarios.md, the preamble and group A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Point:
    """A place in the code: when the function is about to be called, when it has returned, or half way."""

    target: str
    when: Literal["before", "half", "after"]


_COMMIT = "django.db.backends.base.base.BaseDatabaseWrapper._commit"
_STREAM = "bullbear.wire.network.BoundedStream"

POINTS: Mapping[str, Point] = {
    # Around every transaction of a Root
    "before the transaction": Point("bullbear.transactions.transaction", "before"),
    "after the lock": Point("bullbear.locks._lock", "after"),
    "after the Root row": Point("bullbear.locks._insert", "after"),
    "before the writes": Point("bullbear.locks.Held.write", "before"),
    "all but the Root row": Point("bullbear.models.root.Root.save", "before"),
    "before the commit": Point(_COMMIT, "before"),
    "after the commit": Point(_COMMIT, "after"),
    # Around the hint
    "before the hint is offered": Point("bullbear.hints.offer", "before"),
    "hint offered, not published": Point("config.celery.publish", "before"),
    "hint published": Point("config.celery.publish", "after"),
    # Around the call
    "before the dispatch": Point("bullbear.wire.provider.Provider.dispatch", "before"),
    "before the write": Point(f"{_STREAM}.write", "before"),
    "mid request": Point(f"{_STREAM}.write", "half"),
    "after the write": Point(f"{_STREAM}.write", "after"),
    "mid response": Point(f"{_STREAM}.read", "half"),
    "after the response": Point("bullbear.wire.provider.Provider.dispatch", "after"),
    "after the tools": Point("research.tool_loop.run_tools", "after"),
    "before record": Point("dialogue.steps.record", "before"),
    # Between two acts of one transaction
    "after the seal": Point("bullbear.sealing.seal", "after"),
    "after the half-round is spent": Point("dialogue.half_rounds.spend", "after"),
    "after the opening is accepted": Point("research.openings.accept_opening", "after"),
    "claims registered": Point("dialogue.claims.record_stated_claims", "after"),
    "after the offer": Point("dialogue.pairing.offer_pair", "after"),
    "before the join": Point("dialogue.pairing.join_pair", "before"),
    "after the join": Point("dialogue.pairing.join_pair", "after"),
    "after the message": Point("dialogue.send.send", "after"),
    "before the park": Point("bullbear.parking.park", "before"),
    "after the park": Point("bullbear.parking.park", "after"),
    "after the wake": Point("bullbear.parking.wake", "after"),
    "after the synthesis": Point("dialogue.synthesis.record_synthesis", "after"),
    "before the report": Point("dialogue.report.compile.compile_report", "before"),
    "after the report": Point("dialogue.report.compile.compile_report", "after"),
    "after the Root's end": Point("bullbear.root_end.end_root", "after"),
    "after the request is given up": Point("bullbear.recording.record_unknown", "after"),
    "after a receipt": Point("bullbear.receipts.append", "after"),
    "after the Root is finalising": Point("bullbear.root_end.begin_finalizing", "after"),
    "after a child is stopped": Point("bullbear.parking.end", "after"),
}

# Whatever a kill point is reached in: an ordinal of a role for the steps of an execution, else a use case.
STEPS: Mapping[str, str] = {
    "begin": "dialogue.steps.begin",
    "record": "dialogue.steps.record",
    "dispatch": "bullbear.wire.provider.Provider.dispatch",
    "open": "research.open_root.open_root",
    "cancel": "dialogue.cancel.cancel",
    "decide": "dialogue.decide.decide",
    "release": "research.release.release",
    "rescue": "bullbear.sweep.rescue",
    "fire_timer": "bullbear.sweep.fire_timer",
    "stop_peers": "bullbear.sweep.stop_peers",
    "pass_deadline": "bullbear.sweep.pass_deadline",
    "offer_outbox": "bullbear.sweep.offer_outbox",
}

# What a crash of every use case that writes must be tried at; `open` has its own word for the lock.
AROUND_A_TRANSACTION = frozenset(
    {
        "before the transaction",
        "after the lock",
        "before the writes",
        "before the commit",
        "after the commit",
    }
)
