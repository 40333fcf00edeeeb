"""Parts: what stood in a request is what is on record, byte for byte.

Source: design.md D4, D6, D14.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping

from audit.proof.evidence import Evidence
from audit.proof.reading import mapping, sequence, text
from audit.proof.research_rows import ToolCallRow
from audit.proof.runtime_rows import PartRow, RequestRow
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import PART_KINDS

_LISTS = ("unknown", "would_change")
_FIELDS_OF_A_LINE = 3


def part_place(evidence: Evidence, request: RequestRow, part: PartRow) -> str:
    """Name a part in words."""
    return f"part {part.ordinal} ({part.kind}) of {evidence.place_of(request)}"


def every_part_is_of_a_request(evidence: Evidence) -> int:
    """Parts are numbered from nought, in the order in which they stand, and do not overlap."""
    for part in evidence.record.parts:
        evidence.request(part.request_id, f"part {part.ordinal} ({part.kind})")
    for request in evidence.record.requests:
        end = 0
        for ordinal, part in enumerate(evidence.parts(request)):
            place = part_place(evidence, request, part)
            require(part.ordinal == ordinal, place, f"part {ordinal} is missing before it")
            require(end <= part.byte_start <= part.byte_end, place, "it overlaps another part")
            end = part.byte_end
        raw = evidence.raw(request.body_id, evidence.place_of(request))
        require(end <= len(raw), evidence.place_of(request), "a part ends after its body")
    return len(evidence.record.parts)


def every_slice_is_its_records_text(evidence: Evidence) -> int:
    """Each slice, decoded, is the text of the record it names."""
    for request in evidence.record.requests:
        raw = evidence.raw(request.body_id, evidence.place_of(request))
        for part in evidence.parts(request):
            _check_slice(evidence, request, part, raw)
    return len(evidence.record.parts)


def _check_slice(evidence: Evidence, request: RequestRow, part: PartRow, raw: bytes) -> None:
    place = part_place(evidence, request, part)
    piece = raw[part.byte_start : part.byte_end]
    require(
        hashlib.sha256(piece).hexdigest() == part.sha256, place, "its slice has another digest"
    )
    try:
        shown = json.loads(b'"' + piece + b'"')
    except (ValueError, RecursionError) as error:
        raise Bad(place, "its slice is no text of a JSON string") from error
    if part.kind not in PART_KINDS:
        raise Unknown(place, "its kind is not known")
    if part.kind == "prompt":
        prompts = mapping(evidence.root.configuration.get("prompts"), place, "the frozen prompts")
        digest = hashlib.sha256(str(shown).encode()).hexdigest()
        require(prompts.get(part.record) == digest, place, "it is not the frozen prompt")
        return
    require(shown == _TEXT[part.kind](evidence, part, place), place, "it is not its record's text")


def every_request_holds_its_roles_prompts(evidence: Evidence) -> int:
    """Each execution is asked with the common prompt and with that of its role and purpose."""
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        wanted = ["common", f"{evidence.role(request.child_id, place)}_{request.purpose}"]
        require(evidence.shown(request, "prompt") == wanted, place, "it holds other prompts")
    return len(evidence.record.requests)


def _question(evidence: Evidence, part: PartRow, place: str) -> str:
    require(part.record == evidence.root.id, place, "it is of another Root")
    return evidence.text(evidence.root.question_id, place)


def _opening(evidence: Evidence, part: PartRow, place: str) -> str:
    return evidence.text(evidence.opening(part.record, place).statement_id, place)


def _opening_line(evidence: Evidence, part: PartRow, place: str) -> str:
    opening_id, name, index = opening_line(part, place)
    opening = evidence.opening(opening_id, place)
    answer = evidence.valid_answer(opening.request_id, place)
    lines = sequence(answer.get(name), place, f"its opening's {name}")
    require(index < len(lines), place, "its opening has no such line")
    return text(lines[index], place, "the line")


def opening_line(part: PartRow, place: str) -> tuple[str, str, int]:
    """Return the opening, list and index that a line's record names."""
    fields = part.record.split(":")
    right = len(fields) == _FIELDS_OF_A_LINE and fields[1] in _LISTS and fields[2].isdecimal()
    require(right, place, "it names no line of an opening")
    return fields[0], fields[1], int(fields[2])


def _tool_result(evidence: Evidence, part: PartRow, place: str) -> str:
    return evidence.text(evidence.tool_call(part.record, place).result_id, place)


def _tool_arguments(evidence: Evidence, part: PartRow, place: str) -> str:
    call = asked_call(evidence, evidence.tool_call(part.record, place), place)
    return text(call["function"].get("arguments"), place, "the call's arguments")


def asked_call(
    evidence: Evidence, row: ToolCallRow, place: str
) -> Mapping[str, Mapping[str, str]]:
    """Return a tool call as the stored response asks for it; only function calls are counted."""
    request = evidence.request(row.request_id, place)
    calls = sequence(evidence.reply(request).get("tool_calls"), place, "the answer's tool calls")
    functions = [one for one in calls if isinstance(one, dict) and one.get("type") == "function"]
    require(row.index < len(functions), place, "the answer does not ask for it")
    mapping(functions[row.index].get("function"), place, "the call's function")
    return dict(functions[row.index])


def _message(evidence: Evidence, part: PartRow, place: str) -> str:
    return evidence.text(evidence.message(part.record, place).text_id, place)


def _claim_quote(evidence: Evidence, part: PartRow, place: str) -> str:
    return evidence.text(evidence.claim(part.record, place).quote_id, place)


def _finding(evidence: Evidence, part: PartRow, place: str) -> str:
    return evidence.text(evidence.finding(part.record, place).text_id, place)


_TEXT: Mapping[str, Callable[[Evidence, PartRow, str], str]] = {
    "question": _question,
    "opening": _opening,
    "opening_line": _opening_line,
    "tool_result": _tool_result,
    "tool_arguments": _tool_arguments,
    "message": _message,
    "claim_quote": _claim_quote,
    "finding": _finding,
}
