"""A review of a decision through the whole product: texts, quotes, a dialogue, and no figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.verify import verify_root
from dialogue.models import Claim, PeerMessage
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown
from research.asking import GivenFile
from research.domains.registry import domain
from research.models import ToolCall
from tests import oracle
from tests.driving import Driver

DECISION = domain("decision")
FINANCE = ("portfolio", "fund", "look-through", "weight", "sector", "holdings")


def sample_texts() -> list[GivenFile]:
    sample = DECISION.sample
    names = (sample.subject, *sample.sources)
    return [
        GivenFile(name, (sample.folder / name).read_bytes(), is_subject=name == sample.subject)
        for name in names
    ]


@pytest.fixture
def reviewing(driver: Driver) -> Driver:
    """A driver whose Roots are of the domain `decision`."""
    return replace(driver, domain=DECISION)


def quoted(claims: list[dict[str, Any]]) -> dict[str, str]:
    return {one["handle"]: one["quote"]["text"] for one in claims}


@pytest.mark.usefixtures("database")
class TestADecision:
    """`bullbear ask --domain decision --proposal proposal.md --source trial_notes.md …`."""

    def test_is_reviewed_in_a_dialogue_of_quotes(self, reviewing: Driver) -> None:
        """Claims quoted, messages accepted and delivered, a disposition per claim, no table, verified."""
        root = reviewing.run(reviewing.open(DECISION.sample.question, sample_texts()))
        oracle.check(root)
        assert (root.domain, root.state, root.result) == ("decision", "finished", "complete")
        document = read_document(root.reports.get())
        assert document["disclaimer"] == "A review drafted by a model; it decides nothing."
        assert document["numbers"] == []
        assert {one["handle"]: one["kind"] for one in document["evidence"]["sources"]} == {
            "S1": "proposal",
            "S2": "document",
            "S3": "note",
        }
        assert quoted(document["claimed"]["claims"]) == {
            "C1": 'S1 says in passage 5: "In the trial the team closed the same number of cases in '
            'four days as it used to close in five."',
            "C2": 'S1 says in passage 6: "People are less tired."',
            "C3": 'S1 says in passage 6: "Nobody has asked to go back to five days."',
            "C4": 'S1 says in passage 7: "A shorter week will make it easier to hire."',
            "C5": 'S2 says in passage 5: "In the two busy weeks the team closed fewer cases than '
            'before, and the rest waited until the next week."',
            "C6": 'S2 says in passage 8: "With half of the team away on Friday, a first answer took '
            'longer than one working day for about every sixth case."',
            "C7": 'S3 says in passage 3: "Two of nine people have asked to go back to five days, '
            'because the four days became too long."',
        }
        claims = {
            f"C{one.number}": one.dispositions.get().disposition
            for one in Claim.objects.filter(root=root)
        }
        assert claims == {
            "C1": "revised",
            "C2": "stands",
            "C3": "withdrawn",
            "C4": "unresolved",
            "C5": "stands",
            "C6": "stands",
            "C7": "stands",
        }
        assert str(verify_root(root.pk)) == "verified"

    def test_delivers_what_each_side_said(self, reviewing: Driver) -> None:
        """Both rounds: a passage against a claim, and its author narrows or withdraws it."""
        root = reviewing.run(reviewing.open(DECISION.sample.question, sample_texts()))
        messages = PeerMessage.objects.filter(root=root).order_by("number")
        assert [(one.half_round.round, one.kind) for one in messages] == [
            (1, "challenge"),
            (1, "response"),
            (2, "challenge"),
            (2, "response"),
        ]
        document = read_document(root.reports.get())
        assert [one["line"] for one in document["answers"]["challenged"]] == [
            "Round 1: Bear challenged C1 (M1, delivered: yes).",
            "Round 1: Bull answered on C1: C1 narrowed by its author (M2, delivered: yes).",
            "Round 2: Bear challenged C3 (M3, delivered: yes).",
            "Round 2: Bull answered on C3: C3 withdrawn by its author (M4, delivered: no further turn).",
            "The dialogue ended: all allowed rounds were used.",
        ]

    def test_quotes_the_sources_to_the_letter(self, reviewing: Driver) -> None:
        """Every quote of every message stands in a file, byte for byte."""
        files = sample_texts()
        root = reviewing.run(reviewing.open(DECISION.sample.question, files))
        held = "\n".join(one.raw.decode() for one in files)
        document = read_document(root.reports.get())
        quotes = [text.split('"')[1] for text in quoted(document["claimed"]["claims"]).values()]
        assert len(quotes) == 7
        assert [one for one in quotes if one not in held] == []

    def test_says_nothing_of_finance(self, reviewing: Driver) -> None:
        """No word of the other domain stands in the report, and none of its tools was called."""
        root = reviewing.run(reviewing.open(DECISION.sample.question, sample_texts()))
        told = render_markdown(read_document(root.reports.get())).lower()
        assert [word for word in FINANCE if word in told] == []
        called = set(ToolCall.objects.filter(root=root).values_list("name", "refusal"))
        assert called == {("list_sources", ""), ("read_source", ""), ("search_sources", "")}

    @pytest.mark.parametrize(
        ("wish", "pattern"), [("exclude", "parallel"), ("require", "dialogue")]
    )
    def test_of_one_text_ends_with_a_report(
        self, reviewing: Driver, wish: str, pattern: str
    ) -> None:
        """Where only the proposal speaks, nothing is borne out and nothing is overturned."""
        files = sample_texts()[:1]
        root = reviewing.run(reviewing.open("Should the team do it?", files, wish=wish))
        oracle.check(root)
        document = read_document(root.reports.get())
        assert document["how_it_ran"]["plan"]["pattern"] == pattern
        assert {one["disposition"] for one in document["dispositions"]} == {"unresolved"}
