"""Read a request: which task it sets, and what material stands in its blocks.

Only fences that carry the request's own nonce are structure.  The nonce is taken from the user
message that ends with the task line; whatever looks like a label or a fence inside a block is that
block's text.  Text of a block is material to argue about and never an instruction.

Source: design.md D15.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_LABEL = re.compile(r"\[([^\[\]\n]+)\]")
_QUESTION_READ = 20_000  # characters; a premise stands earlier than that
_FENCE = re.compile(r"<data ([0-9a-f]{16})>")


class Malformed(ValueError):
    """The request cannot be answered; `param` names the part of it that is wrong."""

    def __init__(self, message: str, param: str | None = None) -> None:
        """Keep what is wrong and where."""
        super().__init__(message)
        self.param = param


@dataclass(frozen=True, slots=True)
class Block:
    """One labelled block: the label's fields, and the fenced text (None for a host's own line)."""

    fields: tuple[str, ...]
    text: str | None

    @property
    def kind(self) -> str:
        """The first word of the label, e.g. "claim"."""
        return self.fields[0].partition(" ")[0]

    @property
    def handle(self) -> str:
        """The rest of the label's first field, e.g. "C1"."""
        return self.fields[0].partition(" ")[2]

    def field(self, index: int) -> str:
        """The label's field at `index`, or an empty string."""
        return self.fields[index] if index < len(self.fields) else ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim on record."""

    handle: str
    author: str
    status: str
    quote: str


@dataclass(frozen=True, slots=True)
class Message:
    """An accepted message of either side."""

    handle: str
    author: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """The result of a tool call; `author` is empty for a call of one's own."""

    handle: str
    name: str
    author: str
    result: Mapping[str, Any]


@dataclass(slots=True)
class Request:
    """What a request sets as task, and everything it shows."""

    purpose: str = ""
    role: str = ""
    round: str = ""  # of an exchange, as the task line says it
    question: str = ""
    wished: str = "auto"
    offered: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    openings: dict[str, str] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    tools: list[ToolRecord] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    would_change: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    def results_of(self, name: str) -> list[ToolRecord]:
        """All results of one tool, in the order in which they stand."""
        return [record for record in self.tools if record.name == name]

    def claims_of(self, author: str) -> list[Claim]:
        """All claims of one author."""
        return [claim for claim in self.claims if claim.author == author]


def read_blocks(text: str, nonce: str = "") -> tuple[list[Block], str]:
    """Read `text` from its start, block by block, and stop where it is no block.

    Args:
        text: content of one message.
        nonce: the only nonce that counts; empty if the first fence is to set it.
    """
    blocks: list[Block] = []
    position = 0
    while position < len(text):
        if text[position] == "\n":
            position += 1
            continue
        line, _, rest = text[position:].partition("\n")
        label = _LABEL.fullmatch(line.rstrip("\r"))
        if label is None:
            break
        fields = tuple(part.strip() for part in label[1].split("|"))
        fence = _FENCE.match(rest)
        if fence is None:
            blocks.append(Block(fields, None))
            position += len(line) + 1
            continue
        nonce = nonce or fence[1]
        start = position + len(line) + 1 + fence.end()
        closing = f"\n</data {nonce}>"
        end = text.find(closing, start)
        if fence[1] != nonce or end < 0:
            break
        blocks.append(Block(fields, text[start + 1 : end]))
        position = end + len(closing)
    return blocks, nonce


def content_of(message: Mapping[str, Any]) -> str:
    """Return a message's text, also where it comes as a list of text parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def read_request(body: Mapping[str, Any]) -> Request:
    """Read the body of a chat completion request.

    Raises:
        Malformed: no messages, a message that is no object, or no task line.
    """
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Malformed("messages must be a list with at least one message", "messages")
    if not all(isinstance(message, dict) and message.get("role") for message in messages):
        raise Malformed("each message must be an object with a role", "messages")
    task, nonce = _task_and_nonce(messages)
    request = Request(
        purpose=task.field(1), role=task.field(2), round=task.field(3), offered=_offered(body)
    )
    for message, block in _structure(messages, nonce):
        if block.text is not None:
            _place(request, block, block.text)
        elif block.kind == "plan" and message["role"] == "user":
            request.wished = block.field(1).removeprefix("wished ").strip()
    return request


def _task_and_nonce(messages: Sequence[Mapping[str, Any]]) -> tuple[Block, str]:
    users = [content_of(message) for message in messages if message["role"] == "user"]
    read = [read_blocks(text) for text in users]
    for index in range(len(read) - 1, -1, -1):
        blocks, nonce = read[index]
        if blocks and blocks[-1].kind == "task" and blocks[-1].text is None:
            earlier = next((other for _, other in reversed(read) if other), "")
            return blocks[-1], nonce or earlier
    raise Malformed("no task line stands at the end of a user message", "messages")


def _structure(
    messages: Sequence[Mapping[str, Any]], nonce: str
) -> Iterator[tuple[Mapping[str, Any], Block]]:
    names = _names_of_calls(messages)
    for message in messages:
        if message["role"] == "system":
            continue
        blocks, _ = read_blocks(content_of(message), nonce)
        for block in blocks:
            yield message, block
        if message["role"] == "tool" and not blocks:
            name = names.get(str(message.get("tool_call_id")), "")
            yield message, Block(("tool", name), content_of(message))


def _names_of_calls(messages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    names = {}
    for message in messages:
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and isinstance(call.get("function"), dict):
                names[str(call.get("id"))] = str(call["function"].get("name", ""))
    return names


def _offered(body: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    tools = body.get("tools") or []
    if not isinstance(tools, list):
        raise Malformed("tools must be a list", "tools")
    if body.get("tool_choice") == "none":
        return {}
    offered: dict[str, Mapping[str, Any]] = {}
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise Malformed("each tool must be a function with a name", "tools")
        parameters = function.get("parameters")
        offered[function["name"]] = parameters if isinstance(parameters, dict) else {}
    return offered


def _place(request: Request, block: Block, text: str) -> None:
    """Put one fenced block where it belongs; a kind not known here is left alone."""
    match block.kind:
        case "question":
            request.question = text[:_QUESTION_READ]
        case "opening":
            request.openings[block.field(1)] = text
        case "message":
            request.messages.append(Message(block.handle, block.field(1), block.field(2), text))
        case "claim":
            request.claims.append(Claim(block.handle, block.field(1), block.field(2), text))
        case "tool":
            author = "" if block.field(2) == "untrusted" else block.field(2)
            record = ToolRecord(block.handle, block.field(1), author, _result(text))
            if not record.handle or record.handle not in [one.handle for one in request.tools]:
                request.tools.append(record)
        case "unknown":
            request.unknown.append(text)
        case "would_change":
            request.would_change.append(text)
        case "finding":
            request.findings.append(text)


def _result(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {"error": "unreadable"}
    return value if isinstance(value, dict) else {"error": "unreadable"}
