"""Compose a request body: prompts, blocks, the turn's own tool calls, the form of the answer.

Source: design.md D7 (begin), D8, D14, D15.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import cast

from bullbear.bodies import Body, Draft, Piece, Pieces, write
from bullbear.content import held_contents
from bullbear.models import Child, ModelRequest
from research.answers import Answer
from research.blocks import UNTRUSTED, Conversation, fenced, host_line
from research.case import Case
from research.completions import read
from research.domain import Domain
from research.domains.registry import domain
from research.kinds import PartKind
from research.limits import ANSWER_TOKENS
from research.models import ToolCall
from research.prompts import frozen_prompt
from research.rules import AnswerClass, Ask, Purpose

Block = tuple[Piece, ...]


def compose(
    case: Case,
    child: Child,
    *,
    purpose: Purpose,
    turn: int,
    ask: Ask,
    blocks: Sequence[Block],
    nonce: str,
    answer: type[Answer],
) -> Body:
    """Write the body of an execution's next request.

    Args:
        case: the Root's facts.
        child: who asks.
        purpose: what for.
        turn: which turn.
        ask: which request of the turn.
        blocks: what the request holds, the task line last.
        nonce: of its fences.
        answer: the form of the answer.

    Raises:
        PromptChanged: a frozen prompt is no longer available.
    """
    of_domain = domain(case.root.domain)
    conversation = Conversation(
        nonce=nonce,
        system=_prompts(case, child, purpose, of_domain),
        blocks=blocks,
        tail=_tail(case, child, turn, ask, nonce),
    )
    draft: dict[str, Draft] = {
        "model": case.configuration["models"][child.role],
        "messages": conversation.messages(),
        "max_tokens": ANSWER_TOKENS[purpose],
        "temperature": 0,
    }
    if ask.offer_tools:
        draft["tools"] = _offered(child, of_domain)
    draft["response_format"] = answer_form(purpose, answer)
    return write(draft)


@functools.cache
def answer_form(purpose: Purpose, answer: type[Answer]) -> dict[str, Draft]:
    """Return the structured output a request asks for."""
    schema = cast("dict[str, Draft]", answer.model_json_schema())
    return {
        "type": "json_schema",
        "json_schema": {"name": str(purpose), "strict": True, "schema": schema},
    }


def _prompts(case: Case, child: Child, purpose: Purpose, of_domain: Domain) -> list[Piece]:
    frozen = case.configuration["prompts"]
    prompts = [
        frozen_prompt(of_domain, name, frozen.get(name, ""))
        for name in ("common", f"{child.role}_{purpose}")
    ]
    return [Piece(prompt.text, PartKind.PROMPT, prompt.name) for prompt in prompts]


def _offered(child: Child, of_domain: Domain) -> list[Draft]:
    allowed = child.authorization["tools"]
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": cast("Draft", tool.parameters),
            },
        }
        for tool in of_domain.tools
        if tool.name in allowed
    ]


def question_block(case: Case, nonce: str) -> Block:
    """The question, which belongs to the Root's own scope."""
    content_id = case.root.question_id
    text = held_contents(case.held, [content_id])[content_id].decode()
    piece = Piece(text, PartKind.QUESTION, str(case.root.pk), frozenset({case.label}))
    return fenced(nonce, ("question", "requester", UNTRUSTED), piece)


def task_line(case: Case, child: Child, purpose: Purpose, *, round_: str = "") -> Block:
    """The host's own last line: what is asked now."""
    rounds = (f"round {round_}",) if round_ else ()
    language = f"language {case.root.language}"
    return host_line("task", str(purpose), str(child.role), *rounds, language)


def again_line(case: Case, child: Child, turn: int, ask: Ask) -> list[Block]:
    """On a further attempt, the class of what was wrong with the last one."""
    if ask.attempt == 1:
        return []
    last = [r for r in case.turn(child, turn) if r.attempt == ask.attempt - 1][-1]
    return [host_line("further attempt", f"the last one was {last.outcome_class}")]


def tool_blocks(
    case: Case, calls: Sequence[ToolCall], nonce: str, *, whose: str = ""
) -> list[Block]:
    """Earlier tool results, each with its handle."""
    texts = held_contents(case.held, [call.result_id for call in calls])
    owner = (whose,) if whose else ()
    return [
        fenced(
            nonce,
            (f"tool T{call.number}", _label(call), *owner, UNTRUSTED),
            _result(call, texts[call.result_id].decode()),
        )
        for call in calls
    ]


def earlier_tools(
    case: Case, child: Child, turn: int, ask: Ask, *, private: bool = False
) -> list[ToolCall]:
    """The execution's earlier tool calls that stand before this request's own.

    Those of private research stand in its own requests alone.  Of the others, one that rests on what the
    other side may not see is left out: the execution may ask again, and what it then writes is tainted.

    Source: design.md D14.
    """
    tail = {request.pk for request in _continued(case, child, turn, ask)}
    showable = frozenset(child.authorization["labels"]) if private else case.showable(child)
    return [
        call
        for call in case.tools_of(child, private=private)
        if call.request_id not in tail and showable.issuperset(call.lineage)
    ]


def _continued(case: Case, child: Child, turn: int, ask: Ask) -> list[ModelRequest]:
    return [
        request
        for request in case.turn(child, turn)
        if request.attempt == ask.attempt and request.outcome_class == AnswerClass.TOOL_CALLS
    ]


def _tail(case: Case, child: Child, turn: int, ask: Ask, nonce: str) -> list[Draft]:
    """The turn's own tool calls, as this attempt's answers asked for them, with their results."""
    continued = _continued(case, child, turn, ask)
    calls = {
        request.pk: [call for call in case.tool_calls if call.request_id == request.pk]
        for request in continued
    }
    wanted = [request.response_id for request in continued if request.response_id]
    wanted += [call.result_id for of_request in calls.values() for call in of_request]
    contents = held_contents(case.held, wanted)
    tail: list[Draft] = []
    for request in continued:
        if request.response_id is None:
            raise AssertionError("an answered request has its response")
        asked = read(contents[request.response_id]).tools
        lineage = frozenset(request.lineage)
        of_request = calls[request.pk]
        tail.append(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": asked[call.index].call_id,
                        "type": "function",
                        "function": {
                            "name": asked[call.index].name,
                            "arguments": Pieces(
                                (
                                    Piece(
                                        asked[call.index].arguments,
                                        PartKind.TOOL_ARGUMENTS,
                                        str(call.pk),
                                        lineage,
                                    ),
                                )
                            ),
                        },
                    }
                    for call in of_request
                ],
            }
        )
        for call in of_request:
            text = contents[call.result_id].decode()
            block = fenced(
                nonce, (f"tool T{call.number}", _label(call), UNTRUSTED), _result(call, text)
            )
            tail.append(
                {
                    "role": "tool",
                    "tool_call_id": asked[call.index].call_id,
                    "content": Pieces(block),
                }
            )
    return tail


def _label(call: ToolCall) -> str:
    """A tool's name as a label: a name that is no tool's is the model's word and stays out."""
    return call.name if call.version else "unknown tool"


def _result(call: ToolCall, text: str) -> Piece:
    return Piece(text, PartKind.TOOL_RESULT, str(call.pk), frozenset(call.lineage))
