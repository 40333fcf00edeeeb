"""Run it all: the private stack, the injector, and the witness beside them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.chaos.events import Journal, Note
from config.chaos.faults import orders
from config.chaos.figures import Figures, Seen
from config.chaos.fleet import Fleet
from config.chaos.injector import Injector
from config.chaos.private import Private
from config.embedded.folders import StackProblem, prepare
from config.embedded.processes import Command
from config.embedded.supervisor import Stopping
from config.env import Env

_TEND_SECONDS = 0.05
_WITNESS_ENDS_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for.

    Args:
        tell: says one line of progress.
    """

    roots: int
    minutes: float
    seed: int
    tell: Callable[[str], None]


def play(wish: Wish, env: Env) -> Figures:
    """Do one run, from an empty folder to nothing left behind.

    A run that is not sound keeps its folder, data and logs included, for a look.

    Raises:
        StackProblem: something does not start, or the witness ends without a word.
        Stopping: a signal came first.
    """
    home = Path(tempfile.mkdtemp(prefix="bullbear-chaos-"))
    home.chmod(0o711)
    keep = False
    fleet = Fleet()
    fleet.catch_signals()
    try:
        private = Private(env, prepare(home), fleet)
        wish.tell("Starting PostgreSQL, Valkey, model, two workers and two sweepers …")
        private.start()
        figures = _hurt(wish, private)
        keep = not figures.sound
    except StackProblem:
        keep = True
        raise
    else:
        return figures
    finally:
        fleet.stop_all()
        if not keep:
            shutil.rmtree(home)


def _hurt(wish: Wish, private: Private) -> Figures:
    injector = Injector(private, Journal(private.journal))
    output = private.folders.home / "seen.json"
    with _witness(wish, private, output) as witness:
        _inject(wish, injector, witness)
        if not private.fleet.heal():
            raise StackProblem(f"Not everything came back: see {private.folders.logs}")
        injector.journal.write(Note.HEALED)
        wish.tell("Healed; waiting for every Root's end …")
        while witness.poll() is None:
            _tend(private.fleet)
    if witness.returncode != 0:
        raise StackProblem(f"The witness ended with status {witness.returncode}.")
    seen = Seen.from_json(json.loads(output.read_text()))
    figures = Figures(
        seed=wish.seed,
        roots=wish.roots,
        minutes=wish.minutes,
        faults={str(fault): count for fault, count in injector.injected.items()},
        omitted=injector.omitted,
        too_slow=private.fleet.too_slow,
        seen=seen,
    )
    return figures if figures.sound else figures.kept_in(str(private.folders.home))


def _inject(wish: Wish, injector: Injector, witness: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    seconds = wish.minutes * 60

    def wait_until_second(second: float) -> None:
        while time.monotonic() - began < second and witness.poll() is None:
            _tend(injector.private.fleet)

    for order in orders(wish.seed, seconds):
        wait_until_second(order.at)
        hit = injector.inject(order)
        wish.tell(f"{time.monotonic() - began:6.1f} s  {order.fault}: {hit or 'nobody there'}")
    wait_until_second(seconds)


def _tend(fleet: Fleet) -> None:
    fleet.tend()
    if fleet.stopping.wait(_TEND_SECONDS):
        raise Stopping


@contextmanager
def _witness(wish: Wish, private: Private, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the witness in our foreground, and end it with this block."""
    arguments = (
        *(sys.executable, "-m", "config.chaos.witness"),
        *("--roots", str(wish.roots), "--seconds", str(wish.minutes * 60)),
        *("--seed", str(wish.seed)),
        *("--journal", str(private.journal), "--hits", str(private.hits)),
    )
    environment = private.own.client()[1] | {
        "BULLBEAR_PROCESS_NAME": "witness",
        "BULLBEAR_DATABASE_POOL_SIZE": "0",
    }
    process = Command(arguments, environment, output).start()
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_WITNESS_ENDS_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
