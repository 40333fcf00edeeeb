"""Whether a valid message may reach the other side: design.md D14, D15."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.lifecycle import Role
from dialogue.rules import MessageKind, SendRefusal, decide_send
from dialogue.send import ACT_OF
from research.authority import ACTS

ROOT, PUBLIC_FUND, BEARS_NOTE = "root:1", "fund", "note"
labels = st.frozensets(st.sampled_from([ROOT, PUBLIC_FUND, BEARS_NOTE, "other"]))


@pytest.mark.parametrize(
    ("act", "lineage", "recipient", "decision"),
    [
        pytest.param("challenge", {ROOT}, {ROOT}, None, id="both may see the question"),
        pytest.param(
            "challenge", {ROOT, PUBLIC_FUND}, {ROOT, PUBLIC_FUND}, None, id="both may see the fund"
        ),
        pytest.param("proposition", set(), {ROOT}, None, id="a text that depends on nothing"),
        pytest.param("proposition", set(), set(), None, id="nothing to see, nobody to hide from"),
        pytest.param(
            "challenge",
            {ROOT, BEARS_NOTE},
            {ROOT, PUBLIC_FUND},
            SendRefusal.REFUSED_SCOPE,
            id="bull may not see the note that bear's request held",
        ),
        pytest.param(
            "challenge", {ROOT}, set(), SendRefusal.REFUSED_SCOPE, id="bull may see nothing"
        ),
        pytest.param(
            "respond", {ROOT}, {ROOT}, SendRefusal.NOT_ISSUED, id="bear was not issued to respond"
        ),
        pytest.param(
            "trade", {ROOT}, {ROOT}, SendRefusal.NOT_ISSUED, id="nobody is issued to trade"
        ),
        pytest.param(
            "respond",
            {BEARS_NOTE},
            {ROOT},
            SendRefusal.NOT_ISSUED,
            id="what was not issued is refused before anything is compared",
        ),
    ],
)
def test_decide_send_by_bear(
    act: str, lineage: set[str], recipient: set[str], decision: SendRefusal | None
) -> None:
    assert decide_send(act=act, issued=ACTS[Role.BEAR], lineage=lineage, recipient=recipient) == (
        decision
    )


@pytest.mark.parametrize("kind", list(MessageKind))
def test_each_kind_of_message_is_issued_to_one_side(kind: MessageKind) -> None:
    issued = [role for role in Role if ACT_OF[kind] in ACTS[role]]
    assert issued == [Role.BULL if kind is MessageKind.RESPONSE else Role.BEAR]


def lawful(lineage: frozenset[str], recipient: frozenset[str]) -> bool:
    decision = decide_send(act="respond", issued=["respond"], lineage=lineage, recipient=recipient)
    return decision is None


@given(labels, labels, labels)
def test_a_wider_lineage_is_never_easier_to_send(
    lineage: frozenset[str], more: frozenset[str], recipient: frozenset[str]
) -> None:
    if lawful(lineage | more, recipient):
        assert lawful(lineage, recipient)


@given(labels, labels, labels)
def test_a_wider_authorization_never_refuses_more(
    lineage: frozenset[str], recipient: frozenset[str], more: frozenset[str]
) -> None:
    if lawful(lineage, recipient):
        assert lawful(lineage, recipient | more)


@given(labels, labels)
def test_one_label_that_the_recipient_lacks_is_enough(
    lineage: frozenset[str], recipient: frozenset[str]
) -> None:
    assert lawful(lineage, recipient) is not any(label not in recipient for label in lineage)


def test_the_refusals_are_a_fixed_vocabulary() -> None:
    assert {str(refusal) for refusal in SendRefusal} == {"refused_scope", "not_issued"}
