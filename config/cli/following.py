"""Follow a Root to its end, telling on stderr what happens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID

import typer
from django.db.models import Max

from audit.transcript import Transcript, load_transcript
from audit.verify.snapshot import one_moment
from audit.viewer import READER, Viewer, readable_root
from bullbear.lifecycle import ENDED_ROOT, ResultType
from bullbear.models import Root, Worker
from bullbear.queries import database_now
from config.cli.exits import Exit, Problem
from config.cli.news import news
from dialogue.rules import EndReason
from research.domains.registry import domain

_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 20.0


@dataclass(slots=True)
class Follower:
    """What was told so far of one Root."""

    root_id: UUID
    viewer: Viewer
    _told: set[str] = field(default_factory=set)
    _receipts: int = -1

    def follow(self) -> Root:
        """Tell what happens until the Root has ended, and return it."""
        try:
            return self._follow()
        except KeyboardInterrupt:
            message = f"The research goes on: `bullbear watch {self.root_id}` follows it."
            raise Problem(Exit.TEMPORARY, message) from None

    def _follow(self) -> Root:
        asked = time.monotonic()
        while (root := self.look()).state not in ENDED_ROOT:
            if time.monotonic() - asked > _PATIENCE_SECONDS:
                _say_where_no_worker_is()
                asked = time.monotonic()
            time.sleep(_LOOK_SECONDS)
        return root

    def look(self) -> Root:
        """Tell what is new; the page is built only when the chain has grown.

        Raises:
            Problem: the Root cannot be read.
        """
        with one_moment(READER):
            root = root_for(self.root_id, self.viewer)
            if root.receipts_seq != self._receipts:
                self._tell(load_transcript(root, self.viewer), root)
                self._receipts = root.receipts_seq
        return root

    def _tell(self, page: Transcript, root: Root) -> None:
        if self._receipts < 0:
            typer.echo(f"Root {root.pk} · models: {_models(root)}", err=True)
        for line in news(page, domain(root.domain).report):
            if line.key not in self._told:
                self._told.add(line.key)
                typer.echo(line.text, err=True)


def root_for(root_id: UUID, viewer: Viewer) -> Root:
    """Return a Root that the viewer may read.

    Raises:
        Problem: there is none; which of the two reasons is not told.
    """
    root = readable_root(viewer, root_id)
    if root is None:
        raise Problem(Exit.NOT_FOUND, f"There is no Root {root_id} that this user may read.")
    return root


def exit_of(page: Transcript) -> Exit:
    """Say by exit status how a Root ended."""
    if page.end.result == ResultType.COMPLETE:
        return Exit.OK
    if page.end.reason == EndReason.OUTCOME_UNKNOWN:
        return Exit.OUTCOME_UNKNOWN
    return Exit.ENDED_EARLY


def _models(root: Root) -> str:
    return ", ".join(sorted(set(root.configuration["models"].values())))


def _say_where_no_worker_is() -> None:
    last = Worker.objects.aggregate(last=Max("alive_until"))["last"]
    if last is None or last < database_now():
        typer.echo("No worker is alive: start one with `bullbear up`.", err=True)
