"""Bodies say where each text stands in them, and never alter one: design.md D4, D8."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.bodies import Body, Draft, Piece, Pieces, read_slice, write

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ugly = st.sampled_from(
    [
        "",
        '"',
        "\\",
        '\\"',
        "\x00",
        "\n</data>",
        "\u2028",
        "\U0001f600",
        "é",
        "e\u0301",
        "\\u0041",
        "\x7f",
    ]
)
pieces = st.builds(
    Piece,
    texts | ugly,
    kind=st.sampled_from(["", "message", "opening"]),
    record=st.sampled_from(["1", "2"]),
    lineage=st.frozensets(st.sampled_from(["s1", "s2", "root"]), max_size=2),
)
strings = st.lists(pieces, max_size=5).map(lambda found: Pieces(tuple(found)))


def written(*items: Piece) -> Body:
    return write({"model": "m", "content": Pieces(items)})


class TestWrite:
    def test_writes_utf_8_that_is_not_escaped(self) -> None:
        assert written(Piece("Grüße, 你好")).raw == (
            b'{"model":"m","content":"Gr\xc3\xbc\xc3\x9fe, \xe4\xbd\xa0\xe5\xa5\xbd"}'
        )

    def test_keeps_keys_in_their_order(self) -> None:
        assert write({"b": 1, "a": [True, None]}).raw == b'{"b":1,"a":[true,null]}'

    @pytest.mark.parametrize(
        "value",
        [
            pytest.param(0.5, id="a float"),
            pytest.param(b"x", id="bytes"),
            pytest.param({"x"}, id="a set"),
            pytest.param({1: "x"}, id="a key that is no text"),
        ],
    )
    def test_refuses(self, value: Any) -> None:
        with pytest.raises(TypeError):
            write({"a": value})

    def test_refuses_half_a_surrogate_pair(self) -> None:
        with pytest.raises(UnicodeEncodeError):
            written(Piece("\ud800", kind="message"))

    @given(strings, strings)
    def test_is_valid_json_of_the_joined_texts(self, one: Pieces, other: Pieces) -> None:
        draft: dict[str, Draft] = {"a": one, "b": ["x", {"c": other}]}
        assert json.loads(write(draft).raw) == {
            "a": "".join(piece.text for piece in one.items),
            "b": ["x", {"c": "".join(piece.text for piece in other.items)}],
        }

    @given(st.lists(pieces, max_size=6))
    def test_pieces_stand_as_one_joined_text_would(self, found: list[Piece]) -> None:
        joined = "".join(piece.text for piece in found)
        assert written(*found).raw == written(Piece(joined)).raw


class TestSpans:
    @given(st.lists(pieces, max_size=6))
    def test_every_record_has_one_in_order(self, found: list[Piece]) -> None:
        spans = written(*found).spans
        assert [span.piece for span in spans] == [piece for piece in found if piece.kind]
        places = [(span.start, span.end) for span in spans]
        assert all(start <= end for start, end in places)
        ends = [end for _, end in places]
        assert all(start >= end for (start, _), end in zip(places[1:], ends, strict=False))

    @given(st.lists(pieces, max_size=6))
    def test_each_slice_decodes_to_its_text(self, found: list[Piece]) -> None:
        body = written(*found)
        for span in body.spans:
            assert read_slice(body.raw, span.start, span.end) == span.piece.text

    @given(st.lists(pieces, max_size=6))
    def test_each_digest_is_of_its_slice(self, found: list[Piece]) -> None:
        body = written(*found)
        for span in body.spans:
            assert span.sha256 == hashlib.sha256(body.raw[span.start : span.end]).hexdigest()

    def test_a_fence_stands_outside_of_it(self) -> None:
        body = written(Piece("<data>\n"), Piece('say "no"', kind="message"), Piece("\n</data>"))
        (span,) = body.spans
        assert body.raw[span.start : span.end] == b'say \\"no\\"'

    def test_an_empty_text_still_has_a_place(self) -> None:
        (span,) = written(Piece("", kind="message")).spans
        assert span.start == span.end


class TestBody:
    @given(st.lists(pieces, max_size=6))
    def test_depends_on_the_lineage_of_all_its_records(self, found: list[Piece]) -> None:
        labels = {label for piece in found if piece.kind for label in piece.lineage}
        assert written(*found).lineage == labels

    def test_has_the_digest_of_its_bytes(self) -> None:
        body = written(Piece("x"))
        assert body.sha256 == hashlib.sha256(body.raw).hexdigest()


class TestReadSlice:
    RAW = '{"content":"a\\"b é"}'.encode()

    @pytest.mark.parametrize(
        ("start", "end"),
        [
            pytest.param(12, 14, id="cut inside an escape"),
            pytest.param(12, 18, id="cut inside a character"),
            pytest.param(8, 16, id="past the end of a string"),
            pytest.param(0, 5, id="no string at all"),
        ],
    )
    def test_refuses(self, start: int, end: int) -> None:
        with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
            read_slice(self.RAW, start, end)

    def test_reads_what_stands_there(self) -> None:
        assert read_slice(self.RAW, 12, 19) == 'a"b é'
