"""How the machine does things to the product, and says the same to the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from uuid import UUID, uuid4

from hypothesis import currently_in_test_context, event
from hypothesis.stateful import RuleBasedStateMachine

from audit.oracle import take_census
from bullbear import models
from bullbear.wire.call import Exchange, SealedCall
from dialogue import steps
from dialogue.next_request import Runner
from tests.machine.answering import CONNECT_REFUSED, NOBODY_LISTENS, Answering, meant
from tests.machine.facts import Request, Root, Said
from tests.machine.host import Lease
from tests.machine.model import Model
from tests.machine.stage import Stage
from tests.provider_double import Behaviour

T = TypeVar("T")


@dataclass(eq=False)
class Flight:
    """A sealed request in the hands of a worker: dispatched once there is an exchange."""

    root: Root
    request: Request
    step: steps.Step
    worker: models.Worker
    exchange: Exchange | None = None
    said: Said | None = None


@dataclass(eq=False)
class Walk:
    """A step that the product takes whole, and the model beside it, call by call."""

    root: Root
    role: str
    worker: models.Worker
    choices: list[str]
    drains: bool
    token: object
    pending: tuple[Request, Said] | None = None


class Playing(RuleBasedStateMachine):
    """The product and the model, side by side."""

    stage: ClassVar[Stage]
    reached: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.stage.begin_anew()
        self.model = Model()
        self.began = self.stage.clock.moved_seconds
        self.workers = [self.stage.new_worker() for _ in range(2)]
        self.ids: dict[str, UUID] = {}  # of Roots, by the model's name
        self.executions: dict[UUID, tuple[Root, str]] = {}
        self.flights: list[Flight] = []
        self.arrived: Counter[str] = Counter()
        self.serial = 0
        self.steps = 0
        self.temper: list[str] = []
        self.seen: dict[str, dict[str, Any]] = {}  # of Roots, what was compared last
        self.walk: Walk | None = None
        self.told = Behaviour()
        listening = Answering.at(self.stage.double, self._told)
        self.providers = {one.endpoint: one for one in listening}
        self.endpoint = listening[0].endpoint
        self.census = take_census()

    def _begin(self, root: Root, role: str, *, worker: int, fault: int | None) -> None:
        runner = self._runner(worker)
        execution = self._id_of(root, role)
        happened, step = self._befalls(fault, lambda: steps.begin(execution, runner=runner))
        if happened:
            lease = Lease(runner.token, runner.worker.pk)
            request = self.model.begin(root, role, lease)
            self._takes_off(root, request, step, runner.worker)

    def _takes_off(
        self, root: Root, request: Request | None, step: steps.Step | None, worker: models.Worker
    ) -> None:
        assert (request is None) == (step is None), "a request is sealed, or none is"
        if request is not None and step is not None:
            self.flights.append(Flight(root, request, step, worker))
        self._know(root)

    def _befalls(self, fault: int | None, act: Callable[[], T]) -> tuple[bool, T | None]:
        """Do `act`, whose line may be cut; say whether it was done.

        Args:
            fault: k: the line is cut before its k-th statement, and it is repeated; if k is odd it is given
                up.  1: it was done, and the acknowledgement of its commit is lost, so it is repeated.
            act: what is done.
        """
        if fault is None:
            return True, act()
        if fault == 1:
            act()
            self._reach("acknowledgement lost")
            return True, act()
        happened, value = self.stage.cut(fault, act)
        self._reach("not cut" if happened else "cut")
        if happened or fault % 2:
            return happened, value
        return True, act()

    def _reach(self, milestone: str) -> None:
        """Count what a run came through; hypothesis shows it among its statistics."""
        self.reached[milestone] += 1
        if currently_in_test_context():
            event(milestone)

    def _advance(self, hint: UUID, choices: Sequence[str], worker: int, *, drains: bool) -> None:
        root, role = self.executions[hint]
        runner = self._runner(worker)
        walk = Walk(root, role, runner.worker, list(choices), drains, object())
        self.walk = walk
        self.model.begin(root, role, Lease(walk.token, walk.worker.pk))
        steps.advance(
            hint,
            provider=self.providers[self.endpoint],
            worker=walk.worker,
            draining=lambda: drains,
        )
        self._walk_on(walk)
        assert walk.pending is None
        self.walk = None
        self._know(root)

    def _walk_on(self, walk: Walk) -> None:
        if walk.pending is None:
            return
        (request, said), token = walk.pending, object()
        lease = Lease(token, walk.worker.pk, seals=not walk.drains)
        self.model.record(walk.root, request, said, lease, under=walk.token)
        walk.pending, walk.token = None, token

    def _told(self, call: SealedCall) -> Behaviour:
        """Say what the double is to do with a call that is about to be made."""
        walk = self.walk
        if walk is not None:
            self._walk_on(walk)
            request = self.model.live_request(walk.root, walk.role)
            assert request is not None, "a call that the model does not know"
            choice = walk.choices.pop(0) if walk.choices else "valid"
            walk.pending = request, self._answered(walk.root, request, choice, call)
        return self.told

    def _answered(self, root: Root, request: Request, choice: str, call: SealedCall) -> Said:
        self.serial += 1
        said, self.told = meant(choice, root, request, self.serial)
        if call.endpoint == NOBODY_LISTENS:
            said = CONNECT_REFUSED
        if said.arrives:
            self.arrived[call.act] += 1
        return said

    def _runner(self, worker: int) -> Runner:
        return Runner(self.workers[worker % len(self.workers)], self.endpoint, uuid4())

    def _root(self, pick: int) -> Root:
        return self.model.roots[pick % len(self.model.roots)]

    def _hints(self) -> bool:
        self.stage.take_hints()
        return bool(self.stage.hints)

    def _hint(self, pick: int, *, keep: bool) -> UUID:
        self.stage.take_hints()
        place = pick % len(self.stage.hints)
        return self.stage.hints[place] if keep else self.stage.hints.pop(place)

    def _let_pass(self, seconds: int) -> None:
        self.stage.clock.move(seconds)
        self.model.now += seconds

    def _id_of(self, root: Root, role: str) -> UUID:
        return next(pk for pk, (one, of) in self.executions.items() if (one, of) == (root, role))

    def _know(self, root: Root) -> None:
        rows: Any = models.Child.objects.filter(root=self.ids[root.name])
        if len(root.children) != sum(one is root for one, _ in self.executions.values()):
            self.executions |= {row.pk: (root, row.role) for row in rows}
