"""JSON from a stranger: taken within bounds, otherwise refused by code."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.boundedjson import Bounds, JsonFault, JsonRefused, parse

REFUSED = [
    ("nothing", b"", "not_json"),
    ("white space", b" \n", "not_json"),
    ("HTML", b"<html></html>", "not_json"),
    ("a cut object", b'{"a":', "not_json"),
    ("a cut string", b'{"a":"', "not_json"),
    ("two values", b"{} {}", "not_json"),
    ("a code fence", b"```json\n{}\n```", "not_json"),
    ("a raw NUL in a string", b'"\x00"', "not_json"),
    ("a raw line break in a string", b'"\n"', "not_json"),
    ("single quotes", b"{'a':1}", "not_json"),
    ("a trailing comma", b"[1,]", "not_json"),
    ("closing brackets only", b"]" * 100_000, "not_json"),
    ("a byte-order mark", b"\xef\xbb\xbf{}", "byte_order_mark"),
    ("a byte-order mark in a string value", "\ufeff{}", "byte_order_mark"),
    ("UTF-16", '{"a":1}'.encode("utf-16"), "invalid_utf8"),
    ("Latin-1", '"é"'.encode("latin-1"), "invalid_utf8"),
    ("a surrogate encoded as UTF-8", b'"\xed\xa0\x80"', "invalid_utf8"),
    ("a cut character", '"é'.encode()[:-1], "invalid_utf8"),
    ("an array 5,000 deep", b"[" * 5_000 + b"]" * 5_000, "too_deep"),
    ("an object 5,000 deep", b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "too_deep"),
    ("half a million opened", b"[" * 500_000, "too_deep"),
    ("65 deep", b"[" * 65 + b"]" * 65, "too_deep"),
    ("10 MB", b'"' + b"x" * 10_000_000 + b'"', "too_large"),
    ("a million keys", json.dumps(dict.fromkeys(range(1_000_000))).encode(), "too_large"),
    ("20,001 keys", json.dumps(dict.fromkeys(range(20_001))).encode(), "too_many_keys"),
    ("20,001 arrays", b"[" + b"[]," * 20_000 + b"0]", "too_many_keys"),
    ("a key twice", b'{"a":1,"a":1}', "duplicate_key"),
    ("a key twice, once escaped", b'{"a":1,"\\u0061":2}', "duplicate_key"),
    ("a key twice, deep inside", b'[{"x":{"a":1,"b":2,"a":3}}]', "duplicate_key"),
    ("NaN", b'{"a":NaN}', "not_a_number"),
    ("Infinity", b"Infinity", "not_a_number"),
    ("minus Infinity", b"[-Infinity]", "not_a_number"),
    ("a 5,000-digit integer", b"9" * 5_000, "number_too_long"),
    ("a 65-digit integer", b"9" * 65, "number_too_long"),
    ("a fraction of 5,000 digits", b"0." + b"9" * 5_000, "number_too_long"),
    ("1e400", b"1e400", "number_out_of_range"),
    ("-1e400", b"[-1e400]", "number_out_of_range"),
]
TAKEN = [
    ("an object", b'{"a":[1,-2.5,true,null,"x"]}', {"a": [1, -2.5, True, None, "x"]}),
    ("64 deep", b"[" * 64 + b"]" * 64, json.loads("[" * 64 + "]" * 64)),
    ("64 digits", b"9" * 64, int("9" * 64)),
    ("brackets in a string", b'"' + b"[{" * 50_000 + b'"', "[{" * 50_000),
    ("brackets after an escaped quote", b'["\\"' + b"[" * 100 + b'"]', ['"' + "[" * 100]),
    ("one key in two objects", b'[{"a":1},{"a":2}]', [{"a": 1}, {"a": 2}]),
    ("white space around", b" \r\n{} \t", {}),
    ("full-width text and emoji", '"\uff11\uff05 😀"'.encode(), "\uff11\uff05 😀"),
    ("a pair of surrogate escapes", b'"\\ud83d\\ude00"', "😀"),
]


class TestParse:
    @pytest.mark.parametrize(
        ("source", "fault"),
        [pytest.param(source, fault, id=title) for title, source, fault in REFUSED],
    )
    def test_refuses(self, source: bytes | str, fault: str) -> None:
        with pytest.raises(JsonRefused) as refused:
            parse(source)
        assert refused.value.fault == fault

    @pytest.mark.parametrize(
        ("source", "value"),
        [pytest.param(source, value, id=title) for title, source, value in TAKEN],
    )
    def test_takes(self, source: bytes, value: Any) -> None:
        assert parse(source).value == value
        assert not parse(source).unstorable_text
        assert parse(source.decode()).value == value

    def test_names_every_fault_in_these_tables(self) -> None:
        assert {fault for _, _, fault in REFUSED} == set(JsonFault)

    @pytest.mark.parametrize(
        "source",
        [
            pytest.param(b'"\\u0000"', id="NUL"),
            pytest.param(b'{"a":["x",{"b":"\\ud800"}]}', id="a lone high surrogate, deep inside"),
            pytest.param(b'"\\uDFFF"', id="a lone low surrogate"),
            pytest.param(b'"\\ude00\\ud83d"', id="a pair in the wrong order"),
            pytest.param(b'{"\\u0000":1}', id="NUL in a key"),
            pytest.param('"\ud800"', id="a lone surrogate, unescaped in a string"),
        ],
    )
    def test_flags_text_that_cannot_be_stored(self, source: bytes | str) -> None:
        assert parse(source).unstorable_text

    def test_does_not_flag_text_that_only_speaks_of_an_escape(self) -> None:
        parsed = parse(b'"\\\\u0000"')
        assert parsed.value == "\\u0000"
        assert not parsed.unstorable_text

    def test_measures_a_string_in_bytes(self) -> None:
        with pytest.raises(JsonRefused, match="too_large"):
            parse('"ééé"', Bounds(size=7))
        assert parse('"ééé"', Bounds(size=8)).value == "ééé"

    @given(st.binary(max_size=200) | st.text(max_size=200))
    def test_refuses_or_takes_whatever_comes(self, source: bytes | str) -> None:
        with contextlib.suppress(JsonRefused):
            parse(source)

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=30,
        )
    )
    def test_takes_what_json_wrote(self, value: Any) -> None:
        assert parse(json.dumps(value)).value == value
        assert parse(json.dumps(value, ensure_ascii=False).encode("utf-8")).value == value
