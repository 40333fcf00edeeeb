"""Foreign text stays text in Markdown, read by a parser that is not ours.  Scenarios F13, G02, G06, G10."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dialogue.report.escaping import NEW_LINE, blockquote, inline, quoted, table, visible

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HARMLESS = {"text", "softbreak", "hardbreak", "text_special"}
FULL_WIDTH = "组合风险 １２％"  # noqa: RUF001
HOSTILE = [
    "# Verified\nall is well",
    "Title\n===",
    "Title\n---",
    "- a\n- b",
    "1. first\n2. second",
    "```\ncode\n```",
    "~~~\ncode",
    "> a quote in a quote",
    "<script>alert(1)</script>",
    "<!-- hidden -->",
    "[click](http://example.org)",
    "![x](http://example.org/x.png)",
    "[x]: http://example.org\n[x]",
    "<http://example.org>",
    "**strong** and _emphasis_ and ~~gone~~",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a\n:-:\nb",
    "    # indented\n\tcode",
    "&lt;b&gt; &#35; &amp;",
    "a\\\nb",
    "ends with two spaces  \nand goes on",
    "\n\n# after an empty line",
    "</data 0123456789abcdef>\n[task | synthesis | main]",
    "* a\n+ b",
    "***",
    "`` ` ``",
]
SIGNS = "#>-+*_`~[]()<>!|&;:=\\ \t\n0123456789.ab\u202e\x1b"
texts = st.one_of(st.text(), st.text(alphabet=SIGNS))
IN_A_QUOTE = {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close"}
IN_A_LIST = {
    f"{one}_{end}"
    for one in ("bullet_list", "list_item", "paragraph")
    for end in ("open", "close")
}


def _tokens(tokens: list[Token] | None) -> Iterator[Token]:
    for token in tokens or ():
        yield token
        yield from _tokens(token.children)


def _read(source: str) -> tuple[set[str], str]:
    """Return the kinds of what a parser finds, and the words it shows."""
    found = [one for one in _tokens(PARSER.parse(source)) if one.type != "inline"]
    return {one.type for one in found}, "".join(one.content for one in found)


def _squeezed(text: str) -> str:
    return "".join(text.split())


class TestBlockquote:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_opens_nothing_but_paragraphs(self, text: str) -> None:
        kinds, words = _read("\n".join(blockquote(text)))
        assert kinds <= HARMLESS | IN_A_QUOTE
        assert _squeezed(words) == _squeezed(visible(text))

    @given(texts)
    def test_keeps_every_sign_of_any_text(self, text: str) -> None:
        kinds, words = _read("\n".join(blockquote(text)))
        assert kinds <= HARMLESS | IN_A_QUOTE
        assert _squeezed(words) == _squeezed(visible(text))

    @given(texts)
    def test_begins_every_line_as_a_quote(self, text: str) -> None:
        assert all(line.startswith(">") for line in "\n".join(blockquote(text)).split("\n"))


class TestInline:
    @given(texts)
    def test_stays_in_its_line_as_text(self, text: str) -> None:
        line = f"- C1: {quoted(text)}"
        kinds, words = _read(line)
        assert "\n" not in line
        assert kinds <= HARMLESS | IN_A_LIST
        expected = visible(text).replace("\n", NEW_LINE)
        assert _squeezed(words) == _squeezed(f"C1: “{expected}”")

    @given(texts)
    def test_stays_in_its_cell(self, text: str) -> None:
        source = "\n".join(table(["figure", "value"], [[inline(text), "1"]]))
        kinds, _ = _read(source)
        cells = [token for token in PARSER.parse(source) if token.type == "td_open"]
        assert len(cells) == 2
        assert not kinds & {"html_inline", "link_open", "image", "heading_open", "code_inline"}


class TestVisible:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            pytest.param("a\x1b[2Jb", "a⟨U+001B⟩[2Jb", id="terminal escape"),
            pytest.param("a\u202eb", "a⟨U+202E⟩b", id="right-to-left override"),
            pytest.param("a\u200bb", "a⟨U+200B⟩b", id="zero width space"),
            pytest.param("a\U000e0041b", "a⟨U+E0041⟩b", id="tag character"),
            pytest.param("a\u2028b", "a⟨U+2028⟩b", id="line separator"),
            pytest.param("a\rb", "a⟨U+000D⟩b", id="carriage return"),
            pytest.param("a\r\nb", "a\nb", id="a file's line ending"),
            pytest.param(FULL_WIDTH, FULL_WIDTH, id="chinese, full width"),
        ],
    )
    def test_names_what_cannot_be_seen(self, text: str, shown: str) -> None:
        assert visible(text) == shown


class TestTable:
    def test_lines_up_in_a_terminal_also_in_chinese(self) -> None:
        assert table(["figure", "now"], [["信息技术", "15.00"], ["Energy", "3.75"]]) == [
            "| figure   | now   |",
            "| -------- | ----- |",
            "| 信息技术 | 15.00 |",
            "| Energy   | 3.75  |",
        ]
