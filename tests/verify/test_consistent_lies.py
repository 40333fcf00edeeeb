"""A chain that was rewritten consistently, with its rows: what does not let itself be rewritten says so.

Whoever rewrites everything, from the first receipt to the last response, is found by signatures alone.

Scenarios I, J06.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from audit.proof.record import Record
from tests.verify.ledger import sha256
from tests.verify.stories import CHALLENGE, a_dialogue, a_troubled_dialogue
from tests.verify.tampering import (
    Body,
    assert_mismatch,
    retold,
    saying,
    unsaid,
    with_content,
    with_row,
    without,
)

SOUND = a_dialogue()
TROUBLED = a_troubled_dialogue()


def seq_of(kind: str) -> int:
    return next(row.seq for row in SOUND.receipts if row.kind == kind)


def _text_retold() -> Record:
    """The text of M1, its digest and its receipt, all in agreement: the response still stands."""
    message = SOUND.messages[0]
    raw = CHALLENGE.replace("23 %", "13 %").encode()
    changed = with_content(SOUND, message.text_id, raw=raw)
    salt = SOUND.contents[message.text_id].salt
    digest = sha256(salt + raw)
    changed = with_row(changed, "messages", 0, text_digest=digest)
    return retold(changed, saying("message_accepted", digest=digest))


def _response_retold() -> Record:
    """The response of M1's request with its digest everywhere: the message still stands."""
    request = SOUND.requests[4]
    kept = SOUND.contents[request.response_id or ""]
    raw = kept.raw.replace(b"15 %", b"25 %")
    digest = sha256(raw)
    changed = with_content(SOUND, request.response_id, raw=raw)
    changed = with_row(changed, "requests", 4, response_sha256=digest)
    return retold(changed, saying("request_answered", 4, digest=digest))


def _claim_vanished() -> Record:
    changed = without(without(SOUND, "claims", 1), "dispositions", 1)
    return retold(changed, unsaid("claim_recorded", 1))


def _conceded_by_the_other_side() -> Record:
    """Bear's word does not concede Bull's claim.  Scenario J06."""
    changed = with_row(SOUND, "moves", 0, move="conceded")
    return retold(changed, saying("claim_moved", move="conceded"))


def _to_main() -> Record:
    """Main is named as the recipient, and its synthesis as the delivery."""
    main, synthesis = SOUND.children[0].id, SOUND.requests[-1].id

    def edit(bodies: list[Body]) -> list[Body]:
        for body in bodies:
            if body["kind"] == "message_delivered":
                body["child"] = main
        bodies = saying("message_delivered", request=synthesis)(bodies)
        return saying("message_accepted", recipient=main)(bodies)

    return retold(with_row(SOUND, "messages", recipient_id=main), edit)


LIES: dict[str, tuple[Callable[[], Record], str, str]] = {
    "another text, told consistently": (
        _text_retold,
        "part 5 (message) of bull's response request 2.1.1",
        "it is not its record's text",
    ),
    "another response, told consistently": (
        _response_retold,
        "message M1",
        "its stored response says something else",
    ),
    "more rounds than were frozen": (
        lambda: retold(
            with_row(SOUND, "pairs", max_rounds=3), saying("pair_frozen", max_rounds=3)
        ),
        "pair",
        "its rounds are not the frozen ones",
    ),
    "a delivery that is not told": (
        lambda: retold(SOUND, unsaid("message_delivered")),
        "message M1",
        "it has no receipt message_delivered",
    ),
    "a delivery by another request": (
        lambda: retold(SOUND, saying("message_delivered", request=SOUND.requests[4].id)),
        "message M1",
        f"its receipt #{seq_of('message_delivered')} (message_delivered) has another request",
    ),
    "a claim that vanished": (
        _claim_vanished,
        "synthesis",
        f"its receipt #{seq_of('synthesis_recorded') - 1} (synthesis_recorded) has another dispositions",
    ),
    "a concession by the other side": (
        _conceded_by_the_other_side,
        "part 6 (claim_quote) of bull's response request 2.1.1",
        "it stands under another label",
    ),
    "a recipient who is not of the pair": (
        _to_main,
        "message M1",
        "its recipient is not the other of the pair",
    ),
    "a cheaper bill": (
        lambda: retold(
            with_row(SOUND, "root", tokens_spent=1), saying("root_ended", tokens_spent=1)
        ),
        "Root",
        "it says 1 tokens spent, and its requests make 840",
    ),
    "a gap that is hushed up": (
        lambda: retold(without(TROUBLED, "gaps", 1), unsaid("gap_recorded", 1)),
        "gap outcome_unknown",
        f"it is not disclosed ({TROUBLED.requests[5].id})",
    ),
    "a refused send that leaves no trace": (
        lambda: retold(
            without(TROUBLED, "findings"),
            lambda bodies: unsaid("finding_recorded")(unsaid("send_refused")(bodies)),
        ),
        "part 6 (finding) of main's synthesis request 2.1.1",
        "it names the finding",
    ),
    "an unknown outcome that became an answer": (
        lambda: with_row(TROUBLED, "requests", 5, state="answered", outcome_class="valid"),
        "bear's challenge request 3.1.1",
        "it has no receipt request_answered",
    ),
}


class TestVerify:
    @pytest.mark.parametrize("case", LIES.values(), ids=LIES)
    def test_names_what_contradicts_the_lie(
        self, case: tuple[Callable[[], Record], str, str]
    ) -> None:
        told, place, problem = case
        assert_mismatch(told(), place, problem)
