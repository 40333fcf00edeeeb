"""A Root in front of a scripted provider, and ways to look at what is on record of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connections, models

from bullbear.content import load_text
from bullbear.lifecycle import ChildState, Role
from bullbear.models import Child, ModelRequest, Receipt, Root
from dialogue.models import Gap, HalfRound, Pair, PeerMessage
from dialogue.report.compile import read_document
from tests import oracle
from tests.driving import Driver
from tests.provider_double import Behaviour, ProviderDouble


@dataclass
class Scene:
    """One Root, its driver and the provider it asks."""

    double: ProviderDouble
    driver: Driver
    root: Root

    def script(self, *behaviours: Behaviour) -> None:
        """Append answers."""
        self.double.script(*behaviours)

    def run(self, until: Callable[[], bool] = lambda: False) -> Root:
        """Advance until nothing is owed, or until something holds."""
        return self.driver.run(self.root, until=lambda _root: until())

    def run_to_the_synthesis(self) -> None:
        """Advance until both sides are through and Main's synthesis is next."""
        through = Child.objects.filter(root=self.root, role=Role.BEAR, state=ChildState.FINISHED)
        self.run(through.exists)

    def end(self) -> Root:
        """Advance to the end and ask the oracle."""
        root = self.run()
        self.check()
        return root

    def step(self, role: Role) -> Child:
        """Advance one execution; return it read again."""
        self.driver.step(self.child(role))
        return self.child(role)

    def check(self) -> None:
        """Ask the oracle."""
        oracle.check(self.root, self.double.hits())

    def child(self, role: Role) -> Child:
        """Read an execution."""
        return Child.objects.get(root=self.root, role=role)

    def requests(self, role: Role, purpose: str = "") -> list[ModelRequest]:
        """Read an execution's requests, first to last."""
        found = ModelRequest.objects.filter(root=self.root, child__role=role)
        if purpose:
            found = found.filter(purpose=purpose)
        return list(found.order_by("turn", "attempt", "n"))

    def outcomes(self, role: Role, purpose: str = "") -> list[tuple[int, int, str, str]]:
        """Say of an execution's requests: attempt, n, state, class."""
        return [
            (one.attempt, one.n, str(one.state), one.outcome_class)
            for one in self.requests(role, purpose)
        ]

    def facts(self, kind: str) -> list[dict[str, Any]]:
        """Read the bodies of a kind's receipts, in order."""
        found = Receipt.objects.filter(root=self.root, kind=kind).order_by("seq")
        return [json.loads(bytes(one.body)) for one in found]

    def gaps(self) -> list[tuple[str, str]]:
        """Read the disclosed gaps: code and subject, sorted."""
        return sorted(Gap.objects.filter(root=self.root).values_list("code", "subject"))

    def gap_codes(self) -> list[str]:
        """Read the codes of the disclosed gaps, sorted."""
        return [code for code, _ in self.gaps()]

    @property
    def pair(self) -> Pair:
        """The frozen pair."""
        return Pair.objects.get(root=self.root)

    def halves(self) -> list[tuple[int, str, str, int]]:
        """Read the half-rounds: round, kind, outcome, attempts."""
        found = HalfRound.objects.filter(pair__root=self.root).order_by("round", "kind")
        return [(one.round, one.kind, one.outcome, one.attempts) for one in found]

    def messages(self) -> list[PeerMessage]:
        """Read the accepted messages in order."""
        return list(PeerMessage.objects.filter(root=self.root).order_by("number"))

    def report(self) -> dict[str, Any]:
        """Read the report's document."""
        return read_document(self.root.reports.get())

    @contextmanager
    def in_call(self, role: Role, gate: str) -> Iterator[None]:
        """Hold while an execution's call waits behind a gate; let it record at the end."""
        arrived = len(self.double.hits())
        failed: list[BaseException] = []

        def advance() -> None:
            try:
                self.step(role)
            except BaseException as error:
                failed.append(error)
                raise
            finally:
                connections.close_all()

        thread = threading.Thread(target=advance, name=f"step of {role}")
        thread.start()
        try:
            self.double.wait_for_hits(arrived + 1)
            yield
        finally:
            self.double.release(gate)
            thread.join(30)
        assert not thread.is_alive()
        assert not failed


def rows_of(*tables: type[models.Model]) -> list[int]:
    """Count rows."""
    return [table._default_manager.count() for table in tables]


def text_of(row: models.Model, field: str) -> str:
    """Read the text that a row's column names."""
    return load_text(getattr(row, field))
