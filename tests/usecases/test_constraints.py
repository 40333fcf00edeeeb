"""Every rule that the database holds under a name: violated once, where nothing else could refuse.

Each statement is tried by the owner with this table's triggers switched off, and rolled back.

Source: design.md D4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import psycopg
import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.provider_double import ProviderDouble
from tests.usecases.on_record import changed, copied, one_of_everything, tables, tried_by

PARKED = "state IN ('finished', 'parked')"
ANSWERED = "state = 'answered'"
SEALED = "state = 'sealed'"
OPEN = "state = 'open' AND cause = ''"
CHALLENGED = "kind = 'challenge'"
RESPONDED = "kind = 'response'"
BY_USER, BY_GROUP = "user_id IS NOT NULL", "group_id IS NOT NULL"
OTHER = {"act": "'another'"}


@dataclass(frozen=True)
class Breach:
    """A row that one constraint alone refuses: a changed one, or one more like another."""

    rule: str
    table: str
    values: dict[str, str] = field(default_factory=dict)
    which: str = "true"
    more: bool = False

    @property
    def statement(self) -> str:
        """The statement that brings it about."""
        write = copied if self.more else changed
        return write(self.table, self.values, self.which)

    def __str__(self) -> str:
        return self.rule


def one_more(
    rule: str, table: str, values: dict[str, str] | None = None, which: str = "true"
) -> Breach:
    return Breach(rule, table, values or {}, which, more=True)


CHILD, ROOT, REQUEST = "bullbear_child", "bullbear_root", "bullbear_modelrequest"
RECEIPT, PART, CONTENT = "bullbear_receipt", "bullbear_requestpart", "bullbear_content"
LINK, GRANT, TOOL = "research_rootsource", "research_scopegrant", "research_toolcall"
RELEASE = "research_release"
CLAIM, MOVE, DISPOSED = "dialogue_claim", "dialogue_claimmove", "dialogue_disposition"
PAIR, HALF, MESSAGE = "dialogue_pair", "dialogue_halfround", "dialogue_peermessage"
FOREIGN_SOURCE = (
    "(SELECT source_id FROM research_rootsource other"
    " WHERE other.root_id <> research_rootsource.root_id LIMIT 1)"
)
UNUSED_REQUEST = (
    "(SELECT id FROM bullbear_modelrequest r WHERE NOT EXISTS"
    " (SELECT FROM dialogue_halfround h WHERE h.first_request_id = r.id) LIMIT 1)"
)
SILENT_HALF = (
    "(SELECT id FROM dialogue_halfround h WHERE NOT EXISTS"
    " (SELECT FROM dialogue_peermessage m WHERE m.half_round_id = h.id) LIMIT 1)"
)
IDLE = "(SELECT id FROM bullbear_child WHERE role = 'main' ORDER BY id DESC LIMIT 1)"
IDLE_TOO = "(SELECT id FROM bullbear_child WHERE role = 'main' ORDER BY id LIMIT 1)"
ANOTHER_ROOT = "(SELECT id FROM bullbear_root ORDER BY id DESC LIMIT 1)"
A_MESSAGE = "(SELECT id FROM dialogue_peermessage LIMIT 1)"

NAMED = [
    # The runtime
    Breach("an execution is in a named state", CHILD, {"state": "'asleep'"}, PARKED),
    Breach("an execution has a named role", CHILD, {"role": "'judge'"}),
    Breach(
        "a running execution and no other holds a lease",
        CHILD,
        {"lease_token": "gen_random_uuid()"},
        PARKED,
    ),
    Breach(
        "only an ended execution has an end reason",
        CHILD,
        {"end_reason": "'x'"},
        "state = 'ready'",
    ),
    one_more("one execution of each role in a root", CHILD),
    Breach(
        "a content belongs to one root or to one desk",
        CONTENT,
        {"root_id": "NULL"},
        "desk_id IS NULL",
    ),
    one_more("one receipt for each place in a chain", RECEIPT, OTHER),
    one_more("one receipt for each act", RECEIPT, {"seq": "9999"}),
    Breach("a chain begins at one", RECEIPT, {"seq": "0"}),
    Breach("a request is in a named state", REQUEST, {"state": "'lost'"}, ANSWERED),
    one_more("one live request for each execution", REQUEST, {**OTHER, "n": "n + 1"}, SEALED),
    one_more("one request for each place in a turn", REQUEST, OTHER, ANSWERED),
    Breach(
        "an outcome has a class and a sealed request has none",
        REQUEST,
        {"outcome_class": "'valid'"},
        SEALED,
    ),
    Breach("an answered request has its response", REQUEST, {"response_id": "NULL"}, ANSWERED),
    one_more("one part for each place in a request", PART),
    Breach("a part ends after its start", PART, {"byte_end": "byte_start - 1"}, "byte_start > 0"),
    Breach("a root is in a named state", ROOT, {"state": "'asleep'"}, OPEN),
    Breach(
        "an ended root has a result type and no other has", ROOT, {"result": "'complete'"}, OPEN
    ),
    Breach("an open root has no cause of its end", ROOT, {"cause": "'cancelled'"}, OPEN),
    Breach("a root ends for a named cause", ROOT, {"cause": "'boredom'"}, "state <> 'open'"),
    Breach(
        "model calls stay within their limit",
        ROOT,
        {"model_calls_reserved": "model_calls_limit - model_calls_spent + 1"},
    ),
    Breach(
        "tool calls stay within their limit",
        ROOT,
        {"tool_calls_reserved": "tool_calls_limit - tool_calls_spent + 1"},
    ),
    Breach("peers stop before the deadline", ROOT, {"peers_stop_at": "deadline_at"}),
    # Research
    Breach("a plan is decided by user or main or host", "research_plan", {"decided_by": "'bear'"}),
    Breach("a plan answers a named wish", "research_plan", {"wished": "'hope'"}),
    Breach("main proposes a named pattern or none", "research_plan", {"proposed": "'duel'"}),
    Breach("a plan has a named pattern", "research_plan", {"pattern": "'duel'"}),
    one_more("one finding for each handle of a root", "research_finding", OTHER),
    one_more("one source for each handle of a root", LINK, {"source_id": FOREIGN_SOURCE}),
    one_more("a source stands once in a root", LINK, {"number": "99"}),
    Breach(
        "a grant is to a user or to a group",
        GRANT,
        {"group_id": "(SELECT id FROM auth_group LIMIT 1)"},
        BY_USER,
    ),
    one_more("one grant of a scope to a user", GRANT, which=BY_USER),
    one_more("one grant of a scope to a group", GRANT, which=BY_GROUP),
    one_more("one tool call for each handle of a root", TOOL, {**OTHER, "index": "99"}),
    one_more("one tool call for each place in an answer", TOOL, {**OTHER, "number": "99"}),
    Breach("a release is of one source or of one number", RELEASE, {"source_id": "NULL"}),
    Breach("no release withdraws itself", RELEASE, {"withdraws_id": "id"}, "withdraws_id IS NULL"),
    # The dialogue
    one_more("one claim for each handle of a root", CLAIM),
    Breach("a claim quotes one opening or one message", CLAIM, {"message_id": A_MESSAGE}),
    one_more("one move of a claim by each message", MOVE),
    Breach("a move is of a named kind", MOVE, {"move": "'praised'"}),
    one_more("one disposition for each claim and report", DISPOSED),
    Breach("a disposition is of a named kind", DISPOSED, {"disposition": "'true'"}),
    Breach(
        "the host disposes of no claim but as unresolved",
        DISPOSED,
        {"request_id": "NULL"},
        "disposition <> 'unresolved'",
    ),
    Breach("a pair is of two different executions", PAIR, {"bull_id": "bear_id"}),
    Breach("a pair ends for a named reason", PAIR, {"end_reason": "'bored'"}),
    Breach("a pair has a bounded number of rounds", PAIR, {"max_rounds": "10"}),
    one_more("one half-round of each kind in a round", HALF, {"first_request_id": UNUSED_REQUEST}),
    Breach("a half-round is of a named kind", HALF, {"kind": "'insult'"}),
    Breach("a half-round has a named outcome", HALF, {"outcome": "'lost'"}),
    Breach("rounds are counted from one", HALF, {"round": "0"}),
    one_more(
        "one message for each handle of a root",
        MESSAGE,
        {**OTHER, "half_round_id": SILENT_HALF},
        CHALLENGED,
    ),
    Breach("nobody sends to himself", MESSAGE, {"recipient_id": "sender_id"}),
    Breach("a message is of a named kind", MESSAGE, {"kind": "'gossip'"}, CHALLENGED),
    Breach("a response and nothing else replies", MESSAGE, {"reply_to_id": "NULL"}, RESPONDED),
    one_more("a gap is disclosed once", "dialogue_gap"),
    Breach("a gap has a named code", "dialogue_gap", {"code": "'oops'"}),
    one_more("one report for each version", "dialogue_report"),
    Breach("a decision is of a named kind", "dialogue_decision", {"kind": "'toss'"}),
]

KEYS = [
    one_more("one request for each act", REQUEST, {"n": "n + 1"}, ANSWERED),
    one_more(
        "a request is repeated once",
        REQUEST,
        {**OTHER, "n": "n + 1"},
        "repeats_id IS NOT NULL",
    ),
    one_more("work is owed once", "bullbear_outboxentry"),
    one_more("one plan for each root", "research_plan"),
    one_more("one opening for each execution", "research_opening"),
    one_more("one reading of each source", "research_parsereport"),
    one_more("one finding for each act", "research_finding", {"number": "99"}),
    one_more("one tool call for each act", TOOL, {"number": "99", "index": "99"}),
    one_more("a release is withdrawn once", RELEASE, which="withdraws_id IS NOT NULL"),
    one_more("one offer in each root", "dialogue_pairoffer", {"child_id": IDLE}),
    one_more("one offer by each execution", "dialogue_pairoffer", {"root_id": ANOTHER_ROOT}),
    one_more("one pair in each root", PAIR, {"bull_id": IDLE, "bear_id": IDLE_TOO}),
    one_more("a bull is in one pair", PAIR, {"root_id": ANOTHER_ROOT, "bear_id": IDLE}),
    one_more("a bear is in one pair", PAIR, {"root_id": ANOTHER_ROOT, "bull_id": IDLE}),
    one_more("a request opens one half-round", HALF, {"round": "9"}),
    one_more("one message for each half-round", MESSAGE, {**OTHER, "number": "99"}, CHALLENGED),
    one_more(
        "one reply to each challenge",
        MESSAGE,
        {**OTHER, "number": "99", "half_round_id": SILENT_HALF},
        RESPONDED,
    ),
    one_more(
        "one message for each act",
        MESSAGE,
        {"number": "99", "half_round_id": SILENT_HALF},
        CHALLENGED,
    ),
    one_more("one decision on each request", "dialogue_decision"),
]


@pytest.fixture(scope="module", autouse=True)
def everything(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, double_process: ProviderDouble
) -> Iterator[None]:
    """Every table holds a row."""
    with one_of_everything(django_db_blocker, double_process):
        yield


@pytest.mark.parametrize("breach", NAMED + KEYS, ids=str)
def test_the_database_holds_that(breach: Breach) -> None:
    """The rule refuses, by its name, and no other does."""
    with tried_by("owner") as owner:
        owner.execute(f"ALTER TABLE {breach.table} DISABLE TRIGGER USER")
        with pytest.raises(psycopg.IntegrityError) as refused:
            owner.execute(breach.statement)
    assert refused.value.diag.constraint_name == breach.rule


def test_every_named_rule_is_tried() -> None:
    """A constraint of a model without a breach of its own fails here."""
    declared = [rule.name for model in tables().values() for rule in model._meta.constraints]
    assert sorted(declared) == sorted(breach.rule for breach in NAMED)


def test_no_two_rules_have_one_name() -> None:
    """A name says which rule it was."""
    names = [breach.rule for breach in NAMED + KEYS]
    assert len(set(names)) == len(names)


def test_every_unique_key_reads_as_a_sentence() -> None:
    """What the database calls a unique key is what D4 asks for: no name that was made up for it."""
    with tried_by("owner") as owner:
        found = owner.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'u' AND conrelid::regclass::text = ANY (%s)",
            [list(tables())],
        ).fetchall()
    assert {name for (name,) in found} <= {breach.rule for breach in NAMED + KEYS}
