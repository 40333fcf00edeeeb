"""What is on record of a Root at one moment, as plain values that outlive the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from bullbear.models import Child, ModelRequest, OutboxEntry, Receipt, Root
from bullbear.models.receipt import Chain
from dialogue.models import Claim, Gap, HalfRound, Pair, PairOffer, PeerMessage, Report
from research.models import Opening, Plan
from tests.provider_double import Hit


@dataclass(frozen=True)
class Call:
    """A model request."""

    role: str
    purpose: str
    turn: int
    attempt: int
    n: int
    state: str
    outcome: str
    act: str
    id: str


@dataclass(frozen=True)
class Execution:
    """An execution."""

    id: str
    state: str
    wakes: int
    rescues: int
    end_reason: str
    worker: str


@dataclass(frozen=True)
class Snapshot:
    """The record of one Root."""

    state: str
    cause: str
    result: str
    end_reason: str
    spent: tuple[int, int, int]
    reserved: tuple[int, int, int]
    plans: int
    children: dict[str, Execution]
    calls: list[Call]
    openings: list[str]
    offers: list[str]
    pairs: list[tuple[str, str, str]]
    halves: list[tuple[int, str, str, int]]
    messages: list[tuple[str, int, str]]
    claims: list[str]
    gaps: list[tuple[str, str]]
    reports: int
    owed: list[str]
    receipts: Counter[str]
    chain: list[str]  # the research chain's digests, in order
    hits: Counter[str]

    def child(self, role: str) -> Execution:
        """Return an execution by its role."""
        return self.children[role]

    def calls_of(self, role: str, purpose: str) -> list[Call]:
        """Return an execution's requests of one purpose, in order."""
        return [one for one in self.calls if (one.role, one.purpose) == (role, purpose)]

    def outcomes(self, role: str, purpose: str) -> list[tuple[str, str]]:
        """Say of an execution's requests of one purpose: state and class."""
        return [(one.state, one.outcome) for one in self.calls_of(role, purpose)]

    def gap_codes(self) -> list[str]:
        """Return the codes of the disclosed gaps."""
        return [code for code, _ in self.gaps]

    def reached(self, call: Call) -> int:
        """Say how often a request arrived at the provider."""
        return self.hits[call.act]

    @property
    def debited(self) -> int:
        """Model calls spent or reserved: what a crash must not change."""
        return self.spent[0] + self.reserved[0]


def take(root_id: UUID, hits: Iterable[Hit]) -> Snapshot:
    """Read what is on record of a Root now."""
    root = Root.objects.get(pk=root_id)
    children = list(Child.objects.filter(root=root).order_by("pk"))
    role = {str(one.pk): str(one.role) for one in children}
    calls = [
        Call(
            role=role[str(one.child_id)],
            purpose=one.purpose,
            turn=one.turn,
            attempt=one.attempt,
            n=one.n,
            state=str(one.state),
            outcome=str(one.outcome_class),
            act=one.act,
            id=str(one.pk),
        )
        for one in ModelRequest.objects.filter(root=root).order_by("pk")
    ]
    acts = {one.act for one in calls}
    pairs = Pair.objects.filter(root=root)
    keys = [f"advance:{one.pk}" for one in children]
    owed = OutboxEntry.objects.filter(dedupe_key__in=keys).order_by("created_at", "pk")
    halves = HalfRound.objects.filter(pair__root=root).order_by("round", "kind")
    messages = PeerMessage.objects.filter(root=root).order_by("number")
    research = Receipt.objects.filter(root=root, chain=Chain.RESEARCH)
    return Snapshot(
        state=str(root.state),
        cause=str(root.cause),
        result=str(root.result),
        end_reason=next((one.end_reason for one in pairs), root.end_reason),
        spent=(root.model_calls_spent, root.tokens_spent, root.tool_calls_spent),
        reserved=(root.model_calls_reserved, root.tokens_reserved, root.tool_calls_reserved),
        plans=Plan.objects.filter(root=root).count(),
        children={
            str(one.role): Execution(
                id=str(one.pk),
                state=str(one.state),
                wakes=one.wakes,
                rescues=one.rescues,
                end_reason=one.end_reason,
                worker=str(one.worker_id or ""),
            )
            for one in children
        },
        calls=calls,
        openings=[role[str(one.child_id)] for one in Opening.objects.filter(root=root)],
        offers=[role[str(one.child_id)] for one in PairOffer.objects.filter(root=root)],
        pairs=[(role[str(one.bull_id)], role[str(one.bear_id)], one.end_reason) for one in pairs],
        halves=[(one.round, one.kind, one.outcome, one.attempts) for one in halves],
        messages=[(one.kind, one.half_round.round, one.act) for one in messages],
        claims=[role[str(one.author_id)] for one in Claim.objects.filter(root=root)],
        gaps=sorted(Gap.objects.filter(root=root).values_list("code", "subject")),
        reports=Report.objects.filter(root=root).count(),
        owed=[role[one.dedupe_key.partition(":")[2]] for one in owed],
        receipts=Counter(Receipt.objects.filter(root=root).values_list("kind", flat=True)),
        chain=[bytes(one.digest).hex() for one in research.order_by("seq")],
        hits=Counter(one.idempotency_key for one in hits if one.idempotency_key in acts),
    )
