"""Run the crashes of the table: every Root is left by a process that died, then others take over.

    1  one process a crash dies on its own Root, a few at a time      what is on record is read at once
    2  a sweeper and a worker start, which know no Root               they have the database and no more
    3  as soon as a Root has ended                                    what is on record is read again
    4  stopped processes go on                                        and once more

The times are the product's own: a worker counts as dead 15 s after its last sign of life, once the sweeper
has seen the database for 15 s.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import connections

from audit.oracle import stray_arrivals, take_census, vanished
from bullbear import hints
from bullbear.lifecycle import ENDED_ROOT, ChildState
from bullbear.locks import hold_root
from bullbear.models import Child, OutboxEntry, Root, Timer, Worker
from bullbear.queries import database_now
from bullbear.transactions import transaction
from config.embedded.processes import wait_until
from tests.crash.answers import answers
from tests.crash.crashes import Crash
from tests.crash.processes import Ordered, StepEntry, start_sweeper, start_worker
from tests.crash.snapshot import take
from tests.crash.story import Story, Told, asked_oracle, compare_arrivals, judge
from tests.factories import QUESTION, a_desk, a_root, a_user, limited
from tests.provider_double import ProviderDouble

AT_ONCE = 3  # as many as two cores are busy with
WAITING_AT_ONCE = 8
# The hard end is far, so that a lease ends with its dead worker, however slow the machine is.
PATIENT = {"provider_timeout_seconds": 900}
RECOVERY_SECONDS = 300.0
WAITING_CALLS = {"offer_outbox", "pass_deadline", "stop_peers"}


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
        self._stopped: dict[Crash, Ordered] = {}

    def run(self, crashes: Collection[Crash]) -> Told:
        """Run these crashes, and everything that follows from them."""
        hints.set_publisher(lambda *_: None)  # the sweeper finds what is owed
        numbered = list(enumerate(crashes))
        for number, crash in numbered:
            for one in crash.script:
                self._double.script(replace(one, also=_tag(number)))
        self._double.script(*answers())
        stories = self._let_all_die(numbered)
        census = take_census()
        with start_sweeper(self._folder / "sweeper.log"), self._worker():
            self._recover(stories)
        hits = self._double.hits()
        for story in stories:
            compare_arrivals(story, hits)
        lost = vanished(census, take_census())
        return Told(stories, [str(one) for one in (*lost, *stray_arrivals(hits))])

    def _let_all_die(self, numbered: Sequence[tuple[int, Crash]]) -> list[Story]:
        """Let those that wait wait beside those that work."""
        waiting = [one for one in numbered if _is_waiting(one[1])]
        working = [one for one in numbered if not _is_waiting(one[1])]
        with ThreadPoolExecutor(WAITING_AT_ONCE) as idle, ThreadPoolExecutor(AT_ONCE) as busy:
            waited = idle.map(self._in_thread, waiting)
            return [*busy.map(self._in_thread, working), *waited]

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
            return Story(crash, found.pk if found else None, status, after)
        with self._one_at_a_time if crash.call == "offer_outbox" else nullcontext():
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
            story = self._seen(crash, root, process.wait())
            if crash.call == "decide":  # else its Root would wait for its deadline
                story.again = self._entry.order(
                    "decide", None, **self._arguments(crash, root)
                ).wait()
            return story
        process.wait_stopped()
        self._stopped[crash] = process
        waited = _wait_for_lock(root.pk)
        story = self._seen(crash, root, None)
        story.lock_wait = waited
        leased = Child.objects.filter(root=root, state=ChildState.RUNNING)
        story.hard_end = leased.values_list("hard_end_at", flat=True).first()
        if "deadline_seconds" in crash.limits:  # nobody takes over before it
            assert wait_until(lambda: root.deadline_at <= database_now(), seconds=60)
        return story

    def _seen(self, crash: Crash, root: Root, status: int | None) -> Story:
        """Read what is on record at once, and ask the oracle."""
        hits = self._double.hits()
        story = Story(crash, root.pk, status, take(root.pk, hits))
        story.complaint = asked_oracle(root.pk, hits)
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
        return self._seen(crash, root, status)

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
        """Judge each Root at its end; let the stopped go on after it, and past their hard end."""
        left = {story.root_id: story for story in stories if story.root_id}

        def judged() -> bool:
            ended = _ended(left)
            hits = self._double.hits() if ended else []
            for root_id in ended:
                story = left.pop(root_id)
                if story.status is None:
                    _wait_for_hard_end(story)
                    self._stopped[story.crash].go_on()
                    story.status = self._stopped[story.crash].wait()
                    hits = self._double.hits()
                judge(story, hits)
            return not left

        wait_until(judged, seconds=RECOVERY_SECONDS, every=0.2)
        hits = self._double.hits()
        for story in left.values():
            judge(story, hits)


def _is_waiting(crash: Crash) -> bool:
    stops = crash.kill is not None and crash.kill.sign == "SIGSTOP"
    return stops or crash.call in WAITING_CALLS


def _ended(roots: Collection[UUID]) -> list[UUID]:
    """Name those that have ended and are owed nothing."""
    owed = [entry.keys["execution_id"] for entry in OutboxEntry.objects.all()]
    waiting = Child.objects.filter(pk__in=owed).values("root_id")
    ended = Root.objects.filter(pk__in=list(roots), state__in=ENDED_ROOT)
    return list(ended.exclude(pk__in=waiting).values_list("pk", flat=True))


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
            assert wait_until(lambda: timer.fires_at <= database_now(), seconds=60)
            return {"root": root.pk, "timer": timer.pk}
        case "stop_peers":
            assert wait_until(lambda: root.peers_stop_at <= database_now(), seconds=60)
        case "pass_deadline":
            assert wait_until(lambda: root.deadline_at <= database_now(), seconds=60)
        case "offer_outbox":
            main = str(Child.objects.get(root=root).pk)
            due = OutboxEntry.objects.filter(keys__execution_id=main)
            assert wait_until(lambda: due.get().offer_at <= database_now(), seconds=90)
            return {}
    return {"root": root.pk}


def _wait_for_hard_end(story: Story) -> None:
    """Wait for it where the crash is about it: with a short time-out of the provider."""
    end = story.hard_end
    if end is not None and "provider_timeout_seconds" in story.crash.limits:
        assert wait_until(lambda: end <= database_now(), seconds=60)


def _wait_for_lock(root_id: UUID) -> float:
    began = time.monotonic()
    with transaction(), hold_root(root_id):
        return time.monotonic() - began
