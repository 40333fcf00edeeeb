"""Read what a provider answered: raw bytes in, one judgement out, nothing repaired.  scenarios F01 to F12."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.outcomes import is_completion
from bullbear.recording import Reply
from research.answers import Pattern, PlanAnswer
from research.completions import (
    MAX_TOOL_CALLS,
    AskedTool,
    Completion,
    read,
    read_answer,
)
from research.rules import AnswerClass

PLAN = '{"pattern":"dialogue","reason":"why"}'
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look_through", "arguments": '{"points":"10"}'},
}


def message(**changed: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": PLAN, **changed}


def completion(*, finish: Any = "stop", usage: Any = None, **changed: Any) -> bytes:
    value: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_782_000_000,
        "model": "served-1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message(**changed)}],
    }
    if usage is not None:
        value["usage"] = usage
    return json.dumps(value).encode()


def usage(prompt: Any = 100, answer: Any = 20) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": 120}


class TestRead:
    def test_takes_text_model_and_cost(self) -> None:
        assert read(completion(usage=usage())) == Completion(
            Reply("served-1", "stop", 100, 20), PLAN, (), None
        )

    def test_takes_tool_calls_verbatim_and_in_order(self) -> None:
        other = {**CALL, "id": "call_2"}
        found = read(completion(finish="tool_calls", content=None, tool_calls=[CALL, other]))
        assert found.fault is None
        assert found.tools == (
            AskedTool("call_1", "look_through", '{"points":"10"}'),
            AskedTool("call_2", "look_through", '{"points":"10"}'),
        )

    @pytest.mark.parametrize(
        ("raw", "fault"),
        [
            pytest.param(
                completion(finish="length"), AnswerClass.TRUNCATED, id="cut at the limit"
            ),
            pytest.param(
                completion(finish="length", content='{"pattern":'),
                AnswerClass.TRUNCATED,
                id="cut inside its JSON",
            ),
            pytest.param(completion(finish="content_filter"), AnswerClass.REFUSAL, id="filtered"),
            pytest.param(completion(refusal="I cannot"), AnswerClass.REFUSAL, id="declined"),
            pytest.param(completion(content=None), AnswerClass.EMPTY, id="null"),
            pytest.param(completion(content=""), AnswerClass.EMPTY, id="nothing"),
            pytest.param(completion(content=" \n\t"), AnswerClass.EMPTY, id="white space"),
            pytest.param(
                completion(content=None, reasoning_content="Let me think"),
                AnswerClass.EMPTY,
                id="only reasoning",
            ),
            pytest.param(completion(content="a\x00b"), AnswerClass.UNSTORABLE_TEXT, id="a NUL"),
            pytest.param(
                completion(content="\ud83d"),
                AnswerClass.UNSTORABLE_TEXT,
                id="half a surrogate pair",
            ),
            pytest.param(
                completion(
                    content=None,
                    tool_calls=[{**CALL, "function": {"name": "look\x00", "arguments": "{}"}}],
                ),
                AnswerClass.UNSTORABLE_TEXT,
                id="a NUL in a tool's name",
            ),
            pytest.param(
                completion(content=None, tool_calls=[CALL] * (MAX_TOOL_CALLS + 1)),
                AnswerClass.NOT_THE_SCHEMA,
                id="more tool calls than anybody needs",
            ),
            pytest.param(
                completion(content=[{"type": "text", "text": PLAN}]),
                AnswerClass.NOT_THE_SCHEMA,
                id="content that is no text",
            ),
            pytest.param(
                completion(role="user"), AnswerClass.NOT_THE_SCHEMA, id="another's message"
            ),
            pytest.param(b"<html>", AnswerClass.NOT_THE_SCHEMA, id="no JSON at all"),
            pytest.param(b'{"choices":[]}', AnswerClass.NOT_THE_SCHEMA, id="no choice"),
            pytest.param(b"[]", AnswerClass.NOT_THE_SCHEMA, id="a list"),
        ],
    )
    def test_says_why_it_is_no_answer(self, raw: bytes, fault: AnswerClass) -> None:
        assert read(raw).fault is fault

    @pytest.mark.parametrize("finish", ["stop", "tool_calls", "eos", "", None, 3])
    def test_leaves_a_server_its_own_word_for_an_end(self, finish: Any) -> None:
        found = read(completion(finish=finish))
        assert found.fault is None
        assert found.reply.finish_reason == (finish if isinstance(finish, str) else "")

    def test_needs_only_what_it_reads(self) -> None:
        bare = json.dumps({"choices": [{"message": message()}]}).encode()
        assert is_completion(bare)
        assert read(bare) == Completion(Reply(), PLAN, (), None)

    @pytest.mark.parametrize(
        "figure",
        [-1, 2**31, 2**63, 1.5, True, "12", None, [], {}],
    )
    def test_takes_a_figure_that_is_no_count_as_not_given(self, figure: Any) -> None:
        reply = read(completion(usage=usage(prompt=figure))).reply
        assert reply.prompt_tokens is None
        assert reply.completion_tokens == 20
        assert reply.tokens is None

    @pytest.mark.parametrize("figures", ["free", [], 0])
    def test_takes_a_usage_that_is_no_object_as_not_given(self, figures: Any) -> None:
        assert read(completion(usage=figures)).reply.tokens is None

    def test_keeps_no_name_that_cannot_be_stored(self) -> None:
        value = json.loads(completion())
        value["model"] = "m\x00"
        assert read(json.dumps(value).encode()).reply.served_model == ""

    def test_reads_the_first_choice(self) -> None:
        value = json.loads(completion())
        value["choices"].append({"index": 1, "message": message(content="other")})
        assert read(json.dumps(value).encode()).text == PLAN

    @given(
        st.binary(max_size=200)
        | st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["choices", "message", "content", "usage", "tool_calls", "role"]
                    ),
                    inner,
                    max_size=3,
                )
            ),
            max_leaves=10,
        ).map(lambda value: json.dumps(value).encode())
    )
    def test_never_fails(self, raw: bytes) -> None:
        assert isinstance(read(raw), Completion)


def answered(content: str) -> PlanAnswer | AnswerClass:
    return read_answer(read(completion(content=content)), PlanAnswer)


class TestReadAnswer:
    def test_returns_the_structured_answer(self) -> None:
        assert answered(PLAN) == PlanAnswer(pattern=Pattern.DIALOGUE, reason="why")

    @pytest.mark.parametrize(
        ("content", "worth"),
        [
            pytest.param(f"```json\n{PLAN}\n```", AnswerClass.NOT_JSON, id="fenced"),
            pytest.param(f"Sure! {PLAN}", AnswerClass.NOT_JSON, id="with prose before"),
            pytest.param(PLAN + PLAN, AnswerClass.NOT_JSON, id="twice"),
            pytest.param(PLAN[:-1], AnswerClass.NOT_JSON, id="cut"),
            pytest.param("NaN", AnswerClass.NOT_JSON, id="not a number"),
            pytest.param('{"pattern":"single","pattern":"dialogue","reason":"x"}',
                         AnswerClass.NOT_JSON, id="a key twice: two readings"),
            pytest.param("[" * 500, AnswerClass.NOT_JSON, id="nested without end"),
            pytest.param(f"[{PLAN}]", AnswerClass.NOT_THE_SCHEMA, id="in a list"),
            pytest.param("null", AnswerClass.NOT_THE_SCHEMA, id="null"),
            pytest.param('"dialogue"', AnswerClass.NOT_THE_SCHEMA, id="a text"),
            pytest.param("{}", AnswerClass.NOT_THE_SCHEMA, id="nothing in it"),
            pytest.param('{"pattern":"dialogue","reason":1}', AnswerClass.NOT_THE_SCHEMA,
                         id="a number where a text is wanted"),
            pytest.param('{"pattern":"dialogue","reason":"a\\u0000b"}',
                         AnswerClass.UNSTORABLE_TEXT, id="an escaped NUL"),
            pytest.param('{"pattern":"dialogue","reason":"\\ud800"}',
                         AnswerClass.UNSTORABLE_TEXT, id="an escaped half of a surrogate pair"),
        ],
    )  # fmt: skip
    def test_says_what_is_wrong(self, content: str, worth: AnswerClass) -> None:
        assert answered(content) is worth

    def test_of_a_faulty_completion_is_its_fault(self) -> None:
        cut = read(completion(finish="length"))
        assert read_answer(cut, PlanAnswer) is AnswerClass.TRUNCATED
