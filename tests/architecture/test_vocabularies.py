"""One word list for each thing: enums, the database's check constraints and the tables of sentences agree.

Source: style.md, rule 13 and "State machines"; design.md D4, D18.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import pytest
from django.apps import apps
from django.db.models import CharField, CheckConstraint, Model, Q, UniqueConstraint

from audit.timeline import WORDS
from bullbear.lifecycle import (
    ENDED_ROOT,
    Cause,
    ChildState,
    RequestState,
    ResultType,
    Role,
    RootState,
)
from bullbear.outcomes import OutcomeClass
from bullbear.receipts import RuntimeKind
from dialogue.answers import DispositionKind
from dialogue.kinds import DialogueKind, GapCode
from dialogue.rules import (
    DecisionKind,
    EndReason,
    MessageKind,
    MoveKind,
    SendRefusal,
    SlotKind,
    SlotOutcome,
)
from research.answers import Pattern
from research.citations import CitationRefusal
from research.kinds import FindingKind, PartKind, ResearchKind
from research.rules import AnswerClass, Purpose, Wish
from research.tool_loop import ToolRefusal

PACKAGES = ("bullbear", "research", "dialogue", "audit")
RECEIPT_KINDS = (*RuntimeKind, *ResearchKind, *DialogueKind)

# Which words a column holds: its check constraint, where it has one, names exactly these.
WORDS_OF: dict[str, type[StrEnum]] = {
    "bullbear.Root.state": RootState,
    "bullbear.Root.cause": Cause,
    "bullbear.Root.result": ResultType,
    "bullbear.Root.end_reason": EndReason,
    "bullbear.Child.state": ChildState,
    "bullbear.Child.role": Role,
    "bullbear.ModelRequest.state": RequestState,
    "bullbear.ModelRequest.purpose": Purpose,
    "bullbear.ModelRequest.outcome_class": OutcomeClass,
    "bullbear.RequestPart.kind": PartKind,
    "bullbear.Receipt.kind": RuntimeKind,
    "research.Plan.wished": Wish,
    "research.Plan.proposed": Pattern,
    "research.Plan.pattern": Pattern,
    "research.ToolCall.refusal": ToolRefusal,
    "research.Finding.kind": FindingKind,
    "research.Finding.reason": SendRefusal,
    "dialogue.Pair.end_reason": EndReason,
    "dialogue.HalfRound.kind": SlotKind,
    "dialogue.HalfRound.outcome": SlotOutcome,
    "dialogue.PeerMessage.kind": MessageKind,
    "dialogue.ClaimMove.move": MoveKind,
    "dialogue.Disposition.disposition": DispositionKind,
    "dialogue.Decision.kind": DecisionKind,
    "dialogue.Gap.code": GapCode,
}
MORE_WORDS_OF: dict[str, tuple[type[StrEnum], ...]] = {
    "bullbear.ModelRequest.outcome_class": (AnswerClass,),
    "bullbear.Receipt.kind": (ResearchKind, DialogueKind),
    "research.ToolCall.refusal": (CitationRefusal,),
}
STATES = [
    "bullbear.Root.state",
    "bullbear.Child.state",
    "bullbear.Child.role",
    "bullbear.ModelRequest.state",
    "dialogue.HalfRound.kind",
    "dialogue.HalfRound.outcome",
    "dialogue.PeerMessage.kind",
    "dialogue.ClaimMove.move",
    "dialogue.Disposition.disposition",
    "dialogue.Pair.end_reason",
    "dialogue.Decision.kind",
    "bullbear.Root.cause",
    "research.Plan.wished",
    "research.Plan.proposed",
    "research.Plan.pattern",
    "dialogue.Gap.code",
]


def models() -> Iterator[type[Model]]:
    for package in PACKAGES:
        yield from apps.get_app_config(package).get_models()


def column(place: str) -> CharField[Any, Any]:
    label, name = place.rsplit(".", 1)
    field = apps.get_model(label)._meta.get_field(name)
    assert isinstance(field, CharField)
    return field


def comparisons(condition: Any) -> Iterator[tuple[str, Any]]:
    """Every comparison of a check constraint, however deep."""
    for child in condition.children:
        if isinstance(child, Q):
            yield from comparisons(child)
        else:
            yield child


def checked_words(place: str) -> list[set[str]]:
    """The word lists of a column's check constraints."""
    label, name = place.rsplit(".", 1)
    return [
        {str(word) for word in words}
        for constraint in apps.get_model(label)._meta.constraints
        if isinstance(constraint, CheckConstraint)
        for lookup, words in comparisons(constraint.condition)
        if lookup == f"{name}__in"
    ]


class TestColumns:
    @pytest.mark.parametrize("place", sorted(WORDS_OF))
    def test_every_word_fits_its_column(self, place: str) -> None:
        words = [word for one in (WORDS_OF[place], *MORE_WORDS_OF.get(place, ())) for word in one]
        assert max(len(word) for word in words) <= (column(place).max_length or 0)

    @pytest.mark.parametrize("place", STATES)
    def test_a_state_is_checked_against_its_whole_enum(self, place: str) -> None:
        assert {str(word) for word in WORDS_OF[place]} in checked_words(place)

    def test_the_result_is_checked_against_its_enum(self) -> None:
        results = {str(word) for word in ResultType} - {""}
        assert results in checked_words("bullbear.Root.result")
        assert {str(state) for state in ENDED_ROOT} in checked_words("bullbear.Root.state")

    def test_no_word_list_names_a_word_that_no_enum_has(self) -> None:
        known = {place: {str(word) for word in words} for place, words in WORDS_OF.items()}
        unknown = {
            place: words - known[place]
            for place in known
            for words in checked_words(place)
            if words - known[place]
        }
        assert unknown == {}


class TestConstraints:
    def test_are_named_as_sentences(self) -> None:
        odd = [
            constraint.name
            for model in models()
            for constraint in model._meta.constraints
            if len(constraint.name.split()) < 3 or constraint.name != constraint.name.lower()
        ]
        assert odd == []

    def test_have_names_of_their_own(self) -> None:
        names = [constraint.name for model in models() for constraint in model._meta.constraints]
        assert sorted(names) == sorted(set(names))

    def test_hold_what_concurrency_rests_on(self) -> None:
        unique = {
            constraint.name
            for model in models()
            for constraint in model._meta.constraints
            if isinstance(constraint, UniqueConstraint)
        }
        assert unique >= {
            "one half-round of each kind in a round",
            "one live request for each execution",
            "one receipt for each act",
            "one receipt for each place in a chain",
            "one request for each place in a turn",
        }


class TestReceipts:
    def test_no_two_packages_name_a_fact_alike(self) -> None:
        assert len({str(kind) for kind in RECEIPT_KINDS}) == len(RECEIPT_KINDS)

    def test_each_kind_has_a_label_and_a_sentence(self) -> None:
        assert {str(kind) for kind in WORDS} == {str(kind) for kind in RECEIPT_KINDS}
        assert all(words.label and words.sentence.endswith(".") for words in WORDS.values())

    def test_no_two_kinds_have_the_same_label(self) -> None:
        labels = [words.label for words in WORDS.values()]
        assert sorted(labels) == sorted(set(labels))


class TestAnswers:
    def test_no_class_of_an_answer_is_a_class_of_an_outcome(self) -> None:
        """Both stand in one column."""
        assert {str(one) for one in AnswerClass}.isdisjoint(str(one) for one in OutcomeClass)

    def test_purposes_name_their_half_rounds(self) -> None:
        assert {str(kind) for kind in SlotKind} <= {str(purpose) for purpose in Purpose}
