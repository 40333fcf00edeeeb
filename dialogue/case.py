"""A Root's facts with its dialogue, and the view of them that the rules read.

Source: design.md D7.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from bullbear.budget import Amounts
from bullbear.lifecycle import Cause, ChildState, Role, RootState
from bullbear.locks import Held
from bullbear.models import Child
from bullbear.reading import Table, read_rows
from dialogue.models import (
    Claim,
    ClaimMove,
    Decision,
    Disposition,
    Gap,
    HalfRound,
    Pair,
    PairOffer,
    PeerMessage,
)
from dialogue.rules import (
    ClaimStatus,
    EndReason,
    HalfRoundView,
    MoveKind,
    PairView,
    SendRefusal,
    SlotKind,
    SlotOutcome,
    View,
)
from research.answers import Pattern
from research.authority import PEER_OF, RESEARCH, may_act
from research.case import RESEARCH as TABLES_OF_RESEARCH
from research.case import Case, fill_research
from research.limits import SMALLEST_OPENING_TOKENS

PEER_REQUEST = Amounts(model_calls=1, tokens=SMALLEST_OPENING_TOKENS)


@dataclass
class DialogueCase(Case):
    """What is on record of a Root, its exchange included."""

    offer: PairOffer | None = None
    pair: Pair | None = None
    half_rounds: list[HalfRound] = field(default_factory=list)
    messages: list[PeerMessage] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    moves: list[ClaimMove] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    dispositions: list[Disposition] = field(default_factory=list)
    synthesis_stands: bool = False
    synthesis_given_up: bool = False

    def role_of(self, child_id: UUID) -> Role:
        """Return the role of an execution of this Root."""
        return Role(self.child(child_id).role)

    def claim(self, handle: str) -> Claim | None:
        """Return the claim of a handle such as `C1`."""
        return next((one for one in self.claims if f"C{one.number}" == handle), None)

    def status(self, claim: Claim) -> ClaimStatus:
        """Derive a claim's status from its moves: `CONCEDED` is final."""
        moves = {one.move for one in self.moves if one.claim_id == claim.pk}
        if MoveKind.CONCEDED in moves:
            return ClaimStatus.CONCEDED
        return ClaimStatus.CONTESTED if MoveKind.CONTESTED in moves else ClaimStatus.OPEN

    def half_round(self, kind: SlotKind, round_: int) -> HalfRound | None:
        """Return a half-round on record."""
        return next(
            (one for one in self.half_rounds if one.kind == kind and one.round == round_), None
        )

    def peer_of(self, child: Child) -> Child:
        """Return the other of the pair: the recipient follows from it."""
        if self.pair is None:
            raise LookupError("there is no pair")
        bull_speaks = child.pk == self.pair.bull_id
        return self.child(self.pair.bear_id if bull_speaks else self.pair.bull_id)


DIALOGUE = (
    *TABLES_OF_RESEARCH,
    Table(PairOffer),
    Table(Pair),
    Table(HalfRound, "pair_id", through=Pair),
    Table(PeerMessage),
    Table(Claim),
    Table(ClaimMove, "claim_id", through=Claim),
    Table(Decision),
    Table(Gap),
)


def load_case(held: Held) -> DialogueCase:
    """Load the facts of the held Root, with one statement."""
    case = DialogueCase(held)
    rows = read_rows(held.root.pk, DIALOGUE)
    fill_research(case, rows)
    case.offer = rows.one(PairOffer)
    case.pair = rows.one(Pair)
    halves = rows.of(HalfRound)
    case.half_rounds = sorted(halves, key=lambda one: (one.round, one.kind == SlotKind.RESPONSE))
    case.messages = rows.of(PeerMessage, by="number")
    case.claims = rows.of(Claim, by="number")
    case.moves = rows.of(ClaimMove)
    case.gaps = rows.of(Gap)
    case.decisions = rows.of(Decision)
    return case


def view_of(case: DialogueCase) -> View:
    """Read a case as the rules read it."""
    root = case.root
    return View(
        now=case.now,
        state=RootState(root.state),
        cause=Cause(root.cause),
        peers_stop_at=root.peers_stop_at,
        deadline_at=root.deadline_at,
        pattern=Pattern(case.plan.pattern) if case.plan else None,
        executions={Role(one.role): ChildState(one.state) for one in case.children},
        openings=frozenset(case.role_of(one.child_id) for one in case.openings),
        pair=_pair_view(case),
        no_pair=root.end_reason if case.pair is None else "",
        synthesis=case.synthesis_given_up or case.synthesis_stands,
        peer_budget=root.account.can_reserve(PEER_REQUEST),
        to_research=frozenset(
            Role(one.role)
            for one in case.children
            if Role(one.role) in PEER_OF
            and may_act(one.authorization, RESEARCH)
            and not case.has_researched(one)
        ),
    )


def _pair_view(case: DialogueCase) -> PairView | None:
    if case.pair is None:
        return None
    return PairView(
        max_rounds=case.pair.max_rounds,
        end_reason=case.pair.end_reason,
        half_rounds=[
            HalfRoundView(one.round, SlotKind(one.kind), SlotOutcome(one.outcome))
            for one in case.half_rounds
        ],
        claims={f"C{one.number}": case.status(one) for one in case.claims},
        scope_refusals=sum(one.reason == SendRefusal.REFUSED_SCOPE for one in case.findings),
    )


def end_reason_of(case: DialogueCase) -> EndReason | None:
    """Return why the dialogue ended, or why none was formed; None where none was planned or it goes on."""
    reason = case.pair.end_reason if case.pair else case.root.end_reason
    return EndReason(reason) if reason else None
