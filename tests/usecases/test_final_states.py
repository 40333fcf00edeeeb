"""What has ended stays ended, chains have no holes, a pair and its messages are of its members.

Tried as the application, which has the rights, as the owner, and as a superuser in replica mode.

Source: design.md D4, D9, D18.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.provider_double import ProviderDouble
from tests.usecases.on_record import WHO, changed, copied, one_of_everything, refusal

ENDED = "state IN ('finished', 'failed', 'stopped')"
CHALLENGE = "kind = 'challenge'"
MAIN = "(SELECT id FROM bullbear_child WHERE role = 'main' ORDER BY id LIMIT 1)"
AN_OPEN_ROOT = "(SELECT id FROM bullbear_root WHERE state = 'open' ORDER BY id LIMIT 1)"
LAST = "(SELECT max(seq) FROM bullbear_receipt r WHERE r.root_id = bullbear_receipt.root_id)"


@pytest.fixture(scope="module", autouse=True)
def everything(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, double_process: ProviderDouble
) -> Iterator[None]:
    """Every table holds a row."""
    with one_of_everything(django_db_blocker, double_process):
        yield


@pytest.mark.parametrize("who", WHO)
class TestAFinalState:
    """What has ended stays ended."""

    @pytest.mark.parametrize("state", ["answered", "rejected"])
    @pytest.mark.parametrize(
        "values",
        [
            {"state": "'sealed'", "outcome_class": "''"},
            {"state": "'outcome_unknown'"},
            {"served_model": "'another'"},
            {"response_id": "NULL"},
        ],
        ids="+".join,
    )
    def test_of_a_request_stays_with_its_response(
        self, who: str, state: str, values: dict[str, str]
    ) -> None:
        """The response is written once."""
        statement = changed("bullbear_modelrequest", values, f"state = '{state}'")
        assert refusal(who, statement) == "a final state stays"

    @pytest.mark.parametrize("values", [{"state": "'open'"}, {"end_reason": "'deadline'"}])
    def test_of_a_root_stays(self, who: str, values: dict[str, str]) -> None:
        """It does not open again, and its reason stays."""
        statement = changed("bullbear_root", values, "state = 'finished'")
        assert refusal(who, statement) == "a final state stays"

    @pytest.mark.parametrize("values", [{"state": "'ready'"}, {"end_reason": "'deadline'"}])
    def test_of_an_execution_stays(self, who: str, values: dict[str, str]) -> None:
        """It is not begun again, and its reason stays."""
        assert refusal(who, changed("bullbear_child", values, ENDED)) == "a final state stays"

    def test_of_a_root_leaves_its_counters_to_late_answers(self, who: str) -> None:
        """A control: a late answer is billed and appended."""
        values = {"tokens_spent": "tokens_spent + 1", "receipts_seq": "receipts_seq + 1"}
        assert refusal(who, changed("bullbear_root", values, "state = 'finished'")) == ""

    @pytest.mark.parametrize("reason", ["declined", ""])
    def test_of_a_pair_is_stored_once(self, who: str, reason: str) -> None:
        """It ends for one reason, and never un-ends."""
        statement = changed("dialogue_pair", {"end_reason": f"'{reason}'"}, "end_reason <> ''")
        assert refusal(who, statement) == "a pair ends once"


@pytest.mark.parametrize("who", WHO)
class TestAChain:
    """Receipts follow each other."""

    @pytest.mark.parametrize(
        "values",
        [
            {"seq": f"{LAST} + 2", "previous": "digest"},
            {"seq": f"{LAST} + 1", "previous": r"'\x00'"},
            {"seq": "2", "chain": "'desk'", "previous": "digest"},
        ],
        ids=["a place left out", "another predecessor", "no predecessor"],
    )
    def test_has_no_holes(self, who: str, values: dict[str, str]) -> None:
        """Each names the digest of the one before it."""
        statement = copied("bullbear_receipt", {"act": "'another'", **values}, "seq = 1")
        assert refusal(who, statement) == "a chain has no holes"

    def test_goes_on_after_its_head(self, who: str) -> None:
        """A control: the next one is taken."""
        values = {"act": "'another'", "seq": "seq + 1", "previous": "digest"}
        assert refusal(who, copied("bullbear_receipt", values, f"seq = {LAST}")) == ""


@pytest.mark.parametrize("who", WHO)
class TestAPair:
    """Bull and Bear of one Root, and nobody else."""

    @pytest.mark.parametrize(
        "values",
        [
            {"bull_id": "bear_id", "bear_id": "bull_id"},
            {"bull_id": MAIN},
            {"bear_id": "bull_id"},
            {"root_id": AN_OPEN_ROOT},
        ],
        ids=["roles exchanged", "Main as Bull", "Bull twice", "of another Root"],
    )
    def test_has_these_members(self, who: str, values: dict[str, str]) -> None:
        """Membership is by execution and role, not by what somebody says."""
        statement = copied("dialogue_pair", values, "true")
        assert refusal(who, statement) == "a pair is of the bull and the bear of its root"


@pytest.mark.parametrize("who", WHO)
class TestAMessage:
    """It goes from its half-round's author to the other of its pair."""

    @pytest.mark.parametrize(
        "values",
        [
            {"recipient_id": MAIN},
            {"sender_id": MAIN},
            {"sender_id": "recipient_id", "recipient_id": "sender_id"},
            {"root_id": AN_OPEN_ROOT},
        ],
        ids=[
            "addressed to Main",
            "from Main",
            "from Bull in Bear's half-round",
            "of another Root",
        ],
    )
    def test_goes_nowhere_else(self, who: str, values: dict[str, str]) -> None:
        """Whoever writes it; asked at the end of the transaction, when its half-round is there."""
        statement = copied("dialogue_peermessage", self.FRESH | values, CHALLENGE)
        assert refusal(who, statement) == "a message goes to the other of its pair"

    def test_goes_there(self, who: str) -> None:
        """A control: Bear's half-round without a message takes one to Bull."""
        assert refusal(who, copied("dialogue_peermessage", self.FRESH, CHALLENGE)) == ""

    FRESH: ClassVar = {
        "act": "'another'",
        "number": "99",
        "half_round_id": "(SELECT id FROM dialogue_halfround WHERE kind = 'challenge' AND round = 2)",
    }
