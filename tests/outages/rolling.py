"""Scenario: workers of an old release are replaced one after another, under load.

Before that a process of a newer release gives the old worker a hint with arguments it does not know.
"""

from __future__ import annotations

import signal
from dataclasses import replace

from bullbear import hints
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, Root, Worker
from bullbear.outbox import ADVANCE
from config.celery import app, publish
from tests.crash.answers import answers
from tests.crash.processes import Running
from tests.crash.stage import Clock, Facts
from tests.outages.crew import Crew, tag, until
from tests.outages.database import Play
from tests.scripted import BULL_CLAIM, BULL_OPENING, PLAN, an_opening, says

OLD, NEW = ("old-1", "old-2"), ("new-1", "new-2")
HINTED, HELD = "hinted", "held"
BATCH = 4
LOAD = [f"load {batch}.{number}" for batch in range(len(OLD)) for number in range(BATCH)]
CALL_SECONDS = 0.4


def scenario(play: Play) -> Facts:
    """Hint, load, replace; load, replace; and let everything end."""
    held = says(BULL_OPENING, an_opening(BULL_CLAIM), also=tag(HELD), gate="drained")
    play.double.script(held, *(replace(one, delay_seconds=CALL_SECONDS) for one in answers()))
    crew, facts = Crew(play), Facts()
    with crew.a_worker(OLD[0]) as first:
        crew.wait_for_workers(1)
        roots = {HINTED: _hinted_by_a_newer_release(crew)}
        with crew.a_sweeper(), crew.a_worker(OLD[1]) as second:
            crew.wait_for_workers(2)
            roots |= _replace_both(crew, facts, dict(zip(OLD, (first, second), strict=True)))
    crew.judge_all(facts, roots)
    return facts


def _hinted_by_a_newer_release(crew: Crew) -> Root:
    """Open a Root of which the worker hears by one hint alone: nobody sweeps yet."""
    hints.set_publisher(lambda *_: None)
    root = crew.open(tag(HINTED))
    main = Child.objects.get(root=root)
    keys = {"execution_id": str(main.pk), "priority": 7, "because": {"v": 2, "wake": "plan"}}
    app.send_task(ADVANCE, kwargs=keys, ignore_result=True)
    crew.wait_for_arrivals({HINTED: PLAN})
    hints.set_publisher(publish)
    return root


def _replace_both(crew: Crew, facts: Facts, old: dict[str, Running]) -> dict[str, Root]:
    """Replace first the worker that has a call open, which is answered late; then the other one."""
    roots = _load(crew, 0) | {HELD: crew.open(tag(HELD))}
    crew.wait_for_arrivals({HELD: BULL_OPENING})
    holder = _worker_of(roots[HELD]).name.partition("@")[0]
    old[holder].send(signal.SIGTERM)
    with crew.a_worker(NEW[0]):
        crew.wait_for_workers(3)
        facts.notes["waits for its call"] = old[holder].process.poll() is None
        facts.notes["runs meanwhile"] = _roles_at(_worker_of(roots[HELD]))
        crew.play.double.release("drained")
        clock = Clock()
        statuses = [old.pop(holder).wait()]
        facts.seconds["until it has ended"] = clock.seconds
        [(_, last)] = old.items()
        roots |= _load(crew, 1)
        crew.wait_for_arrivals(dict.fromkeys(LOAD[BATCH:], PLAN))
        facts.notes["under way at the second"] = _under_way()
        last.send(signal.SIGTERM)
        with crew.a_worker(NEW[1]):
            statuses.append(last.wait())
            crew.wait_for_end(Root.objects.all())
    facts.notes["exit statuses"] = statuses
    return roots


def _load(crew: Crew, batch: int) -> dict[str, Root]:
    names = LOAD[batch * BATCH : (batch + 1) * BATCH]
    return {name: crew.open(tag(name)) for name in names}


def _worker_of(root: Root) -> Worker:
    """Return the worker at which the held call is open."""
    found: list[Worker] = []

    def running() -> bool:
        bull = Child.objects.select_related("worker").get(root=root, role=Role.BULL)
        if bull.worker is not None:
            found.append(bull.worker)
        return bool(found)

    until(running, "nobody runs the held call")
    return found[0]


def _roles_at(worker: Worker) -> list[tuple[str, str]]:
    """Name what a worker still runs, once its other calls have been answered."""

    def names() -> list[tuple[str, str]]:
        running = Child.objects.filter(worker=worker, state=ChildState.RUNNING)
        return [(str(one.root_id), str(one.role)) for one in running]

    until(lambda: len(names()) <= 1, "a draining worker goes on with other work")
    return names()


def _under_way() -> int:
    return Child.objects.filter(state=ChildState.RUNNING).count()
