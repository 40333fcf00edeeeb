"""Figures are written by the host where a model cites their handles.  design.md D13."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.report.figures import render_figures

RESULTS = {
    "T1": {"before_pct": "15.00", "bucket": "Information Technology", "count": 6, "rows": []},
    "T12": {"after_pct": "23.00", "loop": "[[T1.before_pct]]", "flag": True, "nothing": None},
}


class TestRenderFigures:
    @pytest.mark.parametrize(
        ("text", "rendered"),
        [
            ("[[T1.before_pct]] %", "15.00 %"),
            ("from [[T1.before_pct]] to [[T12.after_pct]]", "from 15.00 to 23.00"),
            ("[[T1.bucket]]", "Information Technology"),
            ("[[T1.count]] lines", "6 lines"),
            ("no handle", "no handle"),
        ],
    )
    def test_writes_what_the_result_holds(self, text: str, rendered: str) -> None:
        assert render_figures(text, RESULTS) == rendered

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("[[T2.before_pct]]", id="no such tool call"),
            pytest.param("[[T1.after_pct]]", id="no such field"),
            pytest.param("[[T1.rows]]", id="no figure"),
            pytest.param("[[T12.flag]]", id="a truth value"),
            pytest.param("[[T12.nothing]]", id="null"),
            pytest.param("[[S1.before_pct]]", id="not a tool call"),
            pytest.param("[[T01.before_pct]]", id="not its handle"),
            pytest.param("[[T1.before_pct]", id="not closed"),
            pytest.param("[[ T1.before_pct ]]", id="with spaces"),
            pytest.param("[[T1.__class__]]", id="an attribute"),
        ],
    )
    def test_leaves_what_names_no_figure_visibly_as_it_is(self, text: str) -> None:
        assert render_figures(text, RESULTS) == text

    def test_renders_once(self) -> None:
        assert render_figures("[[T12.loop]]", RESULTS) == "[[T1.before_pct]]"

    @given(st.text())
    def test_changes_nothing_else(self, text: str) -> None:
        assert render_figures(text, {}) == text
