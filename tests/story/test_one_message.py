"""One message, from proposal to delivery: the newcomer's first stop.

Read top to bottom.  Every fact of design.md D6 is looked up where it stands.
"""

from __future__ import annotations

import json

import pytest
from django.db import models

from bullbear.bodies import read_slice
from bullbear.content import load_bytes, load_text
from bullbear.lifecycle import ChildState, RequestState, Role
from bullbear.models import Child, OutboxEntry, Receipt, RequestPart, Root
from dialogue.models import PeerMessage
from research.completions import read
from research.kinds import PartKind
from tests.driving import Driver


@pytest.mark.usefixtures("database")
def test_one_message(driver: Driver) -> None:
    """Bear's first challenge is proposed, accepted, and delivered in Bull's next sealed request."""
    root = driver.open()

    # Both open independently.  Then the pair is frozen, and Bear has the first half-round.
    driver.run(root, until=_bear_has_challenged)
    message = PeerMessage.objects.get(root=root)
    bull = Child.objects.get(root=root, role=Role.BULL)
    bear = Child.objects.get(root=root, role=Role.BEAR)

    # 1. Proposed: Bear's stored answer holds the text.
    request = message.request
    assert request.child == bear
    assert request.state == RequestState.ANSWERED
    assert request.response is not None
    answer = json.loads(read(load_bytes(request.response)).text)
    assert answer["kind"] == "challenge"
    assert answer["text"] == load_text(message.text)

    # 2. Accepted: message, receipt and Bull's wake were written in one transaction.
    assert (message.sender, message.recipient) == (bear, bull)
    assert message.act == f"{request.pk}:0"
    accepted = Receipt.objects.get(root=root, kind="message_accepted")
    assert json.loads(bytes(accepted.body))["subjects"]["message"] == str(message.pk)
    woken = Receipt.objects.filter(root=root, kind="child_woken", child=bull).latest("seq")
    assert woken.recorded_at == accepted.recorded_at
    assert bull.state == ChildState.READY
    assert OutboxEntry.objects.get().keys == {"execution_id": str(bull.pk)}

    # It is not delivered yet: no request of Bull holds it, and Bear waits.
    assert not _parts_that_hold(message).exists()
    assert bear.state == ChildState.PARKED

    # 3. Delivered: Bull's next request holds the text, verbatim, and is answered.
    driver.step(bull)
    part = _parts_that_hold(message).get(request__child=bull)
    body = load_bytes(part.request.body)
    assert read_slice(body, part.byte_start, part.byte_end) == load_text(message.text)
    assert part.request.state == RequestState.ANSWERED
    delivered = Receipt.objects.get(root=root, kind="message_delivered", act=str(message.pk))
    assert json.loads(bytes(delivered.body))["subjects"]["request"] == str(part.request_id)

    # And Bull's own message replies to it, in the same round.
    reply = PeerMessage.objects.get(root=root, reply_to=message)
    assert reply.half_round.round == message.half_round.round == 1
    assert reply.saw == [message.pk]


def _bear_has_challenged(root: Root) -> bool:
    return PeerMessage.objects.filter(root=root).exists()


def _parts_that_hold(message: PeerMessage) -> models.QuerySet[RequestPart]:
    return RequestPart.objects.filter(kind=PartKind.MESSAGE, record=str(message.pk))
