"""The rows of design D5 that a provider can bring about: what it does, what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bullbear.outcomes import MAX_RESPONSE_BYTES
from tests.provider_double import Behaviour


@dataclass(frozen=True)
class Row:
    """A provider's behaviour, and the class, status and kept bytes that follow from it."""

    title: str
    outcome: str
    status: int | None
    behaviour: Behaviour
    kept: bytes | None = None  # None: not asserted
    seconds: float = 10.0


def row(
    title: str,
    outcome: str,
    status: int | None,
    kept: bytes | None = None,
    seconds: float = 10.0,
    **behaviour: Any,
) -> Row:
    """Write one row; `behaviour` are the fields that differ from a whole completion."""
    return Row(title, outcome, status, Behaviour(status=status or 200, **behaviour), kept, seconds)


def answer(status: int, outcome: str) -> Row:
    """Write the row of a whole answer with this status."""
    return row(f"status {status}", outcome, status, b"no", body=b"no")


HTML = b"<html><body>Bad gateway</body></html>"
WHOLE = Behaviour().response_body("m")
HALF = WHOLE[: len(WHOLE) // 2]
SURROGATE = b'{"choices":[{"message":{"content":"\\ud800\\u0000"}}]}'
NO_CONTENT = {"role": "assistant", "content": None}
SSH = b"SSH-2.0-OpenSSH_9.9\r\n\r\n"
SWITCH = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"

ANSWERED = [
    row("a completion", "completion", 200, WHOLE),
    row("a completion with 201", "completion", 201, WHOLE),
    row("a completion in chunks", "completion", 200, WHOLE, chunked=True),
    row("a completion, late", "completion", 200, WHOLE, delay_seconds=0.2),
    row("a completion said to be text", "completion", 200, WHOLE, content_type="text/plain"),
    row("a completion without content", "completion", 200, message=NO_CONTENT),
    row("a completion with NUL and a lone surrogate", "completion", 200, body=SURROGATE),
    row("a completion twice", "completion", 200, WHOLE, twice=True),
    row("reset after the body", "completion", 200, WHOLE, then="reset"),
    row("silent after the body", "completion", 200, WHOLE, then="hang"),
]
REJECTED = [
    answer(300, "redirected"),
    answer(301, "redirected"),
    row("status 304", "redirected", 304, b""),
    answer(307, "redirected"),
    answer(400, "bad_request"),
    answer(401, "unauthorized"),
    answer(402, "other_4xx"),
    answer(403, "forbidden"),
    answer(404, "not_found"),
    answer(413, "other_4xx"),
    answer(422, "unprocessable"),
    answer(429, "rate_limited"),
    row("400 with a completion in it", "bad_request", 400, WHOLE),
    row("429 with its body cut", "rate_limited", 429, HALF, cut="body"),
    row("429 with its body dripping", "rate_limited", 429, seconds=0.5, drip="body"),
]
UNKNOWN = [
    answer(408, "timeout_status"),
    answer(409, "conflict_status"),
    answer(500, "server_error"),
    answer(503, "server_error"),
    answer(700, "other_status"),
    row("500 with a completion in it", "server_error", 500, WHOLE),
    row("204", "not_a_completion", 204, b""),
    row("202, accepted", "not_a_completion", 202, b"{}", body=b"{}"),
    row("200 with HTML", "not_a_completion", 200, HTML, body=HTML, content_type="text/html"),
    row("200 with HTML said to be JSON", "not_a_completion", 200, HTML, body=HTML),
    row("200 with broken JSON", "not_a_completion", 200, HALF, body=HALF),
    row("200 with nothing", "not_a_completion", 200, b"", body=b""),
    row("200 with no choices", "not_a_completion", 200, body=b'{"choices":[]}'),
    row("200 with an error object", "not_a_completion", 200, body=b'{"error":{}}'),
    row("200 nested 5,000 deep", "not_a_completion", 200, body=b"[" * 5000 + b"]" * 5000),
    row("200 cut inside a character", "not_a_completion", 200, body='{"x":"é'.encode()[:-1]),
    row(
        "more than the limit",
        "too_large",
        200,
        b" " * MAX_RESPONSE_BYTES,
        body=b" " * (MAX_RESPONSE_BYTES + 1),
    ),
    row("closed before an answer", "cut_off", None, b"", cut="before"),
    row("closed inside the head", "cut_off", None, cut="head"),
    row("closed inside the body", "cut_off", 200, HALF, cut="body"),
    row("closed inside a chunk", "cut_off", 200, cut="body", chunked=True),
    row("reset before an answer", "reset", None, b"", cut="before", then="reset"),
    row("reset inside the head", "reset", None, cut="head", then="reset"),
    row("reset inside the body", "reset", 200, HALF, cut="body", then="reset"),
    row("silent before an answer", "read_timeout", None, b"", 0.4, cut="before", then="hang"),
    row("silent inside the head", "total_timeout", None, None, 0.4, cut="head", then="hang"),
    row("silent inside the body", "total_timeout", 200, HALF, 0.4, cut="body", then="hang"),
    row("another protocol", "protocol_error", None, SSH, raw=SSH),
    row("a switch of protocols", "protocol_error", None, SWITCH, raw=SWITCH),
]
