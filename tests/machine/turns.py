"""The model's rules: whose turn it is, what a turn needs next, and why an exchange ends.

Source: design.md D5, D7 (the table), D9, D10, D17; written from there, not from the product.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.machine.facts import Half, Request, Root

MAX_ATTEMPTS = 2
MAX_REPEATS = 5
MAX_WITH_TOOLS = 6
MAX_REFUSALS = 2
SETTLES = frozenset({"valid", "refused_send", "late"})
PARTIAL = frozenset(
    {
        "cancelled",
        "deadline",
        "budget",
        "participant_ended",
        "outcome_unknown",
        "context_full",
        "provider_unavailable",
        "extraction_failed",
        "mutual_wait",
    }
)


@dataclass(frozen=True)
class Slot:
    """A turn that an execution has now; `compile` is Main's last, without a call."""

    purpose: str
    turn: int = 1
    round: int = 0


@dataclass(frozen=True)
class Next:
    """What a turn needs: ask, repeat, wait, hold, over."""

    what: str
    attempt: int = 0
    n: int = 1
    offers_tools: bool = False
    how: str = ""


COMPILE = Slot("compile")


def peers_may_work(root: Root, now: int) -> bool:
    """Whether research and exchange may still ask models."""
    return root.state == "open" and now < root.peers_stop_at


def next_half(root: Root) -> tuple[str, Slot] | None:
    """Say whose half-round is next in an open pair, or that no round is left."""
    if not root.halves:
        return "bear", Slot("challenge", 2, 1)
    last = root.halves[-1]
    if last.outcome == "spent":
        return "bear" if last.kind == "challenge" else "bull", Slot(
            last.kind, 1 + last.round, last.round
        )
    if last.outcome == "closed":
        return None
    if (last.kind, last.outcome) == ("challenge", "accepted"):
        return "bull", Slot("response", 1 + last.round, last.round)
    if last.round < root.terms.rounds:
        return "bear", Slot("challenge", 2 + last.round, last.round + 1)
    return None


def duty(root: Root, role: str, now: int) -> Slot | None:
    """Say what an execution must do now, or that it waits."""
    if root.has_ended or root.ended(role):
        return None
    if role == "main":
        return _duty_of_main(root, now)
    if not peers_may_work(root, now) or not root.pattern:
        return None
    if role not in root.openings:
        return Slot("opening")
    if not root.pair or root.pair_end:
        return None
    whose = next_half(root)
    return whose[1] if whose and whose[0] == role else None


def _duty_of_main(root: Root, now: int) -> Slot | None:
    if not root.pattern and peers_may_work(root, now):
        return Slot("plan")
    if any(child.role != "main" for child in root.live()):
        return None
    over = root.cause == "cancelled" or now >= root.deadline_at
    return COMPILE if root.synthesis or over or not root.openings else Slot("synthesis", 2)


def needs(root: Root, role: str, slot: Slot, now: int) -> Next:
    """Say what a turn needs next, from its requests in order."""
    asked = root.turn(role, slot.turn)
    with_tools = slot.purpose in {"opening", "challenge", "response"}
    if not asked:
        return Next("ask", 1, 1, with_tools)
    last = asked[-1]
    if last.state == "rejected":
        rejections = sum(one.state == "rejected" for one in asked)
        if last.retry_at is None or rejections > MAX_REPEATS:
            return Next("over", how="provider_unavailable")
        if now < last.retry_at:
            return Next("wait")
        return Next("ask", last.attempt, last.n + 1, with_tools and _tools_left(asked))
    if last.state == "outcome_unknown":
        return _after_unknown(root, slot, last, with_tools=with_tools)
    assert last.state == "answered", "a turn is looked at while its request is under way"
    assert last.outcome not in SETTLES, f"a turn is asked again after {last.outcome}"
    if last.outcome == "tool_calls":
        return Next("ask", last.attempt, last.n + 1, with_tools and _tools_left(asked))
    if last.attempt < MAX_ATTEMPTS:
        return Next("ask", last.attempt + 1, 1, with_tools)
    return Next("over", how="invalid_output")


