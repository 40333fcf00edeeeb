"""What followed an unknown outcome: bytes that were sent again, and the decisions of operators.

Source: design.md D10.
"""

from __future__ import annotations

from audit.proof.evidence import Evidence
from audit.proof.verdict import require


def every_repeated_request_repeats_an_unknown_one(evidence: Evidence) -> int:
    """The same bytes went out again as the next attempt, because policy or an operator said so."""
    policy = evidence.root.configuration.get("unknown_policy")
    asked_again = {one.request_id for one in evidence.record.decisions if one.kind == "reask"}
    count = 0
    for request in evidence.record.requests:
        if request.repeats_id is None:
            continue
        place = evidence.place_of(request)
        unknown = evidence.request(request.repeats_id, place)
        require(unknown.state == "outcome_unknown", place, "what it repeats is not unknown")
        same = (unknown.child_id, unknown.turn, unknown.purpose, unknown.attempt + 1, 1)
        its = (request.child_id, request.turn, request.purpose, request.attempt, request.n)
        require(its == same, place, "it is not the next attempt of what it repeats")
        require(request.body_sha256 == unknown.body_sha256, place, "its bytes are others")
        allowed = policy == "reask" or (policy == "hold" and unknown.id in asked_again)
        require(allowed, place, "neither policy nor an operator asked for it")
        count += 1
    return count


def every_decision_is_about_a_held_request(evidence: Evidence) -> int:
    """An operator decided about a half-round's request of unknown outcome, under the policy `hold`."""
    for one in evidence.record.decisions:
        place = f"decision {one.kind}"
        request = evidence.request(one.request_id, place)
        require(one.kind in {"reask", "abandon"}, place, "it is of an unknown kind")
        held = evidence.root.configuration.get("unknown_policy") == "hold"
        require(held, place, "the Root's policy asks for none")
        half = request.purpose in {"challenge", "response"}
        unknown = half and request.state == "outcome_unknown"
        require(unknown, place, "its request is no half-round's of unknown outcome")
        decided = evidence.seq("decision_recorded", one.id, place)
        known = evidence.seq("request_outcome_unknown", request.act, place)
        require(known < decided, place, "it was decided before the outcome was unknown")
    return len(evidence.record.decisions)
