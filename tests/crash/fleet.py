"""Run all crashes of the table at once: every Root is left by a process that died, then others take over.

    1  one process a crash dies on its own Root              what is on record is read at once
    2  a sweeper and a worker start, which know no Root      they have the database and nothing else
    3  every Root has ended; stopped processes go on         what is on record is read again

The times are the product's own: a worker counts as dead 15 s after its last sign of life, once the sweeper
has seen the database for 15 s.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import connections

from audit.oracle import stray_arrivals, take_census, vanished
from bullbear.lifecycle import ENDED_ROOT, ChildState
from bullbear.locks import hold_root
from bullbear.models import Child, OutboxEntry, Root, Timer, Worker
from bullbear.queries import database_now
from bullbear.transactions import transaction
from config.embedded.processes import wait_until
from tests import oracle
from tests.crash.answers import answers
from tests.crash.crashes import Crash
from tests.crash.processes import Ordered, StepEntry, start_sweeper, start_worker
from tests.crash.snapshot import Snapshot, take
from tests.factories import QUESTION, a_desk, a_root, a_user, limited
from tests.provider_double import Hit, ProviderDouble

AT_ONCE = 8
# The hard end is far, so that a lease ends with its dead worker, however slow the machine is.
PATIENT = {"provider_timeout_seconds": 300}
RECOVERY_SECONDS = 120.0


@dataclass
class Story:
    """What became of one crash."""

    crash: Crash
    process: Ordered
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


class Fleet:
    """The processes and the provider of one run of the table."""

    def __init__(self, folder: Path, double: ProviderDouble, entry: StepEntry) -> None:
        self._folder = folder
        self._double = double
        self._entry = entry
        self._desk: Group = a_desk()
        self._requester: User = a_user(desks=[self._desk])
        self._one_at_a_time = threading.Lock()  # a sweeper offers what all Roots are owed
        self._brokers = count(8)  # databases of the broker that nobody else uses
        self.stories: dict[Crash, Story] = {}
        self.complaints: list[str] = []  # the oracle's about all Roots together

    def run(self, crashes: Collection[Crash]) -> None:
        """Run these crashes, and everything that follows from them."""
        numbered = list(enumerate(crashes))
        for number, crash in numbered:
            for one in crash.script:
                self._double.script(replace(one, also=_tag(number)))
        self._double.script(*answers())
        with ThreadPoolExecutor(AT_ONCE) as threads:
            stories = list(threads.map(self._in_thread, numbered))
        census = take_census()
        with start_sweeper(self._folder / "sweeper.log"), self._worker():
            self._recover(stories)
        hits = self._double.hits()
        for story in stories:
            _judge(story, hits)
        lost = vanished(census, take_census())
        self.complaints = [str(one) for one in (*lost, *stray_arrivals(hits))]
        self.stories = {story.crash: story for story in stories}

    @contextmanager
    def _worker(self) -> Iterator[None]:
        with start_worker(self._folder / "worker.log", OPENAI_BASE_URL=self._double.base_url):
            yield

    def _in_thread(self, numbered: tuple[int, Crash]) -> Story:
        try:
            return self._let_die(*numbered)
        finally:
            connections.close_all()

    def _let_die(self, number: int, crash: Crash) -> Story:
        tag = _tag(number)
        text = f"{QUESTION} {tag}"
        if crash.call == "open":
            process = self._entry.order(
                "open",
                crash.kill,
                requester=self._requester.pk,
                desk=self._desk.pk,
                text=text,
                external_id=tag,
            )
            status: int | None = process.wait()
            found = Root.objects.filter(external_id=tag).first()
            after = take(found.pk, self._double.hits()) if found else None
            return Story(crash, process, found.pk if found else None, status, after)
        root = a_root(
            text=text,
            requester=self._requester,
            desk=self._desk,
            options=limited(**{**PATIENT, **crash.limits}),
        )
        if crash.celery:
            return self._let_worker_die(number, crash, root)
        process = self._order(crash, root)
        if crash.kill is None or crash.kill.sign != "SIGSTOP":
            story = self._seen(crash, process, root, process.wait())
            if crash.call == "decide":  # else its Root would wait for its deadline
                story.again = self._entry.order(
                    "decide", None, **self._arguments(crash, root)
                ).wait()
            return story
        process.wait_stopped()
        waited = _wait_for_lock(root.pk)
        story = self._seen(crash, process, root, None)
        story.lock_wait = waited
        leased = Child.objects.filter(root=root, state=ChildState.RUNNING)
        story.hard_end = leased.values_list("hard_end_at", flat=True).first()
        return story

    def _seen(self, crash: Crash, process: Ordered, root: Root, status: int | None) -> Story:
        """Read what is on record at once, and ask the oracle."""
        hits = self._double.hits()
        story = Story(crash, process, root.pk, status, take(root.pk, hits))
        story.complaint = _asked_oracle(root.pk, hits)
        return story

    def _let_worker_die(self, number: int, crash: Crash, root: Root) -> Story:
        broker = urlsplit(settings.BULLBEAR.broker_url.get_secret_value())
        worker = start_worker(
            self._folder / f"doomed-worker-{number}.log",
            crash.kill,
            str(Child.objects.get(root=root).pk),
            OPENAI_BASE_URL=self._double.base_url,
            BULLBEAR_BROKER_URL=urlunsplit(broker._replace(path=f"/{next(self._brokers)}")),
        )
        with worker:
            status = worker.wait()
        return self._seen(crash, Ordered(worker.pid, status), root, status)

    def _order(self, crash: Crash, root: Root) -> Ordered:
        if crash.call == "drive":
            return self._drive(crash, root, crash.kill)
        if crash.first is not None or crash.script:
            self._drive(crash, root, crash.first).wait()
            _call_workers_dead(root)
        if crash.call == "compile":
            self._entry.order("cancel", root=root.pk).wait()
            return self._drive(crash, root, crash.kill)
        if crash.call == "decide":
            self._entry.order("rescue", None, **_arguments("rescue", root)).wait()
            self._drive(crash, root, None).wait()
        with self._one_at_a_time if crash.call == "offer_outbox" else nullcontext():
            process = self._entry.order(crash.call, crash.kill, **self._arguments(crash, root))
            process.wait()
        return process

    def _arguments(self, crash: Crash, root: Root) -> dict[str, object]:
        if crash.call in {"decide", "release"}:
            return {"root": root.pk, "by": self._requester.pk}
        return _arguments(crash.call, root)

    def _drive(self, crash: Crash, root: Root, kill: object) -> Ordered:
        return self._entry.order(
            "drive",
            kill,  # type: ignore[arg-type]
            root=root.pk,
            first="bear" if crash.bear_first else "",
            hints_too="yes" if crash.hints_too else "",
        )

    def _recover(self, stories: list[Story]) -> None:
        """Wait for every Root's end; let the stopped go on after it, and past their hard end."""
        ids = [story.root_id for story in stories if story.root_id]
        ended = Root.objects.filter(pk__in=ids, state__in=ENDED_ROOT)
        wait_until(lambda: ended.count() == len(ids), seconds=RECOVERY_SECONDS, every=0.2)
        for story in stories:
            if story.status is None:
                _wait_for_hard_end(story)
                story.process.go_on()
                story.status = story.process.wait()


