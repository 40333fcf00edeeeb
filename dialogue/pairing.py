"""Offer, join and freeze a pair, or record why there is none.

Offer: the first execution whose opening is accepted proposes a pair and parks.  Join: the second presents its
issued task identity.  The host checks both under the Root lock; then members, roles, authorizations, rounds
and opening order are frozen.

Source: design.md D9.
"""

from __future__ import annotations

from bullbear import receipts
from bullbear.identity import NotCanonical
from bullbear.lifecycle import Role
from bullbear.models import Child
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.models import Pair, PairOffer
from dialogue.rules import EndReason
from research.authority import NEEDED_IN_A_PAIR, authorization_digest, may_act, may_see
from research.models import Opening


def offer_pair(case: DialogueCase, opening: Opening) -> None:
    """Let the author of the first accepted opening propose a pair."""
    child = case.child(opening.child_id)
    case.offer = case.held.add(PairOffer(root=case.root, child=child))
    receipts.append(
        case.held,
        DialogueKind.PAIR_OFFERED,
        act=str(child.pk),
        child=child,
        subjects={"offer": str(case.offer.pk), "opening": str(opening.pk)},
    )


def join_pair(case: DialogueCase) -> EndReason | None:
    """Freeze the pair of both openings' authors, or record why it cannot be.

    Returns:
        The reason why no pair was formed, or None where it is frozen.
    """
    bull, bear = case.child_of(Role.BULL), case.child_of(Role.BEAR)
    if bull is None or bear is None:
        raise LookupError("both executions stand before a pair is joined")
    reason = _refusal(case, bull, bear)
    if reason is not None:
        give_up_pair(case, reason)
        return reason
    pair = case.held.add(
        Pair(
            root=case.root,
            bull=bull,
            bear=bear,
            bull_authorization_digest=bull.authorization_digest,
            bear_authorization_digest=bear.authorization_digest,
            max_rounds=case.configuration["rounds"],
            opening_order=case.configuration["opening_order"],
            frozen_at=case.now,
        )
    )
    case.pair = pair
    receipts.append(
        case.held,
        DialogueKind.PAIR_FROZEN,
        act=str(pair.pk),
        subjects={
            "pair": str(pair.pk),
            "bull": str(bull.pk),
            "bear": str(bear.pk),
            "max_rounds": pair.max_rounds,
            "opening_order": pair.opening_order,
        },
        digests={
            "bull_authorization": pair.bull_authorization_digest,
            "bear_authorization": pair.bear_authorization_digest,
        },
    )
    return None


def give_up_pair(case: DialogueCase, reason: EndReason) -> None:
    """Record on the Root why its planned dialogue has no pair."""
    case.root.end_reason = reason
    receipts.append(
        case.held,
        DialogueKind.NO_PAIR,
        act=str(case.root.pk),
        subjects={"reason": str(reason)},
    )


def _refusal(case: DialogueCase, bull: Child, bear: Child) -> EndReason | None:
    for child in (bull, bear):
        needed = NEEDED_IN_A_PAIR[Role(child.role)]
        if not all(may_act(child.authorization, act) for act in needed) or not _as_issued(child):
            return EndReason.PARTICIPANT_ENDED
    for role, other in ((Role.BULL, bear), (Role.BEAR, bull)):
        opening = case.opening_of(role)
        if opening is None or not may_see(other.authorization, opening.lineage):
            return EndReason.REFUSED_SCOPE
    return None


def _as_issued(child: Child) -> bool:
    """Whether an authorization that came back from jsonb is structurally the one that was issued."""
    try:
        return authorization_digest(child.authorization) == child.authorization_digest
    except NotCanonical:
        return False
