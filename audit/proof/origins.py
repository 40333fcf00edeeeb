"""Origins: each text on record is, to the letter, what the stored response says.

Texts are kept twice, in the response and as a record of their own; here the two are compared.

Source: design.md D6, D8, D12, D18.
"""

from __future__ import annotations

from collections import Counter

from audit.proof.evidence import Evidence
from audit.proof.parts import asked_call
from audit.proof.reading import mapping, sequence
from audit.proof.research_rows import ToolCallRow
from audit.proof.verdict import Unknown, require
from audit.proof.vocabulary import VALID, WITH_REFUSED_SEND, WITH_TOOL_CALLS

_NAME_CHARACTERS = 64
# For each kind of finding: what its answer is worth, and the field of it that is the finding.
_FINDINGS = {
    "refused_send": (WITH_REFUSED_SEND, "text"),
    "private_research": (VALID, "finding"),
}


def the_plan_follows_wish_and_answer(evidence: Evidence) -> int:
    """What Main proposed stands in its answer, and the user's wish was kept."""
    for plan in evidence.record.plans:
        wished = evidence.root.configuration.get("dialogue")
        require(plan.wished == wished, "plan", "it names another wish than was frozen")
        if plan.request_id:
            answer = evidence.valid_answer(plan.request_id, "plan")
            require(answer.get("pattern") == plan.proposed, "plan", "Main proposed something else")
        else:
            require(not plan.proposed, "plan", "it names a proposal and no answer")
        require(
            (plan.pattern, plan.decided_by) == _decided(wished, plan.proposed),
            "plan",
            "wish and proposal make another decision",
        )
    return len(evidence.record.plans)


def _decided(wished: object, proposed: str) -> tuple[str, str]:
    if wished == "require":
        return "dialogue", "user"
    if wished == "exclude" and proposed in {"", "dialogue"}:
        return "parallel", "user"
    return (proposed, "main") if proposed else ("parallel", "host")


def every_opening_is_what_its_answer_says(evidence: Evidence) -> int:
    """The statement equals the answer's, and so do the claims it states."""
    for opening in evidence.record.openings:
        place = f"opening of {evidence.role(opening.child_id, 'opening')}"
        answer = evidence.valid_answer(opening.request_id, place)
        request = evidence.request(opening.request_id, place)
        require(
            (request.child_id, request.purpose) == (opening.child_id, "opening"),
            place,
            "it comes from another execution's request",
        )
        said = evidence.text(opening.statement_id, place)
        require(answer.get("statement") == said, place, "its stored response says something else")
        digest = evidence.salted(opening.statement_id, place)
        require(digest == opening.statement_digest, place, "its statement has another digest")
    return len(evidence.record.openings)


def every_message_is_what_its_answer_says(evidence: Evidence) -> int:
    """Text, kind, evidence and claims equal those of the answer in the stored response."""
    for message in evidence.record.messages:
        place = f"message M{message.number}"
        answer = evidence.valid_answer(message.request_id, place)
        require(message.field == "text", place, "it names another field of the answer")
        said = evidence.text(message.text_id, place)
        require(answer.get("text") == said, place, "its stored response says something else")
        digest = evidence.salted(message.text_id, place)
        require(digest == message.text_digest, place, "its text has another digest")
        require(answer.get("kind") == message.kind, place, "its answer is of another kind")
        cited = answer.get("evidence")
        require(cited == list(message.evidence), place, "its answer cites other evidence")
        if message.kind == "response":
            answers = sequence(answer.get("answers"), place, "the answer's answers")
            claims = [mapping(one, place, "an answer").get("claim") for one in answers]
        else:
            claims = list(dict.fromkeys(sequence(answer.get("claims"), place, "its claims")))
        require(claims == list(message.about), place, "its answer is about other claims")
    return len(evidence.record.messages)


