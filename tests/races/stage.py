"""A state of a real Root that every schedule of a race begins with.

It is brought about once, by the use cases; its rows are copied out, and put back before each schedule.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from django.db import connections
from django.db.transaction import atomic

from bullbear.lifecycle import Role
from bullbear.locks import hold_root
from bullbear.models import Child, Root
from bullbear.parking import wake
from bullbear.transactions import transaction
from bullbear.wire.call import Exchange
from bullbear.wire.tripwire import TRIPWIRE
from dialogue.next_request import Runner
from dialogue.steps import Step, begin, record
from tests import oracle
from tests.conftest import KEPT_TABLES, _take_rows_away
from tests.provider_double import Behaviour
from tests.provider_double.double import Hit
from tests.races.explorer import Acts, Explored, Outcomes, explore
from tests.races.sessions import Act
from tests.scripted import a_dialogue
from tests.usecases.scene import Scene

# A trigger wants a receipt's predecessor there before it.
_IN_ORDER = {"bullbear_receipt": "root_id, chain, seq"}


@dataclass(frozen=True)
class Answered:
    """A call that came back and is not recorded yet."""

    step: Step
    exchange: Exchange


@dataclass
class Stage:
    """A Root in a state, and what its executions and its keepers can do from there."""

    scene: Scene
    _rows: Mapping[str, bytes] = field(default_factory=dict)
    _hits: list[Hit] = field(default_factory=list)
    _passed: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def answered(self, role: Role) -> Answered:
        """Let an execution ask, and keep the answer in hand."""
        driver = self.scene.driver
        step = begin(self.scene.child(role).pk, runner=self._runner())
        assert step is not None
        return Answered(step, driver.provider.dispatch(step.call))

    def look_again(self, role: Role) -> None:
        """Wake an execution, as a timer would."""
        with transaction(), hold_root(self.scene.root.pk) as held:
            wake(held, Child.objects.get(root=held.root, role=role), "timer")

    def race(
        self,
        holds: Callable[[Outcomes], None],
        acts: Acts,
        *,
        every_statement: bool = False,
        only: str | None = None,
    ) -> Explored:
        """Let these sessions begin with the kept state, or else with that of this moment, in every schedule.

        Args:
            holds: asserts the race's own property; nobody failing and the oracle are asserted with it.
            acts: what each session does.
            every_statement: as `explore` has it.
            only: as `explore` has it.
        """
        if not self._rows:
            self.keep()

        def judge(outcomes: Outcomes) -> None:
            nobody_failed(outcomes)
            holds(outcomes)
            self.check()

        return explore(lambda: self.again(acts), judge, every_statement=every_statement, only=only)

    def keep(self) -> None:
        """Keep the state of this moment."""
        self._rows = _copied_out()
        self._hits = self.scene.double.hits()
        self._passed = OrderedDict(TRIPWIRE._passed)

    def again(self, acts: Acts) -> Acts:
        """Bring the kept state back, for what the sessions do then."""
        _take_rows_away()
        _copy_in(self._rows)
        self.scene.double.forget()
        # This process has not dispatched what is to be dispatched again: it goes back as the rows do.
        TRIPWIRE._passed = OrderedDict(self._passed)
        return acts

    def begins(self, role: Role) -> Act:
        """A worker takes up an execution's hint."""
        child_id = self.scene.child(role).pk
        return lambda: begin(child_id, runner=self._runner())

    def records(self, answered: Answered) -> Act:
        """A worker records an answer that it has in hand."""
        step, exchange = answered.step, answered.exchange
        return lambda: record(step, exchange, (), runner=self._runner())

    def check(self) -> None:
        """Ask the oracle; of other schedules' calls it hears nothing."""
        oracle.check(self.scene.root, [*self._hits, *self.scene.double.hits()])

    def end(self, outcomes: Outcomes, *answers: Behaviour) -> Root:
        """Go on to the end of the Root, calls under way first."""
        self.scene.script(*answers, *a_dialogue())
        for came in outcomes.values():
            step = came.result
            while isinstance(step, Step):
                exchange = self.scene.driver.provider.dispatch(step.call)
                step = record(step, exchange, (), runner=self._runner())
        return self.scene.run()

    def _runner(self) -> Runner:
        driver = self.scene.driver
        return Runner(driver.worker, driver.provider.endpoint, uuid4())


def nobody_failed(outcomes: Outcomes) -> None:
    """Assert that every session ended well."""
    failed = {name: came.failed for name, came in outcomes.items() if came.failed is not None}
    assert failed == {}, repr(failed)


def _copied_out() -> Mapping[str, bytes]:
    """Copy out all rows, by table; a table stands after those that its triggers look into."""
    found: dict[str, bytes] = {}
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
            "AND relname <> ALL (%s) ORDER BY oid",
            [list(KEPT_TABLES)],
        )
        for (table,) in cursor.fetchall():
            order = f" ORDER BY {_IN_ORDER[table]}" if table in _IN_ORDER else ""
            rows = f"SELECT * FROM {table}{order}"  # noqa: S608  our own names
            with cursor.copy(f"COPY ({rows}) TO STDOUT (FORMAT binary)") as out:
                found[table] = b"".join(map(bytes, out))
    empty = min(map(len, found.values()))
    return {table: rows for table, rows in found.items() if len(rows) > empty}


def _copy_in(rows: Mapping[str, bytes]) -> None:
    """Copy in all rows; references are checked at the end."""
    with atomic(using="owner"), connections["owner"].cursor() as cursor:
        for table, copied in rows.items():
            with cursor.copy(f"COPY {table} FROM STDIN (FORMAT binary)") as into:
                into.write(copied)
