"""The budget: what the Root says was spent and is reserved, recomputed from its requests.

Source: design.md D5, D17.
"""

from __future__ import annotations

from collections import Counter

from audit.proof.evidence import Evidence
from audit.proof.reading import Fact, read_json
from audit.proof.runtime_rows import RequestRow
from audit.proof.verdict import Bad, require
from audit.proof.vocabulary import ENDED_ROOT

_DEBITED = frozenset({"answered", "outcome_unknown"})


def model_calls_are_what_was_sealed_and_not_rejected(evidence: Evidence) -> int:
    """A rejected call is refunded, an unknown one stays debited."""
    root, requests = evidence.root, evidence.record.requests
    spent = sum(request.state in _DEBITED for request in requests)
    live = sum(request.state == "sealed" for request in requests)
    _equal("model calls spent", root.model_calls_spent, spent)
    _equal("model calls reserved", root.model_calls_reserved, live)
    require(
        spent + live <= root.model_calls_limit, "Root", "more model calls were made than allowed"
    )
    return len(requests)


def tokens_are_what_the_answers_say(evidence: Evidence) -> int:
    """An answer without figures, and an unknown outcome, cost what was reserved."""
    root, requests = evidence.root, evidence.record.requests
    spent = sum(_tokens(request) for request in requests if request.state in _DEBITED)
    live = sum(request.reserved_tokens for request in requests if request.state == "sealed")
    _equal("tokens spent", root.tokens_spent, spent + tokens_billed_late(evidence))
    _equal("tokens reserved", root.tokens_reserved, live)
    return len(requests)


def tool_calls_are_what_ran(evidence: Evidence) -> int:
    """Calls past what their request reserved were refused and cost nothing."""
    root, requests = evidence.root, evidence.record.requests
    ran = Counter(call.request_id for call in evidence.record.tool_calls)
    spent = sum(min(ran[r.id], r.reserved_tool_calls) for r in requests if r.state == "answered")
    spent += sum(r.reserved_tool_calls for r in requests if r.state == "outcome_unknown")
    live = sum(r.reserved_tool_calls for r in requests if r.state == "sealed")
    _equal("tool calls spent", root.tool_calls_spent, spent)
    _equal("tool calls reserved", root.tool_calls_reserved, live)
    require(spent + live <= root.tool_calls_limit, "Root", "more tools were called than allowed")
    return len(evidence.record.tool_calls)


def nothing_is_reserved_at_an_ended_root(evidence: Evidence) -> int:
    """Every reservation was settled."""
    root = evidence.root
    if root.state not in ENDED_ROOT:
        return 0
    reserved = (root.model_calls_reserved, root.tokens_reserved, root.tool_calls_reserved)
    require(reserved == (0, 0, 0), "Root", "it has ended and still holds a reservation")
    return 1


def tokens_billed_late(evidence: Evidence, *, after_end: bool = False) -> int:
    """Return what late answers cost beyond what their requests had reserved.

    Args:
        evidence: the record.
        after_end: only those that came after the Root's end.
    """
    end = evidence.fact("root_ended", evidence.root.id)
    return sum(
        _late(evidence, fact)
        for fact in evidence.facts
        if fact.kind == "late_answer" and not (after_end and end and fact.seq < end.seq)
    )


def _late(evidence: Evidence, fact: Fact) -> int:
    request = evidence.request(str(fact.subjects.get("request", "")), fact.place)
    raw = evidence.raw(str(fact.subjects.get("content", "")), fact.place)
    try:
        prompt, completion = usage_of(read_json(raw, fact.place, "the late answer"))
    except Bad:  # it need not be a completion: then it says nothing of what it cost
        return 0
    if prompt is None or completion is None:
        return 0
    return max(0, prompt + completion - request.reserved_tokens)


def usage_of(completion: object) -> tuple[int | None, int | None]:
    """Return the tokens that a completion object says it read and wrote, where it does."""
    usage = completion.get("usage") if isinstance(completion, dict) else None
    if not isinstance(usage, dict):
        return None, None
    return _figure(usage.get("prompt_tokens")), _figure(usage.get("completion_tokens"))


def _figure(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _tokens(request: RequestRow) -> int:
    if request.prompt_tokens is None or request.completion_tokens is None:
        return request.reserved_tokens
    return request.prompt_tokens + request.completion_tokens


def _equal(name: str, said: int, found: int) -> None:
    require(said == found, "Root", f"it says {said} {name}, and its requests make {found}")
