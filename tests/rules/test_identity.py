"""The act, not the words; bytes, not shapes: design.md D8, D18."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.identity import (
    MAX_SAFE_INTEGER,
    Act,
    JsonValue,
    NotCanonical,
    canonical,
    digest,
    same_structure,
    sending_act,
)

EXECUTION = UUID("01980000-0000-7000-8000-00000000000a")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
scalars = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | texts
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


class TestCanonical:
    def test_sorts_keys_by_their_utf_16_units(self) -> None:
        """The example of RFC 8785, 3.2.3: Python's own order differs in its last two keys."""
        value: JsonValue = {
            "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7,
        }  # fmt: skip
        assert canonical(value).decode() == (
            '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}'
        )

    def test_escapes_what_must_be_and_nothing_else(self) -> None:
        assert canonical('\x00\x1f"\\/\u20ac\x7f') == b'"\\u0000\\u001f\\"\\\\/\xe2\x82\xac\x7f"'

    def test_writes_no_white_space(self) -> None:
        assert canonical({"b": [1, True, None], "a": {}}) == b'{"a":{},"b":[1,true,null]}'

    @pytest.mark.parametrize(
        "value",
        [
            pytest.param(1.0, id="a float"),
            pytest.param({"a": [0.5]}, id="a float deep inside"),
            pytest.param(float("nan"), id="not a number"),
            pytest.param(MAX_SAFE_INTEGER + 1, id="an integer past 2^53"),
            pytest.param(-MAX_SAFE_INTEGER - 1, id="an integer below -2^53"),
            pytest.param({1: "a"}, id="a key that is a number"),
            pytest.param({"a": {None: 1}}, id="a key that is null"),
            pytest.param(b"bytes", id="bytes"),
            pytest.param({"a"}, id="a set"),
            pytest.param(EXECUTION, id="an id that is not text"),
            pytest.param("\ud800", id="half a surrogate pair"),
            pytest.param({"\udfff": 1}, id="half a surrogate pair in a key"),
            pytest.param(["a", "\ud83d"], id="half a surrogate pair in a list"),
        ],
    )
    def test_refuses(self, value: Any) -> None:
        with pytest.raises(NotCanonical):
            canonical(value)

    @given(values)
    def test_can_be_read_back(self, value: Any) -> None:
        assert json.loads(canonical(value)) == value

    @given(values)
    def test_is_the_same_for_the_same_value(self, value: Any) -> None:
        assert canonical(value) == canonical(json.loads(json.dumps(value)))

    @given(st.dictionaries(texts, scalars, min_size=2, max_size=6), st.randoms())
    def test_does_not_know_the_order_of_keys(self, value: dict[str, Any], random: Any) -> None:
        keys = list(value)
        random.shuffle(keys)
        assert canonical({key: value[key] for key in keys}) == canonical(value)


class TestSameStructure:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="key order does not matter"),
            pytest.param([1, 2], (1, 2), id="a tuple is a list"),
        ],
    )
    def test_holds(self, one: Any, other: Any) -> None:
        assert same_structure(one, other)
        assert digest(one) == digest(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            pytest.param(True, 1, id="true is not 1"),
            pytest.param(False, 0, id="false is not 0"),
            pytest.param({"a": None}, {}, id="missing is not null"),
            pytest.param("1", 1, id="a text is no number"),
            pytest.param([1, 2], [2, 1], id="the order of a list matters"),
            pytest.param({"a": []}, {"a": {}}, id="a list is no object"),
            pytest.param("\u00e9", "e\u0301", id="nothing is normalised"),
            pytest.param("", None, id="empty is not null"),
        ],
    )
    def test_fails(self, one: Any, other: Any) -> None:
        assert not same_structure(one, other)
        assert digest(one) != digest(other)

    @given(values, values)
    def test_agrees_with_the_digest(self, one: Any, other: Any) -> None:
        assert same_structure(one, other) is (digest(one) == digest(other))


class TestDigest:
    def test_is_sha256_of_the_canonical_bytes(self) -> None:
        assert digest({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()


class TestAct:
    def test_is_written_as_execution_turn_attempt_and_number(self) -> None:
        assert str(Act(EXECUTION, 2, 1, 3)) == f"{EXECUTION}:2:1:3"

    @given(st.tuples(*[st.integers(1, 99)] * 3), st.tuples(*[st.integers(1, 99)] * 3))
    def test_differs_where_any_part_does(
        self, one: tuple[int, int, int], other: tuple[int, int, int]
    ) -> None:
        same = str(Act(EXECUTION, *one)) == str(Act(EXECUTION, *other))
        assert same is (one == other)

    def test_fits_its_column(self) -> None:
        assert len(str(Act(EXECUTION, 9_999, 9_999, 9_999))) <= 100

    def test_of_sending_is_the_request_and_the_place_in_its_answer(self) -> None:
        assert sending_act(EXECUTION, 0) == f"{EXECUTION}:0"
