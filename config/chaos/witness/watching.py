"""Open Roots, watch what happens to them, and judge once everything is at rest."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from uuid import UUID

from audit.oracle import Census, take_census
from audit.viewer import READER
from bullbear import hints
from bullbear.lifecycle import ENDED_ROOT
from bullbear.models import Root
from config.celery import publish
from config.chaos.arrivals import read_hits
from config.chaos.events import Event, Note, Reader
from config.chaos.questions import planned
from config.chaos.witness.judging import judge
from config.chaos.witness.load import AWAY, Canceller, Load, through_outages
from config.chaos.witness.seen import Sight

_LOOK_SECONDS = 0.2
_TELL_SECONDS = 10.0
_QUIET_SECONDS = 4.0  # longer than a call takes: late answers are on record by then
SETTLE_SECONDS = 240.0  # within which every Root ends, once nothing is hurt any more


@dataclass(slots=True)
class Watch:
    """The loop's state.

    Args:
        census: taken when nothing was hurt any more.
        under_way: Roots that have not ended, as last read.
    """

    reader: Reader
    load: Load
    sight: Sight = field(default_factory=Sight)
    canceller: Canceller = field(default_factory=Canceller)
    census: Census = field(default_factory=dict)
    healed_at: float | None = None
    under_way: list[UUID] = field(default_factory=list)
    ended_at: float | None = None
    began: float = field(default_factory=time.time)
    _receipts: int = 0
    _quiet_since: float = 0.0

    def until_rest(self) -> None:
        """Look again and again until all Roots have ended, or their time is over."""
        told = time.monotonic()
        while not self._is_over():
            time.sleep(_LOOK_SECONDS)
            for event in self.reader.news():
                self._take_in(event)
            try:
                self._look()
            except AWAY:
                self.sight.lost_sight()
            if time.monotonic() - told >= _TELL_SECONDS:
                told = time.monotonic()
                self._tell()
        self._tell()

    def _take_in(self, event: Event) -> None:
        match event.note:
            case Note.KILLED | Note.STOPPED:
                self.sight.note(event)
            case Note.CANCEL:
                self.canceller.cancel_one(event.pick)
            case Note.HEALED:
                self.healed_at = time.monotonic()
                self.census = through_outages(take_census)

    def _look(self) -> None:
        self.sight.look()
        roots = Root.objects.using(READER).exclude(state__in=ENDED_ROOT)
        self.under_way = list(roots.values_list("pk", flat=True))
        if len(self.sight.receipts) != self._receipts:
            self._receipts = len(self.sight.receipts)
            self._quiet_since = time.monotonic()
        if self.ended_at is None and self.load.is_over and not self.under_way:
            self.ended_at = time.monotonic()

    def _is_over(self) -> bool:
        if self.healed_at is None:
            return False
        now = time.monotonic()
        quiet = now - self._quiet_since >= _QUIET_SECONDS
        return (self.ended_at is not None and quiet) or now >= self.healed_at + SETTLE_SECONDS

    @property
    def settled_seconds(self) -> float:
        """How long after healing the last Root ended."""
        if self.healed_at is None:
            return 0.0
        return max(0.0, (self.ended_at or time.monotonic()) - self.healed_at)

    def _tell(self) -> None:
        opened, under_way = len(self.load.opened), len(self.under_way)
        sys.stderr.write(f"{opened} Roots opened, {under_way} under way\n")


def main(argv: Sequence[str]) -> int:
    """Do it all, and print what was seen as JSON."""
    parser = argparse.ArgumentParser(prog="python -m config.chaos.witness")
    parser.add_argument("--roots", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--hits", type=Path, required=True)
    asked = parser.parse_args(argv)
    hints.set_publisher(publish)
    load = Load(list(planned(asked.seed, asked.roots, asked.seconds)))
    watch = Watch(Reader(asked.journal), load)
    try:
        watch.until_rest()
    except KeyboardInterrupt:
        return 130
    seen = judge(
        watch.sight,
        read_hits(asked.hits),
        opened=load.opened,
        cancelled=watch.canceller.count,
        before=watch.census,
        began=watch.began,
        settled_seconds=watch.settled_seconds,
    )
    sys.stdout.write(json.dumps(asdict(seen), indent=2) + "\n")
    return 0
