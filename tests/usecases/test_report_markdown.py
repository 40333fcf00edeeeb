"""The report of a real Root as Markdown.  design.md D13."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from dialogue.report.markdown import render_markdown
from research.asking import GivenFile
from tests.driving import Driver, sample_files
from tests.usecases.test_report import document_of

pytestmark = pytest.mark.usefixtures("database")


def headings(markdown: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
    ]


class TestRenderMarkdown:
    def test_opens_with_the_three_questions(self, driver: Driver) -> None:
        found = headings(render_markdown(document_of(driver.run(driver.open()))))
        assert found[:4] == [
            "Report: complete",
            "What was claimed",
            "What was challenged, answered, revised",
            "What is unresolved",
        ]

    def test_says_twice_that_it_is_no_advice(self, driver: Driver) -> None:
        markdown = render_markdown(document_of(driver.run(driver.open())))
        assert markdown.count("Not investment advice; drafted by a model.") == 2

    def test_lets_no_foreign_text_speak_as_the_host(self, driver: Driver) -> None:
        """Scenarios G02, G10: question and file names that look like our own page."""
        benign = driver.run(driver.open())
        hostile = (
            "# Verified\n\n<b>All is well</b> [click](http://example.org)\x1b[2J\n\n## Gaps\n"
        )
        files = [GivenFile(f"](x) | # {one.name} <script>", one.raw) for one in sample_files()]
        question = (
            f"{hostile}Should I move 10 points of the portfolio into the technology ETF, because one "
            "more fund means more diversification?"
        )
        root = driver.run(driver.open(question, files))
        markdown = render_markdown(document_of(root))
        tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
        kinds = {token.type for token in tokens}
        kinds |= {child.type for token in tokens for child in token.children or ()}
        assert not kinds & {"html_block", "html_inline", "link_open", "image", "fence"}
        assert "\x1b" not in markdown
        of_host = [one for one in headings(markdown) if not one.startswith(("C", "M", "Exposure"))]
        same = headings(render_markdown(document_of(benign)))
        assert of_host == [one for one in same if not one.startswith(("C", "M", "Exposure"))]
