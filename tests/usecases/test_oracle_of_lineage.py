"""The oracle's statement 10, on records that somebody with an owner's rights has changed.

Source: scenarios.md, the oracle: parts cover every shown record; every accepted message's lineage may flow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections

from audit.oracle import look_at
from tests.scripted import asks_for, challenge_in
from tests.usecases.conftest import OpenScene
from tests.usecases.scene import Scene

FUND = ("read_source", {"source": "S2", "offset": 0, "limit": 1})


@pytest.fixture
def rested(opened: OpenScene) -> Scene:
    """Bear's challenge rests on the fund and is accepted."""
    scene = opened(asks_for(challenge_in(1), FUND))
    scene.run(lambda: bool(scene.messages()))
    assert look_at(scene.root.pk) == []
    return scene


def complaints(scene: Scene) -> set[tuple[int, str]]:
    return {
        (one.statement, one.problem.split(": ")[-1].rstrip(")")) for one in look_at(scene.root.pk)
    }


@contextmanager
def as_owner(table: str) -> Iterator[Any]:
    """Switch a table's triggers off, as only its owner can."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only")
        try:
            yield cursor
        finally:
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only")


@pytest.mark.usefixtures("database")
class TestStatementTen:
    """Where lineage was lost, or a part is missing."""

    def test_complains_of_a_message_without_a_label(self, rested: Scene) -> None:
        with as_owner("dialogue_peermessage") as cursor:
            cursor.execute(
                "UPDATE dialogue_peermessage SET lineage = %s", [[f"root:{rested.root.pk}"]]
            )
        assert complaints(rested) == {(10, "its lineage is not its request's")}

    def test_complains_of_a_part_without_a_label(self, rested: Scene) -> None:
        with as_owner("bullbear_requestpart") as cursor:
            cursor.execute(
                "UPDATE bullbear_requestpart SET lineage = '{}' WHERE kind = 'tool_result'"
            )
        assert complaints(rested) == {(10, "its lineage is not its record's")}

    def test_complains_of_a_part_that_names_another_record(self, rested: Scene) -> None:
        with as_owner("bullbear_requestpart") as cursor:
            cursor.execute(
                "UPDATE bullbear_requestpart SET byte_end = byte_end - 1 WHERE kind = 'opening'"
            )
        assert complaints(rested) == {(10, "its slice has another digest")}
