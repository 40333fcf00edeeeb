"""Records of real Roots, loaded from their rows and verified."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from audit.proof.verdict import Result
from audit.verify import UnknownRoot, load_record, verify, verify_root
from bullbear.models import Content, Root
from dialogue.models import PeerMessage
from tests.driving import Driver, sample_files

pytestmark = pytest.mark.usefixtures("database")


class TestVerifyRoot:
    @pytest.mark.parametrize("folder", ["", "bond_share", "defended", "no_new_exposure"])
    def test_verifies_a_root_after_each_of_its_steps(self, driver: Driver, folder: str) -> None:
        root = driver.open(files=sample_files(folder))
        while owed := driver.owed(root):
            assert str(verify_root(root.pk)) == "verified"
            driver.step(owed[0])
        assert str(verify_root(root.pk)) == "verified"
        root.refresh_from_db()
        assert (root.state, root.result) == ("finished", "complete")

    def test_raises_for_a_root_that_is_not_there(self) -> None:
        """A deleted Root leaves nothing to verify."""
        with pytest.raises(UnknownRoot):
            verify_root(uuid4())

    def test_names_the_message_whose_text_an_owner_rewrote(self, driver: Driver) -> None:
        """An owner can switch a trigger off; that is detected, not prevented."""
        message = _first_message(driver)
        other = Content.objects.get(pk=message.root.question_id)
        _as_owner(
            "bullbear_content",
            "UPDATE bullbear_content SET payload = %s WHERE id = %s",
            [bytes(other.payload), message.text_id],
        )
        verdict = verify_root(message.root_id)
        assert verdict.result is Result.MISMATCH
        assert "(message)" in verdict.place
        assert verdict.problem == "it is not its record's text"

    def test_names_the_receipt_that_an_owner_deleted(self, driver: Driver) -> None:
        message = _first_message(driver)
        _as_owner(
            "bullbear_receipt",
            "DELETE FROM bullbear_receipt WHERE root_id = %s AND kind = 'message_accepted'"
            " AND act = %s",
            [message.root_id, message.act],
        )
        verdict = verify_root(message.root_id)
        assert verdict.result is Result.MISMATCH
        assert verdict.place.startswith("receipt #")
        assert verdict.problem.startswith("it is missing")

    def test_names_what_holds_bytes_that_cannot_be_read(self, driver: Driver) -> None:
        root = driver.open()
        _as_owner(
            "bullbear_content",
            "UPDATE bullbear_content SET payload = 'broken' WHERE id = %s",
            [root.question_id],
        )
        verdict = verify_root(root.pk)
        assert verdict.result is Result.MISMATCH
        assert verdict.place == "the question"


class TestLoadRecord:
    def test_asks_as_many_queries_of_a_long_root_as_of_a_short_one(self, driver: Driver) -> None:
        root = driver.open()
        before = _queries(root)
        driver.run(root)
        assert _queries(root) == before
        assert before <= 26

    def test_reads_one_moment(self, driver: Driver) -> None:
        """A Root that goes on while it is read is verified as it stood."""
        root = driver.open()
        record = load_record(root.pk)
        driver.run(root)
        assert str(verify(record)) == "verified"


def _first_message(driver: Driver) -> PeerMessage:
    root = driver.run(driver.open())
    return PeerMessage.objects.select_related("root").get(root=root, number=1)


def _queries(root: Root) -> int:
    with CaptureQueriesContext(connections["audit"]) as captured:
        load_record(root.pk)
    return len(captured)


def _as_owner(table: str, statement: str, values: list[Any]) -> None:
    """Do what only an owner can: switch the table's triggers off, and on again."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
            [table],
        )
        names = [row[0] for row in cursor.fetchall()]
        for name in names:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        cursor.execute(statement, values)
        for name in names:
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
