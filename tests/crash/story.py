"""What became of one crash of the table, and what the oracle says of it, as plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bullbear.models import Root
from tests import oracle
from tests.crash.crashes import Crash
from tests.crash.snapshot import Snapshot, take
from tests.provider_double import Hit


@dataclass
class Story:
    """What became of one crash."""

    crash: Crash
    root_id: UUID | None
    status: int | None  # of the process: minus the signal that killed it; None while it is stopped
    after: Snapshot | None  # read at once; None where there is no Root
    lock_wait: float = 0.0  # how long another session waited for the Root, in seconds
    hard_end: datetime | None = None  # of a stopped process's lease
    end: Snapshot | None = None
    again: int | None = None  # the status of a second process that was ordered the same at once
    complaint: str = ""  # the oracle's

    @property
    def at_once(self) -> Snapshot:
        """What was on record when the process had died."""
        assert self.after is not None
        return self.after

    @property
    def at_end(self) -> Snapshot:
        """What was on record when the Root had ended, and whoever was stopped had gone on."""
        assert self.end is not None
        return self.end


@dataclass
class Told:
    """What a run of the table tells: each crash's story, and the oracle's words on all Roots together."""

    stories: list[Story]
    complaints: list[str]


def judge(story: Story, hits: list[Hit]) -> None:
    """Read what is on record at the end; whatever was on record at once must still be."""
    assert story.root_id is not None
    story.end = take(story.root_id, hits)
    before, after = story.at_once.chain, story.at_end.chain
    if after[: len(before)] != before:
        story.complaint += "11: a receipt that was on record is gone or another. "
    story.complaint += asked_oracle(story.root_id, hits)


def compare_arrivals(story: Story, hits: list[Hit]) -> None:
    """Complain of what still arrived of a Root that had ended."""
    if story.end is not None:
        acts = {call.act for call in story.end.calls}
        arrived = Counter(one.idempotency_key for one in hits if one.idempotency_key in acts)
        if arrived != story.end.hits:
            story.complaint += "5: something arrived after the Root's end. "


def asked_oracle(root_id: UUID, hits: list[Hit]) -> str:
    """Say what the oracle has to complain of, or nothing."""
    try:
        oracle.check(Root.objects.get(pk=root_id), hits)
    except AssertionError as error:
        return str(error) or "the oracle complains"
    return ""
