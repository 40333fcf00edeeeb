"""Requests and responses: the bytes that went out and the bytes that came.

Source: design.md D4, D5, D8.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping

from audit.proof.budget import usage_of
from audit.proof.evidence import Evidence
from audit.proof.reading import Fact, first_choice, mapping, read_json
from audit.proof.runtime_rows import RequestRow
from audit.proof.verdict import require
from audit.proof.vocabulary import OUTCOME_KINDS

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Who may be asked what, in which turn; an exchange's turns count its rounds from the second on.
_TURNS: Mapping[str, tuple[str, int | None]] = {
    "plan": ("main", 1),
    "research": ("bull bear", 0),
    "opening": ("researcher bull bear", 1),
    "synthesis": ("main", 2),
    "challenge": ("bear", None),
    "response": ("bull", None),
}


def every_sealed_body_has_its_digest(evidence: Evidence) -> int:
    """The bytes on record are those that were sealed."""
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        raw = evidence.raw(request.body_id, place)
        require(_sha256(raw) == request.body_sha256, place, "its bytes are not the sealed ones")
    return len(evidence.record.requests)


def every_act_names_its_place(evidence: Evidence) -> int:
    """A request's identity is its execution, turn, attempt and number; none is left out."""
    turns: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        act = f"{request.child_id}:{request.turn}:{request.attempt}:{request.n}"
        require(request.act == act, place, "its act names another place")
        roles, turn = _TURNS.get(request.purpose, ("", None))
        role = evidence.role(request.child_id, place)
        require(role in roles.split(), place, f"{role} is not asked for that")
        right = request.turn > 1 if turn is None else request.turn == turn
        require(right, place, "its purpose is of another turn")
        turns[request.child_id, request.turn].append((request.attempt, request.n))
    for (child_id, turn), asked in turns.items():
        place = f"turn {turn} of {evidence.role(child_id, 'turn')}"
        expected = (1, 1)
        for attempt, n in sorted(asked):
            further = (expected[0] + 1, 1) if expected != (1, 1) else expected
            require((attempt, n) in {expected, further}, place, "a request of it is missing")
            expected = (attempt, n + 1)
    return len(evidence.record.requests)


def every_response_has_its_digest(evidence: Evidence) -> int:
    """The bytes on record are those that came; without bytes there is no digest."""
    count = 0
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        if request.response_id is None:
            require(not request.response_sha256, place, "it has a digest and no response")
            require(request.state != "answered", place, "it is answered and has no response")
            continue
        raw = evidence.raw(request.response_id, place)
        require(
            _sha256(raw) == request.response_sha256, place, "its response is not the one recorded"
        )
        count += 1
    return count


def every_answer_says_what_is_recorded_of_it(evidence: Evidence) -> int:
    """Served model, finish reason and usage stand in the stored response."""
    count = 0
    for request in evidence.record.requests:
        said = (
            request.served_model,
            request.finish_reason,
            request.prompt_tokens,
            request.completion_tokens,
        )
        place = evidence.place_of(request)
        # What cannot be read as a completion says nothing of itself.
        if said == ("", "", None, None) and request.outcome_class != "valid":
            continue
        require(request.state == "answered", place, "it is not answered and says what was used")
        require(said == _said(evidence, request), place, "its response says something else")
        count += 1
    return count


def _said(evidence: Evidence, request: RequestRow) -> tuple[object, ...]:
    place = evidence.place_of(request)
    raw = evidence.raw(request.response_id, place)
    completion = mapping(read_json(raw, place, "the response"), place, "the response")
    choice = first_choice(raw, place)
    return (
        _storable(completion.get("model"))[:100],
        _storable(choice.get("finish_reason"))[:32],
        *usage_of(completion),
    )


def every_late_answer_is_kept(evidence: Evidence) -> int:
    """It belongs to a request of unknown outcome, and its bytes have their digest."""
    late = [fact for fact in evidence.facts if fact.kind == "late_answer"]
    for fact in late:
        _check_late(evidence, fact)
    return len(late)


def _check_late(evidence: Evidence, fact: Fact) -> None:
    require(fact.subjects.keys() == {"request", "content"}, fact.place, "it names other things")
    request = evidence.request(str(fact.subjects["request"]), fact.place)
    right = (request.act, request.child_id) == (fact.act, fact.child)
    require(right, fact.place, "it is of another act than its request")
    require(request.state == "outcome_unknown", fact.place, "its request's outcome is not unknown")
    unknown = evidence.seq(OUTCOME_KINDS["outcome_unknown"], request.act, fact.place)
    require(unknown < fact.seq, fact.place, "it stands before its request was given up")
    raw = evidence.raw(str(fact.subjects["content"]), fact.place)
    right = dict(fact.digests) == {"response": _sha256(raw)}
    require(right, fact.place, "its bytes have another digest")


def _storable(value: object) -> str:
    """A word with half a character or a NUL in it was not kept."""
    word = str(value or "")
    return "" if _UNSTORABLE.search(word) else word


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
