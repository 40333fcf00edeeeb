"""Every code of a report has its sentence.  design.md D10, D13."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import pytest

from bullbear.lifecycle import ResultType, Role
from bullbear.outcomes import OutcomeClass
from dialogue.answers import DispositionKind
from dialogue.deliver import Delivery
from dialogue.kinds import GapCode
from dialogue.report import outcome_words, sentences
from dialogue.report.sentences import end_sentence, gap_sentence, listed
from dialogue.rules import (
    ClaimStatus,
    EndReason,
    MessageKind,
    MoveKind,
    SendRefusal,
    SlotKind,
    SlotOutcome,
)
from research.answers import Pattern
from research.rules import AnswerClass, Purpose, Wish

Table = Mapping[Any, str]
TABLES: list[tuple[type[StrEnum], Table]] = [
    (EndReason, sentences.END_CLAUSES),
    (GapCode, sentences.GAP_SENTENCES),
    (Delivery, sentences.DELIVERY_SENTENCES),
    (ResultType, sentences.RESULT_SENTENCES),
    (Pattern, sentences.PATTERN_SENTENCES),
    (Wish, sentences.WISHES),
    (SlotOutcome, sentences.SLOT_SENTENCES),
    (SlotKind, sentences.SLOTS),
    (MessageKind, sentences.MESSAGES),
    (MoveKind, sentences.MOVES),
    (ClaimStatus, sentences.STATUSES),
    (DispositionKind, sentences.DISPOSITIONS),
    (SendRefusal, sentences.REFUSALS),
    (Role, sentences.NAMES),
    (OutcomeClass, outcome_words.OUTCOMES),
    (AnswerClass, outcome_words.ANSWERS),
    (Purpose, outcome_words.CALLS),
]
JUDGING = ("winner", "won", "lost", "score", "vote", "average", "correct", "proved")


class TestTables:
    @pytest.mark.parametrize(
        ("codes", "table"), TABLES, ids=[codes.__name__ for codes, _ in TABLES]
    )
    def test_hold_every_code_and_no_other(self, codes: type[StrEnum], table: Table) -> None:
        assert set(table) == set(codes)

    @pytest.mark.parametrize("table", [table for _, table in TABLES])
    def test_say_something_else_of_each_code(self, table: Table) -> None:
        assert all(words.strip() for words in table.values())
        assert len(set(table.values())) == len(table)

    @pytest.mark.parametrize("table", [table for _, table in TABLES])
    def test_judge_nobody(self, table: Table) -> None:
        said = {word.strip(".,;:()").lower() for text in table.values() for word in text.split()}
        assert said.isdisjoint(JUDGING)


class TestEndSentence:
    @pytest.mark.parametrize("reason", list(EndReason))
    @pytest.mark.parametrize(
        ("planned", "formed", "begins"),
        [
            (True, True, "The dialogue ended: "),
            (True, False, "No dialogue took place: "),
            (False, False, "The research ended early: "),
        ],
    )
    def test_says_what_ended_and_why(
        self, reason: EndReason, begins: str, *, planned: bool, formed: bool
    ) -> None:
        sentence = end_sentence(reason, planned=planned, formed=formed)
        assert sentence == f"{begins}{sentences.END_CLAUSES[reason]}."

    def test_says_that_none_was_planned(self) -> None:
        assert end_sentence(None, planned=False, formed=False) == "No dialogue was planned."


class TestGapSentence:
    @pytest.mark.parametrize("code", list(GapCode))
    def test_is_one_sentence_with_subject_and_reason_filled_in(self, code: GapCode) -> None:
        sentence = gap_sentence(code, subject="the subject", reason="the reason")
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "{" not in sentence

    @pytest.mark.parametrize(
        "code", [GapCode.OUTCOME_UNKNOWN, GapCode.NO_MESSAGE, GapCode.SEND_REFUSED]
    )
    def test_names_subject_and_reason(self, code: GapCode) -> None:
        sentence = gap_sentence(code, subject="Bear's call", reason="its worker died")
        assert "Bear's call" in sentence
        assert "its worker died" in sentence


@pytest.mark.parametrize(
    ("words", "joined"), [(["C1"], "C1"), (["C1", "C2"], "C1 and C2"), (list("abc"), "a, b and c")]
)
def test_listed(words: list[str], joined: str) -> None:
    assert listed(words) == joined
