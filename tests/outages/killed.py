"""Scenario: PostgreSQL is killed, and one of its backends, while Roots are opened and run.

At the end it has no connection left for anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bullbear.models import Root
from tests.crash.answers import answers
from tests.crash.stage import Facts
from tests.outages.crew import Crew, Opener, Seen, until
from tests.outages.database import Play
from tests.outages.exhausted import exhaust, held_call

ROOTS = 9
CALL_SECONDS = 0.3


def scenario(play: Play) -> Facts:
    """Kill it under load, let everything end; take all connections, and give them back."""
    slow = [replace(one, delay_seconds=CALL_SECONDS) for one in answers()]
    play.double.script(held_call(), *slow)
    crew = Crew(play)
    facts, seen = Facts(), Seen()
    with crew.a_sweeper(), crew.a_worker("worker"):
        crew.wait_for_workers(1)
        opener = Opener(crew, ROOTS)
        _look_until(seen, partial(opener.has_opened, ROOTS // 3))
        facts.notes["receipts seen before"] = len(seen.found)
        play.own_server.kill()
        play.own_server.start()
        _look_until(seen, partial(opener.has_opened, 2 * ROOTS // 3))
        play.own_server.kill_a_session_of("worker")
        _look_until(seen, partial(opener.has_opened, ROOTS))
        roots = {f"load {number}": root for number, root in enumerate(opener.acknowledged)}
        _look_until(seen, partial(crew.have_ended, Root.objects.all()))
        roots |= exhaust(crew, facts, ("worker", "sweeper"))
        seen.look()
    facts.notes["openings that failed"] = opener.failed
    facts.notes["receipts seen"] = len(seen.found)
    facts.notes["receipts lost"] = seen.lost()
    crew.judge_all(facts, roots)
    return facts


def _look_until(seen: Seen, holds: Callable[[], bool]) -> None:
    """Read all chains again and again until something holds."""

    def looked() -> bool:
        seen.look()
        return holds()

    until(looked, "the load does not go on", every=0.05)
