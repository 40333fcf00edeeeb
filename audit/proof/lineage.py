"""Lineage: what a text may depend on, and whether its reader may see all of it.

    part ──▶ its record's lineage          request ──▶ union of its parts'
    text of an answer ──▶ its request's    tool result ──▶ its request's and its inputs'

Source: design.md D14; scenarios.md, the oracle 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from audit.proof.evidence import Evidence
from audit.proof.frozen import labels_of
from audit.proof.parts import opening_line, part_place
from audit.proof.runtime_rows import PartRow, RequestRow
from audit.proof.verdict import require

_SIDES = frozenset({"bull", "bear"})
_SHARED = frozenset({"opening", "challenge", "response"})
_OF_A_TOOL = frozenset({"tool_result", "tool_arguments"})


def every_part_carries_its_records_lineage(evidence: Evidence) -> int:
    """No part stands in a request with fewer labels than its record has."""
    for part in evidence.record.parts:
        request = evidence.request(part.request_id, f"part {part.ordinal} ({part.kind})")
        place = part_place(evidence, request, part)
        right = tuple(part.lineage) == tuple(_lineage(evidence, part, place))
        require(right, place, "its lineage is not its record's")
    return len(evidence.record.parts)


def every_requests_lineage_is_its_parts_union(evidence: Evidence) -> int:
    """A text depends on all that stood in the request that produced it, not on what it cites."""
    for request in evidence.record.requests:
        union = {label for part in evidence.parts(request) for label in part.lineage}
        right = list(request.lineage) == sorted(union)
        require(right, evidence.place_of(request), "its lineage is not the union of its parts'")
    return len(evidence.record.requests)


def every_text_carries_its_requests_lineage(evidence: Evidence) -> int:
    """Openings, messages, findings, claims and tool results inherit it."""
    record = evidence.record
    for opening in record.openings:
        place = f"opening of {evidence.role(opening.child_id, 'opening')}"
        _inherits(evidence, opening.lineage, opening.request_id, place)
    for message in record.messages:
        _inherits(evidence, message.lineage, message.request_id, f"message M{message.number}")
    for finding in record.findings:
        _inherits(evidence, finding.lineage, finding.request_id, f"finding F{finding.number}")
    for call in record.tool_calls:
        place = f"tool call T{call.number}"
        request = evidence.request(call.request_id, place)
        union = sorted({*request.lineage, *call.used})
        require(list(call.lineage) == union, place, "its lineage is not its request's and inputs'")
    for claim in record.claims:
        place = f"claim C{claim.number}"
        origin: Sequence[str]
        if claim.opening_id:
            origin = evidence.opening(claim.opening_id, place).lineage
        else:
            origin = evidence.message(claim.message_id or "", place).lineage
        require(claim.lineage == origin, place, "its lineage is not its origin's")
    return sum(
        map(
            len,
            (record.openings, record.messages, record.findings, record.tool_calls, record.claims),
        )
    )


def nobody_was_shown_what_he_may_not_see(evidence: Evidence) -> int:
    """Each request's whole lineage is covered by its execution's authorization."""
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        allowed = labels_of(evidence.child(request.child_id, place), place)
        require(
            allowed.issuperset(request.lineage), place, "it holds what its execution may not see"
        )
    return len(evidence.record.requests)


def every_messages_lineage_may_flow_to_its_recipient(evidence: Evidence) -> int:
    """An accepted message's whole lineage is covered by its recipient's authorization."""
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        allowed = labels_of(evidence.child(message.recipient_id, place), place)
        require(allowed.issuperset(message.lineage), place, "its recipient may not see all of it")
    return len(evidence.record.messages)


def openings_and_exchange_are_built_from_what_both_may_see(evidence: Evidence) -> int:
    """But for what an execution asked for by a tool in that very attempt; and nothing of private research."""
    planned = any(plan.pattern == "dialogue" for plan in evidence.record.plans)
    sides = {child.role: child for child in evidence.record.children if child.role in _SIDES}
    if not planned or len(sides) < len(_SIDES):
        return 0
    both = labels_of(sides["bull"], "bull") & labels_of(sides["bear"], "bear")
    requests = [one for one in evidence.record.requests if one.purpose in _SHARED]
    for request in requests:
        for part in evidence.parts(request):
            place = part_place(evidence, request, part)
            require(part.kind != "finding", place, "a finding is for Main only")
            if part.kind in _OF_A_TOOL:
                asked_in = evidence.tool_call(part.record, place).request_id
                other = evidence.request(asked_in, place)
                require(other.purpose != "research", place, "it is of private research")
                if (other.turn, other.attempt) == (request.turn, _attempt(evidence, request)):
                    continue
            require(both.issuperset(part.lineage), place, "the other side may not see it")
    return len(requests)


def _attempt(evidence: Evidence, request: RequestRow) -> int:
    """Return the attempt whose bytes a request is; one that repeats another has the other's."""
    while request.repeats_id:
        request = evidence.request(request.repeats_id, evidence.place_of(request))
    return request.attempt


def nothing_was_shown_before_it_was_on_record(evidence: Evidence) -> int:
    """Each part's record has its receipt before the seal of the request that holds it."""
    for part in evidence.record.parts:
        request = evidence.request(part.request_id, f"part {part.ordinal} ({part.kind})")
        place = part_place(evidence, request, part)
        sealed = evidence.seq("request_sealed", request.act, place)
        require(_recorded(evidence, part, place) < sealed, place, "its record came later")
    return len(evidence.record.parts)


def _inherits(evidence: Evidence, lineage: Sequence[str], request_id: str, place: str) -> None:
    request = evidence.request(request_id, place)
    require(list(lineage) == list(request.lineage), place, "its lineage is not its request's")


def _lineage(evidence: Evidence, part: PartRow, place: str) -> Sequence[str]:
    find = _LINEAGE.get(part.kind)
    return find(evidence, part, place) if find else ()


_LINEAGE: Mapping[str, Callable[[Evidence, PartRow, str], Sequence[str]]] = {
    # a prompt is the host's own and has none
    "question": lambda e, _part, _place: (e.label,),
    "opening": lambda e, part, place: e.opening(part.record, place).lineage,
    "opening_line": lambda e, part, place: e.opening(opening_line(part, place)[0], place).lineage,
    "tool_result": lambda e, part, place: e.tool_call(part.record, place).lineage,
    "tool_arguments": lambda e, part, place: (
        e.request(e.tool_call(part.record, place).request_id, place).lineage
    ),
    "message": lambda e, part, place: e.message(part.record, place).lineage,
    "claim_quote": lambda e, part, place: e.claim(part.record, place).lineage,
    "finding": lambda e, part, place: e.finding(part.record, place).lineage,
}


def _recorded(evidence: Evidence, part: PartRow, place: str) -> int:
    match part.kind:
        case "prompt" | "question":
            return evidence.seq("root_created", evidence.root.id, place)
        case "opening" | "opening_line":
            opening = evidence.opening(part.record.split(":")[0], place)
            return evidence.seq("opening_accepted", opening.request_id, place)
        case "tool_result" | "tool_arguments":
            return evidence.seq("tool_called", evidence.tool_call(part.record, place).act, place)
        case "message":
            return evidence.seq(
                "message_accepted", evidence.message(part.record, place).act, place
            )
        case "claim_quote":
            return evidence.seq("claim_recorded", part.record, place)
        case _:
            return evidence.seq(
                "finding_recorded", evidence.finding(part.record, place).act, place
            )
