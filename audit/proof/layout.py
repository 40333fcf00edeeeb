"""Layout: a body holds its parts, their fences and labels, lines of the host, and nothing else.

All parts are cut out of the body; what is left must be prompts' empty messages, empty fences whose labels
name the very records of the parts, host lines of one line each, and the form of the request.  So no text was
shown that is not on record, and none under another name.

Source: design.md D4, D14, D15.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.proof.evidence import Evidence
from audit.proof.parts import asked_call, opening_line, part_place
from audit.proof.reading import mapping, read_json, sequence, text
from audit.proof.runtime_rows import PartRow, RequestRow
from audit.proof.verdict import require
from audit.proof.vocabulary import UNTRUSTED

_BLOCK = r"\[([^\[\]\n]*)\](?:\n<data ([0-9a-f]{16})>\n\n</data \2>)?"
_BLOCKS = re.compile(rf"{_BLOCK}(?:\n\n{_BLOCK})*")
_ONE = re.compile(_BLOCK)
_KEYS = frozenset({"model", "messages", "max_tokens", "temperature", "tools", "response_format"})


@dataclass(frozen=True, slots=True)
class Gap:
    """A place of a body from which a part was cut, as the body names it."""

    label: str
    nonce: str = ""


def every_body_holds_its_parts_and_nothing_else(evidence: Evidence) -> int:
    """Each text of a body is a part on record, under the label of its own record."""
    for request in evidence.record.requests:
        _check_body(evidence, request)
    return len(evidence.record.requests)


def _check_body(evidence: Evidence, request: RequestRow) -> None:
    place = evidence.place_of(request)
    raw = evidence.raw(request.body_id, place)
    parts = evidence.parts(request)
    body = mapping(read_json(_skeleton(raw, parts), place, "its body"), place, "its body")
    require(body.keys() <= _KEYS, place, "its body has other fields than a request")
    _check_form(evidence, request, body)
    hosts: list[str] = []
    gaps = list(_gaps(body, place, hosts))
    require(len(gaps) == len(parts), place, "its body holds another number of texts than parts")
    for part, gap in zip(parts, gaps, strict=True):
        where = part_place(evidence, request, part)
        right = gap.label == _LABELS[part.kind](evidence, part, where)
        require(right, where, "it stands under another label")
    nonces = {gap.nonce for gap in gaps if gap.nonce}
    require(len(nonces) <= 1, place, "its fences differ")
    _check_task(evidence, request, hosts)


def _skeleton(raw: bytes, parts: Sequence[PartRow]) -> bytes:
    left, start = bytearray(), 0
    for part in parts:
        left += raw[start : part.byte_start]
        start = part.byte_end
    return bytes(left + raw[start:])


def _check_form(evidence: Evidence, request: RequestRow, body: Mapping[str, Any]) -> None:
    """Model, tools and form of the answer are what was frozen and issued."""
    place = evidence.place_of(request)
    child = evidence.child(request.child_id, place)
    models = mapping(evidence.root.configuration.get("models"), place, "the frozen models")
    require(body.get("model") == request.requested_model, place, "it asks another model")
    require(models.get(child.role) == request.requested_model, place, "its model is not frozen")
    issued = child.authorization.get("tools")
    for tool in sequence(body.get("tools", []), place, "its tools"):
        function = mapping(mapping(tool, place, "a tool").get("function"), place, "a function")
        offered = isinstance(issued, list) and function.get("name") in issued
        require(offered, place, "it offers a tool that was not issued")
    form = mapping(body.get("response_format"), place, "the form of its answer")
    schema = mapping(form.get("json_schema"), place, "the form of its answer")
    require(schema.get("name") == request.purpose, place, "its answer has another form")


def _gaps(body: Mapping[str, Any], place: str, hosts: list[str]) -> Iterator[Gap]:
    """Walk the messages; lines of the host are gathered in `hosts`."""
    for message in sequence(body.get("messages"), place, "its messages"):
        one = mapping(message, place, "a message")
        match one.get("role"):
            case "system":
                require(one.get("content") == "", place, "a system message is no prompt on record")
                yield Gap("prompt")
            case "user" | "tool":
                content = text(one.get("content"), place, "a message's content")
                yield from _fences(content, place, hosts)
            case "assistant":
                require(one.get("content") is None, place, "an assistant message has a text")
                yield from _calls(one, place)
            case _:
                require(False, place, "a message has an unknown role")  # noqa: FBT003


def _fences(content: str, place: str, hosts: list[str]) -> Iterator[Gap]:
    require(_BLOCKS.fullmatch(content) is not None, place, "it holds a text that is not on record")
    for block in _ONE.finditer(content):
        label = " ".join(block[1].replace("|", " ").split())
        if block[2]:
            yield Gap(label, block[2])
        else:
            hosts.append(label)


def _calls(message: Mapping[str, Any], place: str) -> Iterator[Gap]:
    for call in sequence(message.get("tool_calls"), place, "an assistant's tool calls"):
        one = mapping(call, place, "a tool call")
        function = mapping(one.get("function"), place, "a tool call's function")
        require(function.get("arguments") == "", place, "a tool call has unrecorded arguments")
        yield Gap(f"{one.get('id')} {function.get('name')}")


def _check_task(evidence: Evidence, request: RequestRow, hosts: list[str]) -> None:
    place = evidence.place_of(request)
    role = evidence.role(request.child_id, place)
    in_exchange = request.purpose in {"challenge", "response"}
    round_ = f" round {request.turn - 1} of" if in_exchange else ""
    wanted = f"task {request.purpose} {role}{round_}"
    tasks = [line for line in hosts if line.startswith("task ")]
    right = len(tasks) == 1 and hosts[-1] == tasks[0] and f"{tasks[0]} ".startswith(f"{wanted} ")
    require(right, place, "its last line is not its task")


def _prompt(_evidence: Evidence, _part: PartRow, _place: str) -> str:
    return "prompt"


def _question(_evidence: Evidence, _part: PartRow, _place: str) -> str:
    return f"question requester {UNTRUSTED}"


def _opening(evidence: Evidence, part: PartRow, place: str) -> str:
    role = evidence.role(evidence.opening(part.record, place).child_id, place)
    return f"opening {role} {UNTRUSTED}"


def _opening_line(evidence: Evidence, part: PartRow, place: str) -> str:
    opening_id, name, _ = opening_line(part, place)
    role = evidence.role(evidence.opening(opening_id, place).child_id, place)
    return f"{name} {role} {UNTRUSTED}"


def _message(evidence: Evidence, part: PartRow, place: str) -> str:
    message = evidence.message(part.record, place)
    half = evidence.half_round(message.half_round_id, place)
    sender = evidence.role(message.sender_id, place)
    return f"message M{message.number} {sender} {message.kind} round {half.round} {UNTRUSTED}"


def _finding(evidence: Evidence, part: PartRow, place: str) -> str:
    finding = evidence.finding(part.record, place)
    head = f"finding F{finding.number} {evidence.role(finding.child_id, place)}"
    return f"{head} {finding.kind.replace('_', ' ')} {UNTRUSTED}"


def _tool_arguments(evidence: Evidence, part: PartRow, place: str) -> str:
    call = asked_call(evidence, evidence.tool_call(part.record, place), place)
    return f"{call.get('id')} {call['function'].get('name')}"


def _tool_result(evidence: Evidence, part: PartRow, place: str) -> str:
    """Its own execution reads a tool result without a name; Main reads whose it is."""
    call = evidence.tool_call(part.record, place)
    request = evidence.request(part.request_id, place)
    owner = evidence.role(call.child_id, place)
    whose = "" if request.child_id == call.child_id else f" {owner}"
    name = call.name if call.version else "unknown tool"
    return f"tool T{call.number} {name}{whose} {UNTRUSTED}"


def _claim_quote(evidence: Evidence, part: PartRow, place: str) -> str:
    """Its status is what the moves before the seal make it."""
    claim = evidence.claim(part.record, place)
    request = evidence.request(part.request_id, place)
    sealed = evidence.seq("request_sealed", request.act, place)
    moves = {
        move.move
        for move in evidence.record.moves
        if move.claim_id == claim.id and evidence.seq("claim_moved", move.id, place) < sealed
    }
    status = "CONTESTED" if "contested" in moves else "OPEN"
    status = "CONCEDED" if "conceded" in moves else status
    author = evidence.role(claim.author_id, place)
    return f"claim C{claim.number} {author} {status} {UNTRUSTED}"


_LABELS: Mapping[str, Callable[[Evidence, PartRow, str], str]] = {
    "prompt": _prompt,
    "question": _question,
    "opening": _opening,
    "opening_line": _opening_line,
    "message": _message,
    "finding": _finding,
    "tool_arguments": _tool_arguments,
    "tool_result": _tool_result,
    "claim_quote": _claim_quote,
}
