"""Scenario: real workers are killed three times in the same executions' steps, once with everything else.

    python -m tests.crash.kills FOLDER

Two Roots are poison: each time a call of theirs is under way, SIGKILL takes the worker.  The first time the
sweeper dies too and the broker is emptied, while other Roots are in the middle of every kind of call.

The provider's time-out is far, so that a lease ends with its dead worker, however slow the machine is.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from config.database_roles import create_database, drop_database
from config.embedded.processes import wait_until
from config.env import Env
from tests.crash.stage import (
    PATIENCE_SECONDS,
    Facts,
    empty_broker,
    end_when_told,
    play,
    private_database,
)
from tests.provider_double import Behaviour, ProviderDouble
from tests.scripted import (
    BEAR_OPENING,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    challenge_in,
    fails,
    response_in,
)

if TYPE_CHECKING:
    from bullbear.models import Root

CAN_REASK = "reask" in get_args(Env.model_fields["unknown_policy"].annotation)
POISON = {
    "main": [PLAN, SYNTHESIS, SYNTHESIS],
    "bear": [BEAR_OPENING, BEAR_OPENING],
    **({"bull": [BULL_OPENING, response_in(1), response_in(1)]} if CAN_REASK else {}),
}
IN_A_CALL = {
    "planning": PLAN,
    "opening": BULL_OPENING,
    "joining": BEAR_OPENING,
    "challenging": challenge_in(1),
    "responding": response_in(1),
    "concluding": SYNTHESIS,
}
WAITING = ("new", "newer")
TIMES_KILLED = ("first", "second", "third")


def tag(name: str) -> str:
    """Name a Root by what stands in its question, and so in each of its requests."""
    return f"(Root {name}.)"


def held_back(name: str, when: str) -> Behaviour:
    """Hold back the answer to one call of one Root for good."""
    return fails(when, also=tag(name), gate="never")


def scenario(folder: Path, double: ProviderDouble) -> Facts:
    """Kill three times, and look what became of it."""
    from tests.crash.actors import Actors, Death  # noqa: PLC0415  models need the set-up
    from tests.crash.answers import answers  # noqa: PLC0415

    for name, calls in POISON.items():
        double.script(*(held_back(name, when) for when in calls))
    double.script(*(held_back(name, when) for name, when in IN_A_CALL.items()), *answers())
    actors = Actors(folder, double)
    policy = "reask" if CAN_REASK else "end"
    far = {"provider_timeout_seconds": 900}
    roots = {name: actors.open(tag(name), unknown_policy=policy, **far) for name in POISON}
    roots |= {name: actors.open(tag(name), **far) for name in IN_A_CALL}
    facts = Facts()

    with actors.sweeper() as sweeper, actors.worker() as worker:
        _wait_for_calls(double, [*POISON, *IN_A_CALL], arrivals=1)
        _wait_for_the_others(len(POISON) + len(IN_A_CALL))
        sweeper.kill()  # nobody is told of the Roots that are opened now
        roots |= {name: actors.open(tag(name), **far) for name in WAITING}
        worker.kill()
        empty_broker()
        deaths = [Death.now()]
    with actors.sweeper():
        with actors.worker() as worker:
            _wait_for_end([roots[name] for name in (*IN_A_CALL, *WAITING)])
            _wait_for_calls(double, [*POISON], arrivals=2)
            _wait_for_the_others(len(POISON))
            worker.kill()
            deaths += [Death.now()]
        with actors.worker() as worker:
            _wait_for_calls(double, [*POISON], arrivals=3)
            _wait_for_end([roots["bear"]])  # it is not asked a third time
            _wait_for_the_others(len(POISON) - 1)
            worker.kill()
            deaths += [Death.now()]
        with actors.worker():
            _wait_for_end(list(roots.values()))
    for name, root in roots.items():
        actors.judge(facts, name, root)
    ends = [death.at for death in deaths[1:]] + [deaths[0].now().at]
    facts.notes = {
        name: death.seen(until)
        for name, death, until in zip(TIMES_KILLED, deaths, ends, strict=True)
    }
    return facts


def _wait_for_calls(double: ProviderDouble, names: list[str], *, arrivals: int) -> None:
    """Wait until so many held-back calls of each Root have arrived."""

    def arrived() -> bool:
        bodies = [double.body(hit) for hit in double.hits()]
        return all(
            sum(tag(name).encode() in body and when.encode() in body for body in bodies)
            >= _occurrences(name, when, arrivals)
            for name in names
            for when in _calls(name)[:arrivals]
        )

    assert wait_until(arrived, seconds=PATIENCE_SECONDS, every=0.2), f"arrivals {arrivals}"


def _wait_for_the_others(left: int) -> None:
    """Wait until nobody is under way but those whose calls are held back."""
    from tests.crash.actors import running_alone  # noqa: PLC0415

    assert wait_until(lambda: running_alone() == left, seconds=PATIENCE_SECONDS, every=0.2), left


def _calls(name: str) -> list[str]:
    return POISON[name] if name in POISON else [IN_A_CALL[name]]


def _occurrences(name: str, when: str, arrivals: int) -> int:
    return _calls(name)[:arrivals].count(when)


def _wait_for_end(roots: list[Root]) -> None:
    from tests.crash.actors import all_ended  # noqa: PLC0415

    assert wait_until(lambda: all_ended(roots), seconds=PATIENCE_SECONDS, every=0.2), "no end"


def main() -> None:
    """Play it on a database of its own."""
    end_when_told()
    address = private_database(f"kills_{os.getpid()}")
    create_database(address)
    try:
        play(address, 5, scenario)
    finally:
        drop_database(address)


if __name__ == "__main__":
    main()
