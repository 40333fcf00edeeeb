"""The domain `decision`: texts become numbered passages, and its tools show them to the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from research.domain import SourceView, ToolRefused, Unreadable
from research.domains.registry import domain
from research.reading import limits
from tests.domain.workbooks import pdf, xlsx

DECISION = domain("decision")
TOOLS = {tool.name: tool for tool in DECISION.tools}
PLAN = b"""# A plan

Intro.

## Why

First reason, **verbatim**.
Its second line.

## How

Step by step.
"""
NOTE = "Only one reason was counted.\n\nIt is “half” a reason – no more.\n".encode()


def source(handle: str, raw: bytes, *, is_subject: bool = False) -> SourceView:
    reading = DECISION.read(raw, "a file")
    reading = DECISION.as_subject(reading) if is_subject else reading
    return SourceView(handle, f"id of {handle}", "a file", "", reading)


SOURCES = (source("S1", PLAN, is_subject=True), source("S2", NOTE))


def run(name: str, sources: Sequence[SourceView] = SOURCES, **arguments: Any) -> Mapping[str, Any]:
    return TOOLS[name].run(arguments, sources).shown


class TestRead:
    def test_numbers_passages_under_the_headings_above_them(self) -> None:
        """Each passage has its number, the row where it begins, its path and its words."""
        reading = DECISION.read(PLAN, "x.bin")
        assert (reading.kind, reading.reader, reading.counts) == (
            "document",
            "markdown/1",
            {"passage": 6},
        )
        assert [(one["number"], one["row"], one["path"], one["text"]) for one in reading.rows] == [
            (1, 1, "A plan", "# A plan"),
            (2, 3, "A plan", "Intro."),
            (3, 5, "A plan > Why", "## Why"),
            (4, 7, "A plan > Why", "First reason, **verbatim**.\nIts second line."),
            (5, 10, "A plan > How", "## How"),
            (6, 12, "A plan > How", "Step by step."),
        ]

    def test_tells_a_note_from_a_document(self) -> None:
        """With less than two headings it is a note; which file is the proposal its giver says."""
        assert DECISION.read(NOTE, "proposal.md").kind == "note"
        assert DECISION.as_subject(DECISION.read(NOTE, "note.txt")).kind == "proposal"

    def test_reads_the_text_of_a_pdf(self) -> None:
        """Passages carry their page."""
        reading = DECISION.read(pdf(["The first page."], ["The second page."]), "plan.pdf")
        assert (reading.kind, reading.reader) == ("document", "pdf_text/1")
        assert [(one["number"], one["page"], one["text"]) for one in reading.rows] == [
            (1, 1, "The first page."),
            (2, 2, "The second page."),
        ]

    @pytest.mark.parametrize(
        ("raw", "says"),
        [
            pytest.param(b"", "the file is empty (0 bytes)", id="nothing"),
            pytest.param(b" \n\n\t", "it holds no text", id="white space"),
            pytest.param(b"\x89PNG\r\n\x1a\n", "a PNG image, which no reader here", id="picture"),
            pytest.param(b"abc\x00def", "a NUL byte", id="binary"),
            pytest.param(b"<!doctype html><p>Hello", "an HTML page", id="web page"),
            pytest.param(xlsx({"A": [["a"]]}), "a workbook (xlsx)", id="workbook"),
            pytest.param(b"%PDF-1.7 cut", "a PDF that is damaged", id="damaged PDF"),
            pytest.param(pdf([]), "it holds no text", id="PDF of pictures"),
        ],
    )
    def test_refuses_by_name_with_the_first_bytes(self, raw: bytes, says: str) -> None:
        """What holds no text is said, and how it begins."""
        with pytest.raises(Unreadable) as refused:
            DECISION.read(raw, "a file")
        assert says in refused.value.problem
        assert refused.value.first_bytes == raw[:64]

    def test_keeps_the_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Past a limit the file is refused, and the limit is named."""
        assert (limits.MAX_BYTES, limits.MAX_PASSAGES) == (50 * 1024 * 1024, 5_000)
        monkeypatch.setattr("research.reading.document.MAX_PASSAGES", 3)
        with pytest.raises(Unreadable, match="6 passages, more than the limit of 3"):
            DECISION.read(PLAN, "a file")


