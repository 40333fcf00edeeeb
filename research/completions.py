"""Read a completion object: what was answered, which tools were asked for, what it cost.

The shape of the object is the openai package's; what is not of it is kept in the raw response and not read.
Reasoning fields stay there too: they are never shown and never placed in a request.

Source: design.md D5, D6; scenarios.md group F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from openai.types.chat import ChatCompletion, ChatCompletionMessageFunctionToolCall
from pydantic import ValidationError

from bullbear.boundedjson import JsonRefused, holds_unstorable_text, parse
from bullbear.recording import Reply
from research.answers import Answer
from research.rules import AnswerClass

A = TypeVar("A", bound=Answer)
MAX_TOOL_CALLS = 8


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
    """Read the bytes of a 2xx response that parses as a completion object."""
    try:
        value = parse(raw).value
        completion = ChatCompletion.model_validate(value)
    except (JsonRefused, ValidationError):
        return _BROKEN
    if not completion.choices:
        return _BROKEN
    choice = completion.choices[0]
    usage = completion.usage
    reply = Reply(
        served_model=_storable(completion.model),
        finish_reason=_storable(str(choice.finish_reason)),
        prompt_tokens=usage.prompt_tokens if usage else None,
        completion_tokens=usage.completion_tokens if usage else None,
    )
    tools = tuple(
        AskedTool(call.id, call.function.name, call.function.arguments)
        for call in choice.message.tool_calls or ()
        if isinstance(call, ChatCompletionMessageFunctionToolCall)
    )
    text = choice.message.content or ""
    return Completion(reply, text, tools, _fault(choice, text, tools))


def _fault(choice: Any, text: str, tools: tuple[AskedTool, ...]) -> AnswerClass | None:
    """Say why the answer is none, whatever its text: the first that holds."""
    if choice.finish_reason == "length":
        return AnswerClass.TRUNCATED
    if choice.finish_reason == "content_filter" or choice.message.refusal:
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


def _storable(text: str) -> str:
    """Keep a short word of the provider, or nothing of one that no column can hold."""
    return "" if holds_unstorable_text(text) else text


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
