"""Anything in any order: what is on record is what a pure model says, and every Root comes to its report.

The same runs each time here.  To look further, with new runs each time and for longer:

    BULLBEAR_MACHINE_SECONDS=120 make test ARGS="tests/machine -s -k longer"

Source: scenarios.md, groups A to E, each as far as one process can play it.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.machine.clock import moved_clock
from tests.machine.facts import Terms
from tests.machine.machine import Protocol
from tests.machine.stage import Stage, published_to
from tests.provider_double import ProviderDouble
from tests.usecases.on_record import address
from tests.usecases.pooled import pooled

SECONDS = int(os.environ.get("BULLBEAR_MACHINE_SECONDS", "0"))
ONE_ROUND = Terms("require", 1, "end", 40, 60, 1800, 240, unread="")
EVERYWHERE = {
    "acknowledgement lost",
    "half-round accepted",
    "late answer",
    "pattern dialogue",
    "request answered",
    "request outcome_unknown",
    "request rejected",
    "rescue 1",
    "result complete",
    "result partial",
    "root cancelled",
    "root finished",
    "round 2",
    "timer fired",
}


def like(**changed: Any) -> settings:
    """Say how runs are drawn."""
    given: dict[str, Any] = {
        "max_examples": 10,
        "stateful_step_count": 40,
        "deadline": None,
        "database": None,
        "phases": [Phase.generate],  # a run takes seconds: what fails is told as it was drawn
        "suppress_health_check": list(HealthCheck),
    }
    return settings(**given | changed)


@pytest.fixture
def stage(database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A machine's stage, whose clock and whose hints are its own."""
    with (
        ProviderDouble(tmp_path_factory.mktemp("double")) as double,
        moved_clock() as clock,
        pooled(4),
        address("app").connect() as administrator,
    ):
        administrator.autocommit = True
        stage = Stage(double, clock, administrator)
        with published_to(stage.hints):
            yield stage


@pytest.fixture
def machine(stage: Stage) -> Protocol:
    """A machine that a test drives by hand."""
    Protocol.stage, Protocol.reached = stage, Counter()
    return Protocol()


def asked_for_a_plan(machine: Protocol, choice: str) -> None:
    """Main's plan is asked for, and its call has this answer; nothing of it is recorded yet."""
    machine.first(terms=ONE_ROUND, temper=[])
    machine.deliver(pick=0, keep=False, worker=0, fault=None)
    machine.dispatch(pick=0, choice=choice)


def whole(machine: Protocol) -> None:
    """Everything is as the model says, now and in the end."""
    machine.what_is_on_record_is_what_the_model_says()
    machine.teardown()


class TestTheProtocol:
    """Anything in any order."""

    def test_keeps_its_promises(self, stage: Stage) -> None:
        """Scenarios of groups A to E, as drawn; the model and the oracle after what was done."""
        Protocol.stage, Protocol.reached = stage, Counter()
        run_state_machine_as_test(Protocol, settings=like(derandomize=True))
        assert Protocol.reached.keys() >= EVERYWHERE, "a machine that does not get there"

    @pytest.mark.skipif(not SECONDS, reason="BULLBEAR_MACHINE_SECONDS says how long to look on")
    def test_keeps_its_promises_for_longer(self, stage: Stage) -> None:
        """New runs each time, and all that they came through is printed."""
        Protocol.stage, Protocol.reached = stage, Counter()
        end, runs = time.monotonic() + SECONDS, 0
        while time.monotonic() < end:
            run_state_machine_as_test(Protocol, settings=like(max_examples=2))
            runs += 2
        sys.stdout.write(f"{runs} runs: {sorted(Protocol.reached.items())}\n")


class TestWhatItFound:
    """Runs that once failed."""

    def test_who_is_stopped_is_owed_no_step(self, machine: Protocol) -> None:
        """Peers that are READY when the Root is cancelled leave no work behind. Scenario J18."""
        asked_for_a_plan(machine, "valid")
        machine.record(pick=0, fault=None, drains=False)
        machine.empty_the_broker()
        machine.cancel(pick=0, sure=True, fault=None)
        whole(machine)

    @pytest.mark.parametrize("choice", ["500", "a page", "cut off"])
    def test_an_unknown_outcome_is_no_late_answer(self, machine: Protocol, choice: str) -> None:
        """Its commit stood, and the acknowledgement was lost: it is recorded once. Scenario A16."""
        asked_for_a_plan(machine, choice)
        machine.record(pick=0, fault=1, drains=False)
        whole(machine)

    @pytest.mark.parametrize("statement", [2, 4, 8])
    def test_a_cut_line_leaves_nothing_half_done(self, machine: Protocol, statement: int) -> None:
        """Recording is repeated whole. Scenarios A15, D07."""
        asked_for_a_plan(machine, "valid")
        machine.record(pick=0, fault=statement, drains=False)
        assert Protocol.reached["cut"] == 1
        whole(machine)

    def test_a_late_answer_is_kept_once(self, machine: Protocol) -> None:
        """Also where the acknowledgement of its commit was lost. Scenarios A16, C06."""
        asked_for_a_plan(machine, "valid")
        machine.take_the_lease_of_a_stopped_worker(pick=0)
        machine.record(pick=0, fault=1, drains=False)
        whole(machine)
        assert Protocol.reached["late answer"] == 1