class TestListSources:
    def test_names_the_text_under_review_and_the_headings(self) -> None:
        """The kinds, how many passages, and where to find what."""
        shown = run("list_sources")
        assert [(one["handle"], one["kind"], one["passages"]) for one in shown["sources"]] == [
            ("S1", "proposal", 6),
            ("S2", "note", 2),
        ]
        assert shown["sources"][0]["headings"] == [
            {"number": 1, "path": "A plan"},
            {"number": 3, "path": "A plan > Why"},
            {"number": 5, "path": "A plan > How"},
        ]


class TestReadSource:
    def test_shows_passages_by_number(self) -> None:
        """Word for word, and the number to go on with."""
        shown = run("read_source", source="S1", first=4, limit=2)
        assert [(one["number"], one["text"]) for one in shown["passages"]] == [
            (4, "First reason, **verbatim**.\nIts second line."),
            (5, "## How"),
        ]
        assert shown["next"] == 6
        assert run("read_source", source="S1", first=6, limit=2)["next"] is None

    def test_is_bounded_in_characters_and_cuts_no_passage(self) -> None:
        """A page ends before the passage that would not fit; one passage is always shown."""
        long = source("S1", b"\n\n".join([b"x" * 1_999] * 30))
        shown = run("read_source", [long], source="S1", limit=40)
        assert [len(one["text"]) for one in shown["passages"]] == [1_999] * 10
        assert shown["next"] == 11

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"source": "S9"}, "unknown_source"),
            ({"source": "S1", "first": 0}, "bad_arguments"),
            ({"source": "S1", "first": 7}, "bad_arguments"),
            ({"source": "S1", "limit": 41}, "bad_arguments"),
            ({"source": "S1", "offset": 0}, "bad_arguments"),
        ],
    )
    def test_refuses(self, arguments: dict[str, Any], code: str) -> None:
        """A text that is not there, and passages that it does not have."""
        with pytest.raises(ToolRefused) as refused:
            run("read_source", **arguments)
        assert refused.value.code == code


class TestSearchSources:
    def test_finds_passages_with_most_words_first(self) -> None:
        """Also within longer words, in any case; each with its source and number."""
        shown = run("search_sources", query="REASON count")
        assert [(one["source"], one["number"], one["found"]) for one in shown["passages"]] == [
            ("S2", 1, ["reason", "count"]),
            ("S1", 4, ["reason"]),
            ("S2", 2, ["reason"]),
        ]
        assert shown["passages"][2]["text"] == "It is “half” a reason – no more."
        assert shown["passages_in_all"] == 3

    def test_rests_on_every_source_that_was_searched(self) -> None:
        """Also that nothing was found does, and it says that this is no statement."""
        result = TOOLS["search_sources"].run({"query": "unheard"}, SOURCES)
        assert result.shown["passages"] == []
        assert result.used == {"id of S1", "id of S2"}
        assert "no statement about the matter" in result.shown["does_not_show"]

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"query": " "}, "bad_arguments"),
            ({"query": "a", "limit": 21}, "bad_arguments"),
            ({"query": "a", "source": "S9"}, "unknown_source"),
        ],
    )
    def test_refuses(self, arguments: dict[str, Any], code: str) -> None:
        """A query without words, too many passages, a source that is not there."""
        with pytest.raises(ToolRefused) as refused:
            run("search_sources", **arguments)
        assert refused.value.code == code


def test_its_schemas_require_every_argument() -> None:
    """As strict servers take them."""
    for tool in DECISION.tools:
        assert tool.parameters["required"] == list(tool.parameters["properties"])
        assert tool.parameters["additionalProperties"] is False


def test_its_sample_can_be_read() -> None:
    """The files that the domain names are there and are what they are named as."""
    sample = DECISION.sample
    kinds = {
        name: DECISION.read((sample.folder / name).read_bytes(), name).kind
        for name in (sample.subject, *sample.sources)
    }
    assert kinds == {
        "proposal.md": "document",
        "trial_notes.md": "document",
        "staff_survey.txt": "note",
    }