def _after_unknown(root: Root, slot: Slot, last: Request, *, with_tools: bool) -> Next:
    given_up = Next("over", how="outcome_unknown")
    if last.attempt >= MAX_ATTEMPTS:
        return given_up
    again = Next("repeat", last.attempt + 1)
    if not slot.round:
        anew = slot.purpose in {"opening", "synthesis"}
        return Next("ask", last.attempt + 1, 1, with_tools) if anew else given_up
    if root.terms.policy == "hold":
        return {"": Next("hold"), "reask": again, "abandon": given_up}[last.decision]
    return again if root.terms.policy == "reask" else given_up


def _tools_left(asked: list[Request]) -> bool:
    attempt = asked[-1].attempt
    used = sum(one.attempt == attempt and one.outcome == "tool_calls" for one in asked)
    return used < MAX_WITH_TOOLS


def waits(root: Root, role: str, now: int) -> bool:
    """Whether an execution's next request is due only when a timer fires, or an operator decides."""
    slot = duty(root, role, now)
    return (
        slot is not None
        and slot is not COMPILE
        and needs(root, role, slot, now).what in {"wait", "hold"}
    )


def held(root: Root, now: int) -> Request | None:
    """Return the request about which an operator must decide, if there is one."""
    for role in root.children:
        slot = duty(root, role, now)
        if slot is None or not slot.round:
            continue
        asked = root.turn(role, slot.turn)
        unknown = bool(asked) and asked[-1].state == "outcome_unknown"
        if unknown and needs(root, role, slot, now).what == "hold":
            return asked[-1]
    return None


def may_offer(root: Root) -> bool:
    """Whether the author of the first opening proposes a pair now."""
    planned = root.pattern == "dialogue" and not root.end_reason
    return planned and not (root.offer or root.pair) and len(root.openings) == 1


def may_freeze(root: Root, now: int) -> bool:
    """Whether a pair can be formed now."""
    return (
        root.pattern == "dialogue"
        and not root.pair
        and not root.end_reason
        and peers_may_work(root, now)
        and {"bull", "bear"} <= root.openings.keys()
        and not (root.ended("bull") or root.ended("bear"))
    )


def why_no_pair(root: Root, now: int) -> str:
    """Say why a planned dialogue cannot form its pair any more."""
    if root.pattern != "dialogue" or root.pair or root.end_reason:
        return ""
    if root.cause == "cancelled":
        return "cancelled"
    if not peers_may_work(root, now):
        return "deadline"
    return "participant_ended" if root.ended("bull") or root.ended("bear") else ""


def why_over(root: Root, now: int) -> str:
    """Say why an open pair ends now: the first reason of D10 that holds."""
    last = root.halves[-1] if root.halves else Half(0, "", "")
    over = next_half(root) is None
    under_way = last.outcome == "spent"
    asked = any((one.kind, one.outcome) == ("challenge", "accepted") for one in root.halves)
    challenged = [status for status in root.statuses().values() if status != "OPEN"]
    conceded = bool(challenged) and set(challenged) == {"CONCEDED"}
    closed = last.outcome == "closed"
    reasons = [
        ("cancelled", root.cause == "cancelled"),
        ("deadline", root.cause == "deadline" or now >= root.peers_stop_at),
        ("budget", not (over or under_way or root.can_call())),
        ("participant_ended", root.ended("bull") or root.ended("bear")),
        ("outcome_unknown", last.outcome == "unknown"),
        ("refused_scope", len(root.refused) >= MAX_REFUSALS),
        ("invalid_output", over and last.outcome == "invalid"),
        ("provider_unavailable", over and last.outcome == "unused"),
        ("no_strong_counterexample", closed and not asked),
        ("settled", conceded and not under_way),
        ("declined", closed),
        ("max_rounds", over),
    ]
    return next((reason for reason, holds in reasons if holds), "")


def is_through(root: Root, role: str, now: int) -> bool:
    """Whether a child has nothing more to do."""
    if role not in root.children or root.ended(role):
        return False
    if not peers_may_work(root, now):
        return True
    if role not in root.openings:
        return False
    return root.pattern != "dialogue" or bool(root.end_reason or root.pair_end)