def _judge(story: Story, hits: list[Hit]) -> None:
    """Read what is on record at the end; whatever was on record at once must still be."""
    if story.root_id is None:
        return
    story.end = take(story.root_id, hits)
    before, after = story.at_once.chain, story.at_end.chain
    if after[: len(before)] != before:
        story.complaint += "11: a receipt that was on record is gone or another. "
    story.complaint += _asked_oracle(story.root_id, hits)


def _asked_oracle(root_id: UUID, hits: list[Hit]) -> str:
    """Say what the oracle has to complain of, or nothing."""
    try:
        oracle.check(Root.objects.get(pk=root_id), hits)
    except AssertionError as error:
        return str(error) or "the oracle complains"
    return ""


def _tag(number: int) -> str:
    """Name a Root by what stands in its question, and so in each of its requests."""
    return f"(Case {number}.)"


def _call_workers_dead(root: Root) -> None:
    """Let the time pass in which a dead worker counts as alive."""
    ids = Child.objects.filter(root=root, worker__isnull=False).values_list("worker_id", flat=True)
    Worker.objects.filter(pk__in=list(ids)).update(alive_until=database_now())


def _arguments(call: str, root: Root) -> dict[str, object]:
    """Say what a use case is called with, once it is due."""
    match call:
        case "rescue":
            child = Child.objects.get(root=root, state=ChildState.RUNNING)
            return {"root": root.pk, "child": child.pk}
        case "fire_timer":
            timer = Timer.objects.get(child__root=root)
            assert wait_until(lambda: timer.fires_at <= database_now(), seconds=10)
            return {"root": root.pk, "timer": timer.pk}
        case "stop_peers":
            assert wait_until(lambda: root.peers_stop_at <= database_now(), seconds=20)
        case "pass_deadline":
            assert wait_until(lambda: root.deadline_at <= database_now(), seconds=20)
        case "offer_outbox":
            main = str(Child.objects.get(root=root).pk)
            due = OutboxEntry.objects.filter(keys__execution_id=main)
            assert wait_until(lambda: due.get().offer_at <= database_now(), seconds=40)
            return {}
    return {"root": root.pk}


def _wait_for_hard_end(story: Story) -> None:
    """Wait for it where the crash is about it: with a short time-out of the provider."""
    end = story.hard_end
    if end is not None and "provider_timeout_seconds" in story.crash.limits:
        assert wait_until(lambda: end <= database_now(), seconds=30)


def _wait_for_lock(root_id: UUID) -> float:
    began = time.monotonic()
    with transaction(), hold_root(root_id):
        return time.monotonic() - began
