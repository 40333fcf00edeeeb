"""Deliver accepted messages: whole and verbatim, in the peer's next sealed request.

Note [Delivered]: a message is delivered when a request of its recipient contains its text *and* is ANSWERED.
It is "unknown" if none is answered and one's outcome is unknown or still open, else "no".  The first such
answered request is the delivering one; its receipt never changes.  It does not say that a model understood.

Source: design.md D4, D6.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID

from bullbear import receipts
from bullbear.bodies import Piece
from bullbear.content import held_contents
from bullbear.lifecycle import RequestState
from bullbear.models import Child, ModelRequest, RequestPart
from dialogue.case import DialogueCase
from dialogue.kinds import DialogueKind
from dialogue.models import PeerMessage
from dialogue.rules import MessageKind
from research.blocks import UNTRUSTED, fenced
from research.compose import Block
from research.kinds import PartKind


class Delivery(StrEnum):
    """What is known of a message's way to its recipient."""

    YES = "yes"
    UNKNOWN = "unknown"
    NO = "no"
    NO_FURTHER_TURN = "no further turn"  # a last response: the recipient has no turn left


Exposures = Mapping[UUID, list[UUID]]


def message_blocks(case: DialogueCase, nonce: str) -> list[Block]:
    """Every accepted message of the exchange, in order, each whole."""
    texts = held_contents(case.held, [message.text_id for message in case.messages])
    blocks = []
    for message in case.messages:
        label = (
            f"message M{message.number}",
            str(case.role_of(message.sender_id)),
            message.kind,
            f"round {round_of(case, message)}",
            UNTRUSTED,
        )
        text = texts[message.text_id].decode()
        piece = Piece(text, PartKind.MESSAGE, str(message.pk), frozenset(message.lineage))
        blocks.append(fenced(nonce, label, piece))
    return blocks


def round_of(case: DialogueCase, message: PeerMessage) -> int:
    """Return the round a message belongs to."""
    half = next(one for one in case.half_rounds if one.pk == message.half_round_id)
    return int(half.round)


def exposures(case: DialogueCase) -> Exposures:
    """Name, for each message, the requests in which its text stands, oldest first."""
    parts = RequestPart.objects.filter(request__root=case.root, kind=PartKind.MESSAGE)
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for request_id, record in parts.order_by("request_id").values_list("request_id", "record"):
        found[UUID(record)].append(request_id)
    return found


def delivery_of(case: DialogueCase, message: PeerMessage, seen: Exposures) -> Delivery:
    """Say what is known of a message's way to its recipient. See Note [Delivered]."""
    shown_in = set(seen.get(message.pk, ()))
    states = {
        request.state
        for request in case.requests
        if request.pk in shown_in and request.child_id == message.recipient_id
    }
    if RequestState.ANSWERED in states:
        return Delivery.YES
    if states & {RequestState.OUTCOME_UNKNOWN, RequestState.SEALED}:
        return Delivery.UNKNOWN
    if message.kind == MessageKind.RESPONSE and not _has_later_turn(case, message):
        return Delivery.NO_FURTHER_TURN
    return Delivery.NO


def _has_later_turn(case: DialogueCase, message: PeerMessage) -> bool:
    """Whether the recipient of a response has had another half-round after it."""
    round_ = round_of(case, message)
    return any(
        half.round > round_ and half.child_id == message.recipient_id for half in case.half_rounds
    )


def record_delivery(case: DialogueCase, child: Child, request: ModelRequest) -> None:
    """Record which messages an answered request delivers to its execution for the first time."""
    if request.state != RequestState.ANSWERED or not case.messages:
        return
    seen = exposures(case)
    answered = {
        other.pk
        for other in case.requests
        if other.child_id == child.pk and other.state == RequestState.ANSWERED
    }
    for message in case.messages:
        shown_in = seen.get(message.pk, [])
        if message.recipient_id != child.pk or request.pk not in shown_in:
            continue
        if any(other in answered for other in shown_in if other != request.pk):
            continue
        receipts.append(
            case.held,
            DialogueKind.MESSAGE_DELIVERED,
            act=str(message.pk),
            child=child,
            subjects={"message": str(message.pk), "request": str(request.pk)},
        )
