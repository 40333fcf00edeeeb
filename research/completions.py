"""Read a completion object: what was answered, which tools were asked for, what it cost.

The shape of a message is the openai package's; what is not of it is kept in the raw response and not read.
Reasoning fields stay there too: they are never shown and never placed in a request.

Source: design.md D5, D6; scenarios.md group F.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageFunctionToolCall
from pydantic import ValidationError

from bullbear.boundedjson import JsonRefused, holds_unstorable_text, parse
from bullbear.recording import Reply
from research.answers import Answer
from research.rules import AnswerClass

A = TypeVar("A", bound=Answer)
MAX_TOOL_CALLS = 8
MAX_TOKENS = 2**31 - 1  # what a column holds


@dataclass(frozen=True, slots=True)
class AskedTool:
    """One tool call of an answer, verbatim."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer, read.

    Args:
        reply: what the object says of itself.
        text: the message's content, verbatim, or "".
        tools: the tool calls it asks for, in order.
        fault: why it can be no valid answer, or None.
    """

    reply: Reply
    text: str
    tools: tuple[AskedTool, ...]
    fault: AnswerClass | None


_BROKEN = Completion(Reply(), "", (), AnswerClass.NOT_THE_SCHEMA)


def read(raw: bytes) -> Completion:
    """Read the bytes of a 2xx response that parses as a completion object.

    What servers differ in – ids, times, words of their own for why an answer ended – makes no answer invalid.
    """
    try:
        value = parse(raw).value
    except JsonRefused:
        return _BROKEN
    choice = _first_choice(value)
    if choice is None:
        return _BROKEN
    try:
        message = ChatCompletionMessage.model_validate(choice.get("message"))
    except ValidationError:
        return _BROKEN
    reply = _reply(value, choice)
    tools = tuple(
        AskedTool(call.id, call.function.name, call.function.arguments)
        for call in message.tool_calls or ()
        if isinstance(call, ChatCompletionMessageFunctionToolCall)
    )
    text = message.content or ""
    return Completion(reply, text, tools, _fault(reply, message, text, tools))


def _first_choice(value: Any) -> Mapping[str, Any] | None:
    choices = value.get("choices") if isinstance(value, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _reply(value: Mapping[str, Any], choice: Mapping[str, Any]) -> Reply:
    usage = value.get("usage")
    figures = usage if isinstance(usage, dict) else {}
    return Reply(
        served_model=_storable(value.get("model")),
        finish_reason=_storable(choice.get("finish_reason")),
        prompt_tokens=_count(figures.get("prompt_tokens")),
        completion_tokens=_count(figures.get("completion_tokens")),
    )


def _count(value: Any) -> int | None:
    """Keep a number of tokens that can be one; any other figure counts as not given."""
    is_count = type(value) is int and 0 <= value <= MAX_TOKENS
    return value if is_count else None


def _fault(
    reply: Reply, message: ChatCompletionMessage, text: str, tools: tuple[AskedTool, ...]
) -> AnswerClass | None:
    """Say why the answer is none, whatever its text: the first that holds."""
    if reply.finish_reason == "length":
        return AnswerClass.TRUNCATED
    if reply.finish_reason == "content_filter" or message.refusal:
        return AnswerClass.REFUSAL
    strings = [
        text,
        *(part for tool in tools for part in (tool.call_id, tool.name, tool.arguments)),
    ]
    if holds_unstorable_text(strings):
        return AnswerClass.UNSTORABLE_TEXT
    if len(tools) > MAX_TOOL_CALLS:
        return AnswerClass.NOT_THE_SCHEMA
    if not tools and not text.strip():
        return AnswerClass.EMPTY
    return None


def _storable(value: Any) -> str:
    """Keep a short word of the provider, or nothing of one that no column can hold."""
    return value if isinstance(value, str) and not holds_unstorable_text(value) else ""


def read_answer(completion: Completion, shape: type[A]) -> A | AnswerClass:
    """Read the structured answer, or say what is wrong with it.

    Source: scenarios.md F01–F12: raw bytes are kept, nothing is repaired, no default stands in.
    """
    if completion.fault is not None:
        return completion.fault
    try:
        parsed = parse(completion.text)
    except JsonRefused:
        return AnswerClass.NOT_JSON
    if parsed.unstorable_text:
        return AnswerClass.UNSTORABLE_TEXT
    try:
        return shape.model_validate(parsed.value)
    except ValidationError:
        return AnswerClass.NOT_THE_SCHEMA
