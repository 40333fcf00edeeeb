"""Which request delivered a message: recomputed from parts and outcomes alone.

Source: design.md D6.
"""

from __future__ import annotations

from audit.proof.dialogue_rows import MessageRow
from audit.proof.evidence import Evidence
from audit.proof.runtime_rows import RequestRow


def delivering_request(evidence: Evidence, message: MessageRow) -> RequestRow | None:
    """Return the recipient's first answered request that holds the message, in the chain's order."""
    place = f"message M{message.number}"
    answered = [
        request
        for request in evidence.record.requests
        if request.child_id == message.recipient_id
        and request.state == "answered"
        and message.id in evidence.shown(request, "message")
    ]
    return min(
        answered,
        key=lambda request: evidence.seq("request_answered", request.act, place),
        default=None,
    )
