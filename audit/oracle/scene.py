"""The rows of one Root, of one moment, and what arrived at the provider."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID

from audit.verify import Verdict, verify_root
from audit.verify.snapshot import one_moment
from audit.viewer import READER
from bullbear.models import Child, ModelRequest, OutboxEntry, Receipt, Root
from bullbear.models.receipt import Chain
from dialogue.models import HalfRound, PeerMessage


class Arrival(Protocol):
    """A call that arrived whole at the provider, as its own log says."""

    @property
    def idempotency_key(self) -> str:
        """The act it came under."""
        ...

    @property
    def sha256(self) -> str:
        """The digest of the body that arrived, in hex."""
        ...


@dataclass(frozen=True, slots=True)
class Complaint:
    """A statement that does not hold."""

    statement: int
    problem: str
    root: UUID | None = None

    def __str__(self) -> str:
        where = f"Root {self.root}: " if self.root else ""
        return f"statement {self.statement}: {where}{self.problem}"


@dataclass(frozen=True, slots=True)
class Scene:
    """What the statements about one Root are checked on.

    Args:
        owed: outbox rows of the Root's executions, by execution.
        arrived: None where the provider keeps no log that can be asked.
        patience: how long work may stand unclaimed or a lease be overdue; None where nobody works at it.
    """

    root: Root
    verdict: Verdict
    children: list[Child]
    requests: list[ModelRequest]
    receipts: list[Receipt]
    messages: list[PeerMessage]
    half_rounds: list[HalfRound]
    owed: dict[UUID, OutboxEntry]
    arrived: list[Arrival] | None
    patience: timedelta | None

    def of_kind(self, kind: str) -> list[Receipt]:
        """Return the receipts of a kind, in the chain's order."""
        return [receipt for receipt in self.receipts if receipt.kind == kind]


def load_scene(
    root_id: UUID, arrived: list[Arrival] | None, *, patience: timedelta | None
) -> Scene:
    """Load a Root's scene.

    Raises:
        UnknownRoot: there is none of this id.
    """
    verdict = verify_root(root_id, using=READER)
    with one_moment(READER):
        children = list(Child.objects.using(READER).filter(root=root_id).select_related("worker"))
        keys = {f"advance:{child.pk}": child.pk for child in children}
        owed = OutboxEntry.objects.using(READER).filter(dedupe_key__in=keys)
        chain = Receipt.objects.using(READER).filter(chain=Chain.RESEARCH)
        halves = HalfRound.objects.using(READER).filter(pair__root=root_id)
        return Scene(
            root=Root.objects.using(READER).get(pk=root_id),
            verdict=verdict,
            children=children,
            requests=list(ModelRequest.objects.using(READER).filter(root=root_id)),
            receipts=list(chain.filter(root=root_id).order_by("seq")),
            messages=list(PeerMessage.objects.using(READER).filter(root=root_id)),
            half_rounds=list(halves.select_related("pair").order_by("round", "kind")),
            owed={keys[entry.dedupe_key]: entry for entry in owed},
            arrived=arrived,
            patience=patience,
        )


def subject(receipt: Receipt, name: str) -> Any:
    """Return one of a receipt's subjects, or None where it names no such thing."""
    return json.loads(bytes(receipt.body))["subjects"].get(name)
