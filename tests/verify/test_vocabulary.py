"""Verification has its own words; here they are held against those of the writers."""

from __future__ import annotations

from enum import StrEnum

import pytest

from audit.proof import vocabulary
from bullbear.lifecycle import ENDED_CHILD, ENDED_ROOT, RequestState
from bullbear.receipts import DOMAIN_TAG, VERSION, RuntimeKind
from dialogue.answers import Action
from dialogue.kinds import DialogueKind
from dialogue.rules import MessageKind, MoveKind, SlotKind, SlotOutcome
from research.answers import Pattern
from research.kinds import PartKind, ResearchKind
from research.open_root import CONFIGURATION_VERSION
from research.rules import AnswerClass
from tests.verify.ledger import TAG


def _words(*enums: type[StrEnum]) -> set[str]:
    return {str(word) for enum in enums for word in enum}


@pytest.mark.parametrize(
    ("known", "written"),
    [
        (vocabulary.RECEIPT_KINDS, _words(RuntimeKind, ResearchKind, DialogueKind)),
        (vocabulary.PART_KINDS, _words(PartKind)),
        (vocabulary.OUTCOME_KINDS.keys(), _words(RequestState) - {RequestState.SEALED}),
        (vocabulary.ENDED_CHILD, {str(state) for state in ENDED_CHILD}),
        (vocabulary.ENDED_ROOT, {str(state) for state in ENDED_ROOT}),
        (vocabulary.SPEAKER.keys(), _words(SlotKind)),
        (frozenset().union(*vocabulary.MESSAGES_OF.values()), _words(MessageKind)),
        (vocabulary.ACT_NEEDED.keys(), _words(MessageKind)),
        (vocabulary.MOVE_OF_ACTION.keys(), _words(Action)),
        ({*vocabulary.MOVE_OF_ACTION.values(), "contested"}, _words(MoveKind)),
        (
            vocabulary.OVER_AND_NEXT_ROUND,
            _words(SlotOutcome) - {SlotOutcome.SPENT, SlotOutcome.CLOSED},
        ),
    ],
)
def test_verification_knows_every_word(known: set[str], written: set[str]) -> None:
    assert set(known) == written


def test_verification_knows_the_versions_and_the_worth_of_answers() -> None:
    assert vocabulary.RECEIPT_VERSION == VERSION
    assert vocabulary.CONFIGURATION_VERSION == CONFIGURATION_VERSION
    assert TAG == DOMAIN_TAG
    worth = {vocabulary.VALID, vocabulary.WITH_TOOL_CALLS, vocabulary.WITH_REFUSED_SEND}
    assert worth <= _words(AnswerClass)
    assert _words(Pattern) == {"single", "parallel", "dialogue"}
