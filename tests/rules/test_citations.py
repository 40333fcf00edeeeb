"""Projections: a figure is taken from the canonical record, or not at all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.citations import Cited, Shown, check_projection, cited_handles, resolve
from research.domain import ToolRefused

TEXT = 'Technology goes from 15.00 % to 23.00 %, "by weight", of 1,230 lines.'
LABELS = frozenset({"root:1", "fund"})


def shown(text: str = TEXT, lineage: frozenset[str] = LABELS) -> Shown:
    piece = json.dumps(text, ensure_ascii=False)[1:-1].encode()
    return Shown(piece, hashlib.sha256(piece).hexdigest(), text, is_whole=True, lineage=lineage)


def code(argument: str, place: Shown) -> str:
    with pytest.raises(ToolRefused) as refused:
        resolve({"points": argument}, {"M4": [place], "T2": [place]})
    return str(refused.value.code)


class TestResolve:
    """A cited figure with the lineage of its canonical record."""

    def test_takes_a_figure_of_a_peers_words(self) -> None:
        """Scenario H13."""
        cited = resolve(
            {"points": "[[M4:23.00]]", "deep": [{"x": "[[M4:15.00]] %"}], "n": 3},
            {"M4": [shown()]},
        )
        assert cited == Cited({"points": "23.00", "deep": [{"x": "15.00 %"}], "n": 3}, LABELS)

    def test_takes_a_field_of_a_tool_result(self) -> None:
        place = shown('{"after_pct": "23.00", "lines": 4}')
        cited = resolve({"a": "[[T2.after_pct]]", "b": "[[T2.lines]]"}, {"T2": [place]})
        assert cited.arguments == {"a": "23.00", "b": "4"}

    def test_leaves_arguments_without_a_citation(self) -> None:
        assert resolve({"points": "10"}, {}) == Cited({"points": "10"}, frozenset())

    def test_joins_the_lineages_of_all_it_cites(self) -> None:
        other = shown("11 lines", frozenset({"account"}))
        cited = resolve({"x": "[[M4:23.00]] [[C1:11]]"}, {"M4": [shown()], "C1": [other]})
        assert cited.lineage == LABELS | {"account"}

    @pytest.mark.parametrize(
        ("argument", "text", "refusal"),
        [
            pytest.param("[[C9:23.00]]", TEXT, "unknown_reference", id="never shown"),
            pytest.param("[[M4:3.00]]", TEXT, "unknown_figure", id="the tail of a number"),
            pytest.param("[[M4:23.0]]", TEXT, "unknown_figure", id="the head of a number"),
            pytest.param("[[M4:230]]", TEXT, "unknown_figure", id="part of a grouped number"),
            pytest.param("[[M4:lines]]", TEXT, "unknown_figure", id="a word"),
            pytest.param("[[M4:24.00]]", TEXT, "unknown_figure", id="another number"),
            pytest.param("[[M4:1]]", "  ", "empty_projection", id="nothing stands there H07"),
            pytest.param("[[T2.a]]", '{"a": ""}', "empty_projection", id="an empty field H07"),
            pytest.param("[[T2.a]]", '{"a": null}', "unknown_figure", id="null"),
            pytest.param("[[T2.a]]", '{"a": true}', "unknown_figure", id="true"),
            pytest.param("[[T2.b]]", '{"a": "1"}', "unknown_figure", id="no such field"),
            pytest.param("[[T2.a]]", "no JSON", "unknown_figure", id="no result"),
        ],
    )
    def test_refuses_with_a_code_of_a_fixed_vocabulary(
        self, argument: str, text: str, refusal: str
    ) -> None:
        """Scenario G09."""
        assert code(argument, shown(text)) == refusal


class TestProjection:
    """What was shown is what is on record, to the byte."""

    @given(data=st.data())
    def test_with_one_altered_byte_is_refused(self, data: st.DataObject) -> None:
        """Whichever byte of the slice, with or without its digest made to fit. Scenarios H07, H13."""
        place = shown()
        at = data.draw(st.integers(0, len(place.piece) - 1))
        other = data.draw(st.integers(0, 255).filter(lambda one: one != place.piece[at]))
        piece = place.piece[:at] + bytes([other]) + place.piece[at + 1 :]
        fitted = replace(place, piece=piece, piece_sha256=hashlib.sha256(piece).hexdigest())
        assert code("[[M4:23.00]]", replace(place, piece=piece)) == "altered_projection"
        assert code("[[M4:23.00]]", fitted) == "altered_projection"

    def test_is_refused_where_any_of_its_places_is_altered(self) -> None:
        bad = replace(shown(), piece_sha256="0" * 64)
        with pytest.raises(ToolRefused, match="cited figure"):
            resolve({"x": "[[M4:23.00]]"}, {"M4": [shown(), bad]})

    def test_of_an_altered_record_is_refused(self) -> None:
        """The record's own digest is compared too."""
        assert code("[[M4:23.00]]", replace(shown(), is_whole=False)) == "altered_projection"

    def test_of_any_text_holds(self) -> None:
        check_projection(shown("集中度\n\t\\ \u202e 23"))


class TestCitedHandles:
    def test_are_named_before_anything_is_loaded(self) -> None:
        """So that a call without a citation costs no query."""
        raw = ['{"a":"[[M4:23.00]]"}', '{"b":"[[T2.after_pct]] [[S1:3]] [[M4]]"}', "{}"]
        assert cited_handles(raw) == {"M4", "T2"}
