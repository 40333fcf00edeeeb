"""What the machine works with: the database and its clock, the double, hints on their way, a cut line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.contrib.auth.models import Group, User
from django.db import Error, connection

from bullbear import hints
from bullbear.models import Root, Worker
from bullbear.sweep import SEEN_SECONDS, Sight
from research.asking import UnknownPolicy
from research.rules import Wish
from tests.conftest import _take_rows_away
from tests.factories import a_desk, a_root, a_user, a_worker, limited, plan_a_dialogue
from tests.machine.clock import Clock
from tests.machine.facts import Terms
from tests.provider_double import ProviderDouble

T = TypeVar("T")
_TOKENS = 2_000_000  # never short: how many a body takes is not the model's to know


class Cut:
    """Ends this session of the database before its k-th statement, as an administrator would."""

    def __init__(self, at: int, administrator: psycopg.Connection) -> None:
        self.at = at
        self.seen = 0
        self._administrator = administrator

    def __call__(
        self,
        execute: Callable[[str, Any, bool, dict[str, Any]], Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001  Django's signature
        context: dict[str, Any],
    ) -> Any:
        """Execute, on a session that may be gone."""
        self.seen += 1
        if self.seen == self.at:
            pid = context["connection"].connection.info.backend_pid
            self._administrator.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        return execute(sql, params, many, context)


@dataclass
class Stage:
    """One process that plays workers, sweepers and operators in turn."""

    double: ProviderDouble
    clock: Clock
    administrator: psycopg.Connection
    hints: list[UUID] = field(default_factory=list)  # what the broker holds

    desk: Group = field(init=False)
    analyst: User = field(init=False)

    def begin_anew(self) -> None:
        """Forget the last run; its rows stay, and its Roots have ended."""
        self.double.forget()
        self.clock.restart()
        self.hints.clear()
        if not Group.objects.filter(name="machine").exists():
            self.desk = a_desk(name="machine")
            self.analyst = a_user(username="machine", desks=[self.desk])

    def open(self, terms: Terms) -> Root:
        """Open a Root on these terms."""
        root: Root = a_root(
            requester=self.analyst,
            desk=self.desk,
            wish=Wish(terms.wish),
            rounds=terms.rounds,
            unknown_policy=UnknownPolicy(terms.policy),
            options=limited(
                model_calls=terms.calls,
                tokens=_TOKENS,
                tool_calls=terms.tools,
                deadline_seconds=terms.seconds,
                finalize_seconds=terms.finalize_seconds,
            ),
        )
        if terms.unread:
            plan_a_dialogue(root, **{terms.unread: ("S2",)})
        return root

    def new_worker(self) -> Worker:
        """Start a worker that renews itself."""
        return a_worker(alive_until=self.clock.shows_at.replace(year=2100))

    def let_die(self, worker: Worker) -> None:
        """Let a worker not renew itself any more."""
        Worker.objects.filter(pk=worker.pk).update(alive_until=self.clock.shows_at)

    def cut(self, at: int, act: Callable[[], T]) -> tuple[bool, T | None]:
        """Do `act` with the line cut at its k-th statement; say whether it came to its end."""
        cut = Cut(at, self.administrator)
        try:
            with connection.execute_wrapper(cut):
                return True, act()
        except Error:
            assert cut.seen == at, "another error than the one that was made"
            connection.close()
            return False, None

    def take_everything_away(self) -> None:
        """Take away the rows of a run that failed."""
        connection.close()
        _take_rows_away()

    def take_hints(self) -> None:
        """Wait until everything offered so far has reached the broker."""
        hints.flush(10.0)


def long_sight() -> Sight:
    """Return the sight of a sweeper that has seen the database for long enough."""
    return Sight(since=time.monotonic() - SEEN_SECONDS - 1)


@contextmanager
def published_to(broker: list[UUID]) -> Iterator[None]:
    """Let this process's hints go to a list."""
    before = hints._publish, hints._hints
    hints.set_publisher(lambda _task, keys: broker.append(UUID(keys["execution_id"])))
    try:
        yield
    finally:
        hints.flush()
        hints._publish, hints._hints = before
