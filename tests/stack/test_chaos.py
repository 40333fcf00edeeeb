"""`bullbear chaos`: everything follows from the seed, a short real run is sound, and nothing is left.

Source: scenarios.md A17, A18, D02, D05, D08.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from config.chaos.faults import KINDS, PAUSE_SECONDS, orders
from config.chaos.questions import planned
from config.cli.exits import Exit
from config.embedded.processes import wait_until
from tests.stack.running import environment
from tests.stack.watching import processes_of

SEED = 28  # hits all kinds that matter most in 18 seconds


def started(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a run whose temporary folder lies in `home`."""
    return subprocess.Popen(  # noqa: S603  our own command
        [sys.executable, "-m", "config.cli.main", "chaos", *arguments],
        env=environment(home) | {"TMPDIR": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def is_gone(home: Path) -> bool:
    """Say whether nothing of a run is left: neither a process nor its folder."""
    return not processes_of(home) and not list(home.glob("bullbear-chaos-*"))


class TestOrders:
    def test_follow_from_the_seed(self) -> None:
        """The same seed gives the same faults, another one others."""
        assert list(orders(7, 300)) == list(orders(7, 300))
        assert list(orders(7, 300)) != list(orders(8, 300))

    def test_hold_every_kind_in_five_minutes(self) -> None:
        """In their proportions, at bounded distances, each within its range."""
        found = list(orders(1, 300))
        counted = Counter(order.fault for order in found)
        assert set(counted) == set(KINDS)
        for before, after in pairwise(found):
            assert PAUSE_SECONDS[0] <= after.at - before.at <= PAUSE_SECONDS[1]
        for order in found:
            least, most = KINDS[order.fault].away
            assert least <= order.away <= most


class TestPlanned:
    def test_follows_from_the_seed(self) -> None:
        """Roots of every kind, in time, each with a name of its own."""
        found = list(planned(1, 60, 300))
        assert found == list(planned(1, 60, 300))
        assert len({one.question.external_id for one in found}) == 60
        assert {one.question.rounds for one in found} == {1, 2, 3}
        assert len({one.question.wish for one in found}) == 3
        assert 0 <= min(one.at for one in found) <= max(one.at for one in found) < 300


@pytest.fixture
def home(home: Path) -> Iterator[Path]:
    """Give a folder in which nothing of a run may be left."""
    yield home
    assert wait_until(lambda: is_gone(home), seconds=5)


class TestRun:
    def test_everything_ends_and_nothing_is_lost_or_invented(self, home: Path) -> None:
        """Scenario A18, D08: all but the database killed, then the database, then a worker."""
        arguments = ("--roots", "6", "--minutes", "0.3", "--seed", str(SEED), "--json")
        run = started(home, *arguments)
        told, progress = run.communicate(timeout=300)
        assert run.returncode == Exit.OK, f"{told}\n{progress}"
        figures: dict[str, Any] = json.loads(told)
        seen = figures["seen"]
        assert set(figures["faults"]) == {
            "all_killed",
            "database_killed",
            "root_cancelled",
            "worker_killed",
        }
        assert sum(seen["ended"].values()) == 6
        assert (seen["receipts_lost"], seen["messages_invented"], seen["problems"]) == (0, 0, [])
        assert seen["most_hits_of_one_request"] == 1
        assert seen["receipts"] > 100

    def test_ctrl_c_leaves_nothing_behind(self, home: Path) -> None:
        """In the middle of a run; the status says that nothing was judged."""
        run = started(home, "--roots", "3", "--minutes", "5")

        def is_under_way() -> bool:
            return any("config.chaos.witness" in one for one in processes_of(home).values())

        assert wait_until(is_under_way, seconds=60)
        run.send_signal(signal.SIGINT)
        _, progress = run.communicate(timeout=120)
        assert run.returncode == Exit.FAILURE
        assert "nothing was judged" in progress
