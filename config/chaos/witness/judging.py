"""Ask the oracle about everything, and count what came of it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import redis

from audit.oracle import (
    Census,
    Complaint,
    leaks,
    look_at,
    rows_holding,
    stray_arrivals,
    take_census,
    vanished,
)
from audit.viewer import READER
from bullbear.content import load_bytes, load_text
from bullbear.lifecycle import ENDED_ROOT, RequestState
from bullbear.models import Child, ModelRequest, Root
from config.chaos.arrivals import Hit
from config.chaos.figures import Seen
from config.chaos.questions import MARK
from config.chaos.witness.seen import Sight
from dialogue.models import PeerMessage

PATIENCE = timedelta(seconds=30)
_PASSWORDS_IN = ("BULLBEAR_DATABASE_URL", "BULLBEAR_BROKER_URL")
_SECRETS_IN = ("BULLBEAR_SECRET_KEY", "OPENAI_API_KEY")


def judge(
    sight: Sight,
    hits: Sequence[Hit],
    *,
    opened: Mapping[str, UUID],
    cancelled: int,
    before: Census,
    began: float,
    settled_seconds: float,
) -> Seen:
    """Count, compare and ask: everything is at rest."""
    roots = list(Root.objects.using(READER).select_related("pair"))
    requests = ModelRequest.objects.using(READER)
    unknown = requests.filter(state=RequestState.OUTCOME_UNKNOWN)
    complaints = [
        *(one for root in roots for one in look_at(root.pk, hits, patience=PATIENCE)),
        *stray_arrivals(hits),
        *vanished(before, take_census()),
        *_leaks(),
    ]
    gone = set(opened.values()) - {root.pk for root in roots}
    invented = [message for message in _messages() if not _was_answered(message)]
    return Seen(
        opened=len(opened),
        ended=dict(Counter(_how(root) for root in roots if root.state in ENDED_ROOT)),
        not_ended=[_where(root) for root in roots if root.state not in ENDED_ROOT],
        cancelled=cancelled,
        provider_hits=len(hits),
        most_hits_of_one_request=max(
            Counter(hit.idempotency_key for hit in hits).values(), default=0
        ),
        requests=requests.count(),
        unknown=dict(Counter(unknown.values_list("outcome_class", flat=True))),
        receipts=len(sight.receipts),
        receipts_lost=sight.lost_receipts() + len(gone),
        messages=PeerMessage.objects.using(READER).count(),
        messages_invented=len(invented),
        recoveries=list(sight.recoveries(began)),
        outages=[(one.begin - began, one.end - began) for one in sight.outages],
        settled_seconds=settled_seconds,
        problems=[str(one) for one in complaints],
    )


def _how(root: Root) -> str:
    """Say how a Root ended; its pair has the reason, where there was one."""
    pair = getattr(root, "pair", None)
    reason = (pair.end_reason if pair else "") or root.end_reason or "no dialogue"
    return f"{root.state}, {root.result}, {reason}"


def _where(root: Root) -> str:
    """Say where a Root stands that should have ended."""
    children = Child.objects.using(READER).filter(root=root)
    stand = ", ".join(f"{child.role} {child.state}" for child in children)
    return f"Root {root.pk} has not ended: {root.state} ({stand})"


def _messages() -> Iterator[PeerMessage]:
    rows = PeerMessage.objects.using(READER)
    return rows.select_related("text", "request__response").iterator(chunk_size=100)


def _was_answered(message: PeerMessage) -> bool:
    """Whether the message's text is a field of a stored answer."""
    request = message.request
    if request.state != RequestState.ANSWERED or request.response is None:
        return False
    completion = json.loads(load_bytes(request.response))
    answer = json.loads(completion["choices"][0]["message"]["content"])
    found: bool = answer.get(message.field) == load_text(message.text)
    return found


def _leaks() -> Iterator[Complaint]:
    """Look for passwords and keys everywhere, and for questions in logs and hints."""
    passwords = [urlsplit(os.environ[name]).password or "" for name in _PASSWORDS_IN]
    secrets = [*passwords, *(os.environ[name] for name in _SECRETS_IN)]
    yield from leaks([*secrets, MARK], [*_logs(), *_hints()])
    yield from rows_holding(secrets)


def _logs() -> Iterator[tuple[str, bytes]]:
    for path in sorted((Path(os.environ["BULLBEAR_HOME"]) / "logs").iterdir()):
        yield path.name, path.read_bytes()


def _hints() -> Iterator[tuple[str, bytes]]:
    with redis.Redis.from_url(os.environ["BULLBEAR_BROKER_URL"], socket_timeout=5) as client:
        for key in client.scan_iter():
            yield f"broker key {key!r}", client.dump(key) or b""
