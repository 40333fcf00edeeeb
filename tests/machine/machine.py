"""The whole protocol as a state machine on real PostgreSQL, with a pure model beside it.

Each rule does one thing to the product and says the same to the model; after it, what is on record of every
Root equals what the model says, and the oracle has no complaint.  In the end everything is healed, and every
Root comes to its report by hints, sweeps and the clock alone.

A step is taken in its parts (begin, dispatch, record), so that anything may happen between them: a worker
dies or is stopped, its lease passes, the Root is cancelled.  A process that dies has simply no next part.
The line to the database is really cut before a statement; a commit whose acknowledgement is lost is one whose
result nobody takes.

Source: design.md D7; scenarios.md groups A to E.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from uuid import uuid4

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from audit.oracle import look_at, stray_arrivals, take_census, vanished
from audit.verify import verify_root
from bullbear.ids import new_id
from bullbear.sweep import Sight, sweep
from dialogue import steps
from dialogue.cancel import cancel
from dialogue.decide import NothingHeld, decide
from dialogue.next_request import Runner
from dialogue.rules import DecisionKind
from tests.machine.comparing import expected, on_record
from tests.machine.drawn import ANSWER, ANSWERS, CUT, MOST_ROOTS, PICK, TERMS, UNEQUAL
from tests.machine.facts import Terms
from tests.machine.host import Lease
from tests.machine.playing import Playing
from tests.machine.reached import milestones
from tests.machine.stage import long_sight

ASKED_EVERY = 8  # steps; the oracle reads all there is of a Root


class Protocol(Playing):
    """Roots, workers, a provider, a broker, sweepers, an operator, and what befalls them."""

    # What is asked of the host.

    @initialize(terms=TERMS, temper=ANSWERS)
    def first(self, terms: Terms, temper: list[str]) -> None:
        """Open a Root; `temper` is what the provider says while everything heals in the end."""
        self.temper = temper
        self._open(terms)

    @precondition(lambda self: len(self.model.roots) < MOST_ROOTS)
    @rule(terms=st.one_of(TERMS, UNEQUAL))
    def open(self, terms: Terms) -> None:
        """Open a Root beside the others."""
        self._open(terms)

    def _open(self, terms: Terms) -> None:
        row = self.stage.open(terms)
        root = self.model.open(str(row.pk), terms)
        self.ids[root.name] = row.pk
        self._know(root)

    @precondition(lambda self: self._hints())
    @rule(pick=PICK, keep=st.booleans(), worker=PICK, fault=CUT)
    def deliver(self, *, pick: int, keep: bool, worker: int, fault: int | None) -> None:
        """Deliver a hint, which may be delivered again: a worker begins the step."""
        hint = self._hint(pick, keep=keep)
        self._begin(*self.executions[hint], worker=worker, fault=fault)

    @rule(pick=PICK, which=PICK, worker=PICK)
    def hint_nobody_owes(self, pick: int, which: int, worker: int) -> None:
        """Deliver a hint of any execution, whatever its state, and one of an id that does not exist."""
        root = self._root(pick)
        role = list(root.children)[which % len(root.children)]
        self._begin(root, role, worker=worker, fault=None)
        assert steps.begin(new_id(), runner=self._runner(worker)) is None

    @precondition(lambda self: any(one.exchange is None for one in self.flights))
    @rule(pick=PICK, choice=ANSWER)
    def dispatch(self, pick: int, choice: str) -> None:
        """Make the call of a sealed request: it gets this answer."""
        waiting = [one for one in self.flights if one.exchange is None]
        flight = waiting[pick % len(waiting)]
        flight.said = self._answered(flight.root, flight.request, choice, flight.step.call)
        flight.exchange = self.providers[flight.step.call.endpoint].dispatch(flight.step.call)
        assert (str(flight.exchange.state), bool(flight.exchange.body)) == (
            flight.said.state,
            flight.said.has_body,
        )

    @precondition(lambda self: any(one.exchange is not None for one in self.flights))
    @rule(pick=PICK, fault=CUT, drains=st.sampled_from([False, False, False, True]))
    def record(self, *, pick: int, fault: int | None, drains: bool) -> None:
        """Record what came of a call: under its own lease, or late."""
        back = [one for one in self.flights if one.exchange is not None]
        flight = back[pick % len(back)]
        exchange, said, step = flight.exchange, flight.said, flight.step
        assert exchange is not None
        assert said is not None
        ran = steps._run_tools(step, exchange)
        runner = Runner(flight.worker, self.endpoint, uuid4(), seals=not drains)
        happened, sealed = self._befalls(
            fault, lambda: steps.record(step, exchange, ran, runner=runner)
        )
        if not happened:
            return
        lease = Lease(runner.token, flight.worker.pk, seals=not drains)
        request = self.model.record(flight.root, flight.request, said, lease, under=step.token)
        self.flights.remove(flight)
        self._takes_off(flight.root, request, sealed, flight.worker)

    @precondition(lambda self: self._hints())
    @rule(pick=PICK, choices=ANSWERS, worker=PICK, drains=st.sampled_from([False] * 4 + [True]))
    def advance(self, *, pick: int, choices: list[str], worker: int, drains: bool) -> None:
        """Deliver a hint: a worker takes the execution as far as it goes."""
        self._advance(self._hint(pick, keep=False), choices, worker, drains=drains)

    @precondition(lambda self: self._hints())
    @rule(times=st.integers(2, 6), choices=ANSWERS)
    def go_on(self, times: int, choices: list[str]) -> None:
        """Deliver several hints in the order in which they came."""
        for number in range(times):
            if self._hints():
                self._advance(self._hint(0, keep=False), choices[number:], 0, drains=False)

    @rule(pick=PICK, sure=st.sampled_from([False, False, True]), fault=CUT)
    def cancel(self, *, pick: int, sure: bool, fault: int | None) -> None:
        """Cancel a Root, if somebody means it."""
        if sure:
            root = self._root(pick)
            happened, _ = self._befalls(fault, lambda: cancel(self.ids[root.name]))
            if happened:
                self.model.cancel(root)

    @rule(pick=PICK, kind=st.sampled_from(DecisionKind))
    def decide(self, pick: int, kind: DecisionKind) -> None:
        """Let an operator decide, whether anything is held or not."""
        root = self._root(pick)
        request = self.model.decide(root, str(kind))
        try:
            decided = decide(self.ids[root.name], kind, decided_by=self.stage.analyst)
        except NothingHeld:
            assert request is None
        else:
            assert request is not None
            assert (decided.turn, decided.attempt, decided.n) == request.place[1:]

    # What befalls it.

    @rule(pick=PICK, stopped=st.booleans())
    def lose_a_worker(self, *, pick: int, stopped: bool) -> None:
        """Kill a worker, or stop it for a while: what it holds may still come back. Another one starts."""
        place = pick % len(self.workers)
        worker = self.workers[place]
        self.stage.let_die(worker)
        self.model.dead.add(worker.pk)
        self.workers[place] = self.stage.new_worker()
        if not stopped:
            self.flights = [one for one in self.flights if one.worker is not worker]

    @precondition(lambda self: self.flights)
    @rule(pick=PICK)
    def take_the_lease_of_a_stopped_worker(self, pick: int) -> None:
        """Stop a worker that holds a call until a sweeper has ended its lease; it goes on afterwards."""
        holder = self.flights[pick % len(self.flights)].worker
        if holder in self.workers:
            self.lose_a_worker(pick=self.workers.index(holder), stopped=True)
        self.sweep(times=1, sees=True, fault=None)

    @rule(times=st.integers(1, 2), sees=st.sampled_from([True, True, False]), fault=CUT)
    def sweep(self, *, times: int, sees: bool, fault: int | None) -> None:
        """Let sweepers sweep, one after another, that have seen the database for long enough or not."""
        sweeps: Callable[[], None] = lambda: sweep(long_sight() if sees else Sight())  # noqa: E731
        if fault:
            self.stage.cut(fault, sweeps)
        for _ in range(times):
            sweeps()
        self.model.sweep(sees_the_dead=sees)

    @rule(seconds=st.sampled_from([0, 0, 0, 1, 6, 20, 80, 200, -1]))
    def time_passes(self, seconds: int) -> None:
        """Let time pass; 0: until the next thing falls due, -1: until everything is overdue."""
        due = self.model.due_times() or [self.model.now + 1]
        until = {0: due[0], -1: due[-1]}.get(seconds, self.model.now + seconds)
        self._let_pass(until - self.model.now)

    @rule()
    def empty_the_broker(self) -> None:
        """Lose every hint under way."""
        self.stage.take_hints()
        self.stage.hints.clear()

    @rule()
    def move_the_provider(self) -> None:
        """Let workers be told another address of the provider, where nobody listens, or the right one."""
        self.endpoint = next(one for one in self.providers if one != self.endpoint)

    @invariant()
    def what_is_on_record_is_what_the_model_says(self) -> None:
        """Exactly, of every Root that the model has seen change, and of one more."""
        for number, root in enumerate(self.model.roots):
            wanted = expected(root)
            if wanted == self.seen.get(root.name) and self.steps % MOST_ROOTS != number:
                continue
            found = on_record(self.ids[root.name])
            differing = {
                key: (found[key], wanted[key]) for key in wanted if found[key] != wanted[key]
            }
            assert differing == {}, f"on record, and by the model: {differing}"
            self.seen[root.name] = wanted
        self.steps += 1

    @invariant()
    def the_oracle_has_no_complaint(self) -> None:
        """About one Root after another, now and then, with what has arrived at the provider."""
        if self.steps % ASKED_EVERY == 0:
            hits = self.stage.double.hits()
            assert Counter(hit.idempotency_key for hit in hits) == self.arrived
            root = self.model.roots[self.steps // ASKED_EVERY % len(self.model.roots)]
            assert [str(one) for one in look_at(self.ids[root.name], hits)] == []

    def teardown(self) -> None:
        """Heal everything: every Root comes to its report by hints, sweeps and the clock alone."""
        if sys.exception() is not None:
            self.stage.take_everything_away()
            return
        try:
            self._heal()
        except BaseException:
            self.stage.take_everything_away()
            raise

    def _heal(self) -> None:
        self.endpoint = next(iter(self.providers))
        for place in range(len(self.workers)):
            self.lose_a_worker(pick=place, stopped=False)
        self.flights.clear()
        for _ in range(60):
            self.sweep(times=1, sees=True, fault=None)
            while self._hints():
                self._advance(self._hint(0, keep=False), self.temper, 0, drains=False)
            self.what_is_on_record_is_what_the_model_says()
            if all(root.has_ended for root in self.model.roots):
                break
            owed = any(one.state == "ready" for root in self.model.roots for one in root.live())
            due = self.model.due_times()
            self._let_pass(61 if owed else due[0] - self.model.now)
        assert all(root.has_ended for root in self.model.roots), "a Root does not end"
        self._ask_everything()
        self._note_what_was_reached()

    def _ask_everything(self) -> None:
        hits = self.stage.double.hits()
        for root in self.model.roots:
            assert [str(one) for one in look_at(self.ids[root.name], hits)] == []
            assert str(verify_root(self.ids[root.name])) == "verified"
        assert [str(one) for one in stray_arrivals(hits)] == []
        assert [str(one) for one in vanished(self.census, take_census())] == []

    def _note_what_was_reached(self) -> None:
        for root in self.model.roots:
            for milestone in milestones(root):
                self._reach(milestone)
