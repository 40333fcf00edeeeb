"""Receipts in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from audit.proof.record import Record
from audit.timeline import NOT_NAMED, WORDS, Entry, events_after, tell, timeline
from bullbear.ids import new_id
from bullbear.receipts import RuntimeKind
from dialogue.kinds import DialogueKind
from research.kinds import ResearchKind
from tests.driving import Driver
from tests.verify.stories import a_dialogue, a_troubled_dialogue


def _told(record: Record) -> list[Entry]:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return list(tell((now, json.loads(row.body)) for row in record.receipts))


class TestWords:
    def test_has_a_label_and_a_sentence_for_every_kind(self) -> None:
        kinds = {str(kind) for enum in (RuntimeKind, ResearchKind, DialogueKind) for kind in enum}
        assert {str(kind) for kind in WORDS} == kinds
        labels = [words.label for words in WORDS.values()]
        assert len(set(labels)) == len(labels)
        assert all(words.sentence.endswith(".") for words in WORDS.values())


class TestTell:
    @pytest.mark.parametrize("story", [a_dialogue, a_troubled_dialogue])
    def test_names_everything_it_speaks_of(self, story: Callable[[], Record]) -> None:
        """No sentence holds an id, or a subject that its receipt does not name."""
        told = _told(story())
        assert [entry.seq for entry in told] == list(range(1, len(told) + 1))
        for entry in told:
            assert NOT_NAMED not in entry.sentence, entry
            assert "00000000" not in entry.sentence, entry

    def test_tells_a_message_from_its_acceptance_to_its_delivery(self) -> None:
        sentences = [entry.sentence for entry in _told(a_dialogue())]
        first = sentences.index("Bear's challenge of round 1 was accepted as M1.")
        assert "Claim C1 was contested by M1." in sentences[first:]
        delivered = "M1 was delivered: it stood in Bull's response request, which was answered."
        assert delivered in sentences[first:]
        assert "Main disposed of each claim: C1 withdrawn, C2 stands." in sentences[first:]

    def test_never_calls_an_unknown_outcome_anything_else(self) -> None:
        sentences = [entry.sentence for entry in _told(a_troubled_dialogue())]
        unknown = "What became of Bear's challenge request is unknown and stays so (worker lost)."
        assert unknown in sentences

    def test_says_so_where_it_has_no_words(self) -> None:
        body = {"seq": 1, "kind": "from_the_future", "child": "", "subjects": {}}
        (entry,) = tell([(datetime(2026, 3, 1, tzinfo=UTC), body)])
        assert entry.sentence == "This version has no sentence for this receipt."


@pytest.mark.usefixtures("database")
class TestEventsAfter:
    def test_goes_on_where_the_timeline_ended(self, driver: Driver) -> None:
        root = driver.open()
        before = timeline(root.pk)
        assert before[0].kind == "root_created"
        driver.run(root)
        whole = timeline(root.pk)
        assert len(whole) == root.receipts_seq
        assert events_after(root.pk, before[-1].seq) == whole[len(before) :]
        assert all(NOT_NAMED not in entry.sentence for entry in whole)

    def test_tells_nothing_of_a_root_that_is_not_there(self) -> None:
        assert timeline(new_id()) == []
