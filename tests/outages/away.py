"""Scenario: PostgreSQL is stopped for 30 s, with a call open, work queued and somebody at the web process."""

from __future__ import annotations

import threading

from django.db import connections

from tests.crash.answers import answers
from tests.crash.stage import Clock, Facts
from tests.outages.crew import Answer, Crew, Web, tag, until
from tests.outages.database import Effort, Play
from tests.scripted import BULL_CLAIM, BULL_OPENING, an_opening, says

GONE_SECONDS = 30.0
ANSWERED_AFTER_SECONDS = 3.0
BEFORE = ("in a call", "queued")
AFTERWARDS = "opened afterwards"


def scenario(play: Play) -> Facts:
    """Look at everybody before, meanwhile and afterwards."""
    gated = says(BULL_OPENING, an_opening(BULL_CLAIM), also=tag(BEFORE[0]), gate="back")
    play.double.script(gated, *answers())
    crew = Crew(play)
    facts = Facts()
    web = Web(crew)
    with web.process, crew.a_sweeper() as sweeper, crew.a_worker("worker") as worker:
        crew.wait_for_workers(1)
        roots = {BEFORE[0]: crew.open(tag(BEFORE[0]))}
        crew.wait_for_arrivals({BEFORE[0]: BULL_OPENING})
        roots[BEFORE[1]] = crew.open(tag(BEFORE[1]))
        facts.notes["before"] = web.ask()
        connections.close_all()
        play.own_server.stop()
        _meanwhile(facts, crew, web, {"worker": worker.pid, "sweeper": sweeper.pid})
        play.own_server.start()
        back = Clock()
        until(lambda: web.status() == 200, "the web process does not come back")
        facts.seconds["until the web is back"] = back.seconds
        roots[AFTERWARDS] = crew.open(tag(AFTERWARDS))
        crew.wait_for_end(roots.values())
        facts.seconds["until the end"] = back.seconds
        facts.notes["still running"] = [
            one.process.poll() is None for one in (web.process, sweeper, worker)
        ]
    crew.judge_all(facts, roots)
    return facts


def _meanwhile(facts: Facts, crew: Crew, web: Web, pids: dict[str, int]) -> None:
    """Ask the web process once a second, let the open call be answered, and measure who does what."""
    efforts = {name: Effort(pid, crew.log_of(name)) for name, pid in pids.items()}
    gone, pause = Clock(), threading.Event()
    asked: list[Answer] = []
    while gone.seconds < GONE_SECONDS:
        if gone.seconds >= ANSWERED_AFTER_SECONDS:
            crew.play.double.release("back")
        asked.append(web.ask())
        pause.wait(1)
    facts.seconds["gone"] = gone.seconds
    facts.notes["meanwhile"] = asked
    facts.notes["efforts"] = {name: effort.so_far() for name, effort in efforts.items()}