def every_finding_is_what_its_answer_says(evidence: Evidence) -> int:
    """The text of a finding equals that of the answer in the stored response."""
    for finding in evidence.record.findings:
        place = f"finding F{finding.number}"
        if finding.kind not in _FINDINGS:
            raise Unknown(place, f"its kind is {finding.kind!r}, which is not known")
        worth, field = _FINDINGS[finding.kind]
        answer = evidence.valid_answer(finding.request_id, place, worth=worth)
        said = evidence.text(finding.text_id, place)
        require(answer.get(field) == said, place, "its stored response says something else")
        digest = evidence.salted(finding.text_id, place)
        require(digest == finding.text_digest, place, "its text has another digest")
        require(finding.act == f"{finding.request_id}:0", place, "its act names another answer")
        asked = evidence.request(finding.request_id, place)
        require(asked.child_id == finding.child_id, place, "it comes from another execution")
    refused = [r for r in evidence.record.requests if r.outcome_class == WITH_REFUSED_SEND]
    found = {finding.request_id for finding in evidence.record.findings}
    for request in refused:
        require(request.id in found, evidence.place_of(request), "its refused send has no finding")
    return len(evidence.record.findings)


def every_tool_call_was_asked_for(evidence: Evidence) -> int:
    """Each stands at its place in the stored response; what ran was issued and is the frozen version."""
    calls = Counter(call.request_id for call in evidence.record.tool_calls)
    for call in evidence.record.tool_calls:
        _check_call(evidence, call)
    for request in evidence.record.requests:
        if request.outcome_class != WITH_TOOL_CALLS:
            continue
        place = evidence.place_of(request)
        asked = sequence(evidence.reply(request).get("tool_calls"), place, "its tool calls")
        functions = [c for c in asked if isinstance(c, dict) and c.get("type") == "function"]
        require(calls[request.id] == len(functions), place, "a tool call of it is not on record")
    return len(evidence.record.tool_calls)


def _check_call(evidence: Evidence, call: ToolCallRow) -> None:
    place = f"tool call T{call.number}"
    request = evidence.request(call.request_id, place)
    right = (request.state, request.outcome_class) == ("answered", WITH_TOOL_CALLS)
    require(right, place, "it rests on an answer that asks for no tools")
    require(request.child_id == call.child_id, place, "another execution asked for it")
    require(call.act == f"{call.request_id}:{call.index}", place, "its act names another place")
    name = str(asked_call(evidence, call, place)["function"].get("name"))
    require(name[:_NAME_CHARACTERS] == call.name, place, "the answer names another tool")
    digest = evidence.salted(call.result_id, place)
    require(digest == call.result_digest, place, "its result has another digest")
    if call.refusal:
        require(not call.used, place, "it was refused and used a source")
        return
    child = evidence.child(call.child_id, place)
    issued = sequence(child.authorization.get("tools"), place, "the issued tools")
    require(call.name in issued, place, "it ran and was not issued")
    tools = mapping(evidence.root.configuration.get("tools"), place, "the frozen tools")
    require(tools.get(call.name) == call.version, place, "its version is not the frozen one")
    frozen = sequence(evidence.root.configuration.get("sources"), place, "the frozen sources")
    require(frozenset(call.used) <= frozenset(frozen), place, "it used a source not in the Root")


def every_valid_answer_had_its_effect(evidence: Evidence) -> int:
    """A valid opening, plan or synthesis is on record; a valid half-round brought a message or closed it."""
    record = evidence.record
    used = {plan.request_id for plan in record.plans}
    used |= {opening.request_id for opening in record.openings}
    used |= {message.request_id for message in record.messages}
    used |= {finding.request_id for finding in record.findings}
    count = 0
    for request in record.requests:
        if request.outcome_class != VALID:
            continue
        place = evidence.place_of(request)
        require(request.state == "answered", place, "it is valid and not answered")
        closing = evidence.answer(request).get("kind") == "no_further"
        if request.purpose != "synthesis" and not closing:
            require(request.id in used, place, "its valid answer had no effect on record")
        count += 1
    return count
