"""Open Roots and advance them in the test's own process: real database, real HTTP, no broker."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth.models import Group, User

from bullbear.models import Child, OutboxEntry, Root, Worker
from bullbear.options import options
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from dialogue.steps import advance
from research import domains
from research.asking import GivenFile, Question
from research.domain import Domain
from research.open_root import open_root

SAMPLES = Path(domains.__file__).parent / "investment" / "samples"
QUESTION = (
    "Should I move 10 points of the portfolio into the technology ETF, because one more fund means more "
    "diversification?"
)


def sample_files(folder: str = "") -> list[GivenFile]:
    """Return the sample files of a folder, the portfolio among them."""
    paths = sorted((SAMPLES / folder).glob("*.csv"))
    return [GivenFile(path.name, path.read_bytes()) for path in paths]


@dataclass(frozen=True)
class Rehearsal:
    """A running rehearsal model."""

    base_url: str

    @classmethod
    @contextmanager
    def started(cls, *arguments: str) -> Iterator[Rehearsal]:
        """Start it on a free port and stop it at the end."""
        command = [sys.executable, "-m", "config.rehearsal.server", "--die-with-parent"]
        with subprocess.Popen(  # noqa: S603
            [*command, *arguments], stdout=subprocess.PIPE, text=True
        ) as process:
            if process.stdout is None:
                raise AssertionError("its output was asked for")
            found = re.search(r"http\S+", process.stdout.readline())
            if found is None:
                raise AssertionError("the rehearsal model did not say where it listens")
            try:
                yield cls(found[0])
            finally:
                process.terminate()

    def provider(self) -> Provider:
        """Return a client of it."""
        return Provider(Endpoint.from_base_url(self.base_url), "none")


@dataclass(frozen=True)
class Driver:
    """Opens Roots and takes their steps one after another, in the order in which work is owed."""

    desk: Group
    requester: User
    worker: Worker
    provider: Provider
    domain: Domain

    def with_provider(self, provider: Provider) -> Driver:
        """Return a driver that asks another provider."""
        return replace(self, provider=provider)

    def open(
        self, text: str = QUESTION, files: Sequence[GivenFile] | None = None, **wishes: Any
    ) -> Root:
        """Open a Root on the sample portfolio, unless told otherwise."""
        question = replace(Question(text, sample_files() if files is None else files), **wishes)
        return open_root(
            question,
            domain=self.domain,
            desk=self.desk,
            requester=self.requester,
            options=options(),
        )

    def owed(self, root: Root) -> list[Child]:
        """Return the executions of a Root that must look again, in the order they were owed."""
        entries = OutboxEntry.objects.order_by("created_at", "pk")
        ids = [UUID(entry.keys["execution_id"]) for entry in entries]
        children = {child.pk: child for child in Child.objects.filter(root=root, pk__in=ids)}
        return [children[one] for one in ids if one in children]

    def step(self, child: Child) -> None:
        """Advance one execution as far as it goes by itself."""
        advance(child.pk, provider=self.provider, worker=self.worker)

    def run(self, root: Root, *, until: Callable[[Root], bool] = lambda _root: False) -> Root:
        """Advance a Root until nothing is owed or `until` holds; return it read again."""
        while owed := self.owed(root):
            if until(root):
                break
            self.step(owed[0])
        root.refresh_from_db()
        return root
