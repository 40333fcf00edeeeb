"""Open Roots when their time comes, through every outage of the database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, connections

from bullbear.lifecycle import RootState
from bullbear.models import Root
from bullbear.options import options
from config.accounts import ANALYST
from config.chaos.questions import Planned
from dialogue.cancel import cancel
from research.asking import Question
from research.domains.registry import domain
from research.grants import desk_of
from research.open_root import open_root

R = TypeVar("R")

AWAY = (OperationalError, InterfaceError)
_DOMAIN = "investment"
_PAUSE_SECONDS = 0.3


def through_outages(action: Callable[[], R]) -> R:
    """Repeat `action` until the database lets it through."""
    while True:
        try:
            return action()
        except AWAY:
            connections.close_all()
            time.sleep(_PAUSE_SECONDS)


class Load:
    """One thread that opens what is planned.

    Args:
        opened: Roots whose opening was acknowledged, by external id.
    """

    def __init__(self, planned: Iterable[Planned]) -> None:
        """Begin to open Roots now."""
        self.opened: dict[str, UUID] = {}
        self._planned = planned
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="load", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether all Roots are open."""
        return not self._thread.is_alive()

    def _run(self) -> None:
        for one in self._planned:
            time.sleep(max(0.0, self._began + one.at - time.monotonic()))
            root_id = through_outages(lambda question=one.question: _open(question))  # type: ignore[misc]
            self.opened[one.question.external_id] = root_id
        connections.close_all()


def _open(question: Question) -> UUID:
    """Open a Root, unless an attempt that seemed to fail has opened it."""
    found = Root.objects.filter(external_id=question.external_id).values_list("pk", flat=True)
    if (root_id := found.first()) is not None:
        return root_id
    analyst = User.objects.get(username=ANALYST)
    desk = desk_of(analyst)
    if desk is None:
        raise LookupError(f"{ANALYST} belongs to no desk")
    root = open_root(
        question, domain=domain(_DOMAIN), desk=desk, requester=analyst, options=options()
    )
    return root.pk


class Canceller:
    """Cancels open Roots, each in a thread of its own; `count` says how many were."""

    def __init__(self) -> None:
        """Begin with none."""
        self.count = 0

    def cancel_one(self, pick: int) -> None:
        """Cancel one of those that are open, as soon as the database lets it through."""
        threading.Thread(target=self._run, args=(pick,), name="cancel", daemon=True).start()

    def _run(self, pick: int) -> None:
        if through_outages(lambda: _cancel_one(pick)):
            self.count += 1
        connections.close_all()


def _cancel_one(pick: int) -> bool:
    """Cancel an open Root; one that is being finalised meanwhile leaves it at that."""
    found = Root.objects.filter(state=RootState.OPEN).order_by("pk")
    ids = list(found.values_list("pk", flat=True))
    return bool(ids) and cancel(ids[pick % len(ids)])
