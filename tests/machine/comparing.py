"""What is on record of a Root, in the model's words; and the model's own, beside it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from bullbear.content import load_text
from bullbear.models import Child, ModelRequest, OutboxEntry, Receipt, Timer
from bullbear.models import Root as RootRow
from dialogue.models import (
    Claim,
    Decision,
    Disposition,
    HalfRound,
    Pair,
    PairOffer,
    PeerMessage,
    Report,
)
from research.models import Finding, Opening, Plan, ToolCall
from tests.machine.facts import Root


def on_record(root_id: UUID) -> dict[str, Any]:
    """Read what is on record."""
    row = RootRow.objects.get(pk=root_id)
    children = list(Child.objects.filter(root=root_id))
    owed = set(OutboxEntry.objects.values_list("dedupe_key", flat=True))
    plan = Plan.objects.filter(root=root_id).first()
    pair = Pair.objects.filter(root=root_id).first()
    halves = HalfRound.objects.filter(pair__root=root_id).order_by("round", "kind")
    messages = PeerMessage.objects.filter(root=root_id).order_by("number")
    openings = Opening.objects.filter(root=root_id).select_related("child")
    return {
        "root": (row.state, row.cause, row.result, row.end_reason),
        "plan": plan.pattern if plan else "",
        "executions": {
            one.role: (one.state, one.wakes, one.rescues, one.end_reason) for one in children
        },
        "owed": sorted(one.role for one in children if f"advance:{one.pk}" in owed),
        "requests": {
            (one.child.role, one.turn, one.attempt, one.n): (
                one.purpose,
                one.state,
                one.outcome_class,
                one.reserved_tool_calls,
            )
            for one in ModelRequest.objects.filter(root=root_id).select_related("child")
        },
        "calls": (row.model_calls_spent, row.model_calls_reserved),
        "tools": (
            row.tool_calls_spent,
            row.tool_calls_reserved,
            ToolCall.objects.filter(root=root_id).count(),
        ),
        "openings": sorted((one.child.role, load_text(one.statement)) for one in openings),
        "offer": PairOffer.objects.filter(root=root_id).exists(),
        "pair": (pair is not None, pair.end_reason if pair else ""),
        "half-rounds": [(one.round, one.kind, one.outcome, one.attempts) for one in halves],
        "messages": [
            (one.number, one.kind, one.sender.role, one.recipient.role, load_text(one.text))
            for one in messages.select_related("sender", "recipient")
        ],
        "delivered": _delivered(root_id),
        "refused": [
            load_text(one.text) for one in Finding.objects.filter(root=root_id).order_by("number")
        ],
        "claims": _claims(root_id),
        "timers": Timer.objects.filter(child__root=root_id).count(),
        "receipts": _counts(root_id),
        "decisions": sorted(Decision.objects.filter(root=root_id).values_list("kind", flat=True)),
        "dispositions": Disposition.objects.filter(root=root_id).count(),
        "reports": Report.objects.filter(root=root_id).count(),
    }


def _claims(root_id: UUID) -> dict[str, tuple[str, bool, bool]]:
    claims = Claim.objects.filter(root=root_id).select_related("author").prefetch_related("moves")
    found = {}
    for one in claims:
        moves = {move.move for move in one.moves.all()}
        found[f"C{one.number}"] = (one.author.role, "contested" in moves, "conceded" in moves)
    return found


def _delivered(root_id: UUID) -> list[int]:
    facts = Receipt.objects.filter(root=root_id, kind="message_delivered")
    numbers = {str(one.pk): one.number for one in PeerMessage.objects.filter(root=root_id)}
    return sorted(numbers[act] for act in facts.values_list("act", flat=True))


def _counts(root_id: UUID) -> dict[str, int]:
    kinds = ("timer_fired", "child_rescued", "late_answer", "deadline_passed", "root_ended")
    found = list(Receipt.objects.filter(root=root_id).values_list("kind", flat=True))
    return {kind: found.count(kind) for kind in kinds}


def expected(root: Root) -> dict[str, Any]:
    """Say the same of a Root of the model."""
    children = root.children.values()
    other = {"bull": "bear", "bear": "bull"}
    return {
        "root": (root.state, root.cause, root.result, root.end_reason),
        "plan": root.pattern,
        "executions": {
            one.role: (one.state, one.wakes, one.rescues, one.end_reason) for one in children
        },
        "owed": sorted(one.role for one in children if one.state == "ready"),
        "requests": {
            one.place: (one.purpose, one.state, one.outcome, one.tools) for one in root.requests
        },
        "calls": (root.calls_spent, root.counted("sealed")),
        "tools": (root.tools_spent, root.tools_reserved, root.tools_ran),
        "openings": sorted(zip(root.openings, root.statements, strict=True)),
        "offer": root.offer,
        "pair": (root.pair, root.pair_end),
        "half-rounds": [
            (one.round, one.kind, one.outcome, one.attempts)
            for one in sorted(root.halves, key=lambda one: (one.round, one.kind))
        ],
        "messages": [
            (number, one.kind, one.sender, other[one.sender], one.text)
            for number, one in enumerate(root.messages, start=1)
        ],
        "delivered": root.delivered(),
        "refused": list(root.refused),
        "claims": {
            handle: (one.author, one.is_contested, one.is_conceded)
            for handle, one in root.claims.items()
        },
        "timers": len(root.timers),
        "receipts": {
            "timer_fired": sum(fired for _, fired in root.timers),
            "child_rescued": sum(one.rescues for one in children),
            "late_answer": sum(one.late for one in root.requests),
            "deadline_passed": int(root.is_past_deadline),
            "root_ended": int(root.has_ended),
        },
        "decisions": sorted(one.decision for one in root.requests if one.decision),
        "dispositions": len(root.claims) if root.synthesis else 0,
        "reports": int(root.has_ended),
    }
