"""One call to a provider, from connect to outcome.

Note [No client between]: calls are made with httpcore2, the protocol layer under the openai SDK
and httpx2, and not with either of them.  What they add is what must not happen here: retries,
redirects, proxies from the environment, cookies, content decoding, headers that change with their
version, and exceptions of ours swallowed into theirs.  Nothing private is reached: httpcore2 takes
the network and the trace hook as public arguments.

Note [One connection, one call]: no connection is kept alive.  A server may close an idle one at
the moment a request is written on it; the write has begun, so the outcome is unknown and a
dialogue may end for it, though nothing happened.  A new connection costs a fraction of a
millisecond of CPU (and two round trips under TLS), against model calls of seconds.  It also makes
the pool, its queue and its time-out unnecessary.

Source: design.md D5, D7 step 2; performance.md P6.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import httpcore2

from bullbear.lifecycle import RequestState
from bullbear.outcomes import (
    MAX_RESPONSE_BYTES,
    STATE_OF,
    OutcomeClass,
    classify_broken,
    classify_status,
)
from bullbear.transactions import outside_transaction
from bullbear.wire.call import KEPT_RESPONSE_HEADERS, Endpoint, Exchange, SealedCall
from bullbear.wire.clock import steady_seconds
from bullbear.wire.network import BoundedNetwork, Flight, HandshakeFailed, NameNotResolved
from bullbear.wire.tripwire import TRIPWIRE, TripwireSprung

_CONNECT_SECONDS = 10.0
_HEADER_VALUE_KEPT = 500
_DETAIL_KEPT = 200
_WIRE_ERRORS = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError)


class BrokenOff(Exception):
    """An exchange that we ourselves broke off."""

    outcome: OutcomeClass


class HardEndPassed(BrokenOff):
    """The connection stood only after the lease's hard end: nothing was written."""

    outcome = OutcomeClass.NOT_WRITTEN


class ResponseTooLarge(BrokenOff):
    """The body went past the limit."""

    outcome = OutcomeClass.TOO_LARGE


class _Reply:
    """What has come of a response so far."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.headers: dict[str, str] = {}
        self.body = bytearray()


class Provider:
    """An endpoint and the key to it: one per process and endpoint, for any number of threads.

    Args:
        endpoint: where every call must go.
        api_key: kept out of repr, logs and messages.
        connect_seconds: for name, connection and handshake together.
        tls: for https; by default the system's certificate authorities, or SSL_CERT_FILE.

    Raises:
        ValueError: the key cannot stand in a header; the message does not hold it.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        api_key: str,
        *,
        connect_seconds: float = _CONNECT_SECONDS,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("the API key must be printable ASCII without space")
        self.endpoint = endpoint
        self._authorization = f"Bearer {api_key}".encode("ascii")
        self._connect_seconds = connect_seconds
        self._tls = tls or (ssl.create_default_context() if endpoint.scheme == "https" else None)
        self._url = httpcore2.URL(
            scheme=endpoint.scheme, host=endpoint.host, port=endpoint.port, target=endpoint.path
        )

    def __repr__(self) -> str:
        return f"Provider({self.endpoint})"

    @outside_transaction
    def dispatch(self, call: SealedCall) -> Exchange:
        """Write the sealed bytes once and return what is known afterwards.

        Raises:
            TripwireSprung: other bytes, another endpoint, or an act that was dispatched before.
        """
        if call.endpoint != self.endpoint:
            raise TripwireSprung(f"another endpoint than the sealed one: {call.act}")
        TRIPWIRE.let_pass(call)
        started_at = datetime.now(UTC)
        flight = Flight(
            timeout_seconds=call.timeout_seconds, connect_seconds=self._connect_seconds
        )
        reply = _Reply()
        failure: Exception | None = None
        try:
            self._exchange(call, flight, reply)
        except (*_WIRE_ERRORS, BrokenOff) as error:
            failure = error
        state, outcome = _settled(flight, reply, failure)
        return Exchange(
            state=state,
            outcome=outcome,
            status=reply.status,
            body=bytes(reply.body if reply.status is not None else flight.raw),
            headers=reply.headers,
            started_at=started_at,
            written_ms=_milliseconds(flight.began, flight.written_at),
            first_byte_ms=_milliseconds(flight.began, flight.first_byte_at),
            ended_ms=(steady_seconds() - flight.began) * 1000,
            detail=f"{type(failure).__name__}: {failure}"[:_DETAIL_KEPT] if failure else "",
        )

    def _exchange(self, call: SealedCall, flight: Flight, reply: _Reply) -> None:
        """Fill `reply` as it comes, so that a broken exchange keeps what it got."""
        with httpcore2.HTTPConnection(
            self._url.origin, ssl_context=self._tls, network_backend=BoundedNetwork(flight)
        ) as connection:
            request = httpcore2.Request(
                "POST",
                self._url,
                headers=self._headers(call),
                content=call.body,
                extensions={"trace": _refuse_after(call.hard_end)},
            )
            response = connection.handle_request(request)
            reply.status = response.status
            reply.headers = _kept(response.headers)
            for chunk in response.iter_stream():
                reply.body += chunk
                if len(reply.body) > MAX_RESPONSE_BYTES:
                    del reply.body[MAX_RESPONSE_BYTES:]
                    raise ResponseTooLarge(f"more than {MAX_RESPONSE_BYTES} bytes")

    def _headers(self, call: SealedCall) -> list[tuple[bytes, bytes]]:
        """Write the headers of `HEADER_NAMES`, in that order."""
        return [
            (b"Host", self.endpoint.authority.encode("ascii")),
            (b"User-Agent", b"bullbear"),
            (b"Accept", b"application/json"),
            (b"Accept-Encoding", b"identity"),
            (b"Connection", b"close"),
            (b"Content-Type", b"application/json"),
            (b"Content-Length", str(len(call.body)).encode("ascii")),
            (b"Authorization", self._authorization),
            (b"Idempotency-Key", call.act.encode("ascii")),
        ]


def _refuse_after(hard_end: float) -> Callable[[str, Mapping[str, Any]], None]:
    """Build the hook that httpcore2 calls after connect and before the first byte."""

    def look_at_the_clock(event: str, _info: Mapping[str, Any]) -> None:
        if event.endswith("send_request_headers.started") and steady_seconds() >= hard_end:
            raise HardEndPassed("connected after the lease's hard end")

    return look_at_the_clock


def _settled(
    flight: Flight, reply: _Reply, failure: Exception | None
) -> tuple[RequestState, OutcomeClass]:
    """Say what the exchange means, from how far it came."""
    if failure is not None:
        return classify_broken(reply.status, _failure_class(flight, failure))
    if reply.status is None:
        raise AssertionError("a response without a status")
    state, outcome = classify_status(reply.status, bytes(reply.body))
    if state is RequestState.ANSWERED and flight.write_failed:
        # It answered bytes that it cannot all have read.
        return STATE_OF[OutcomeClass.WRITE_FAILED], OutcomeClass.WRITE_FAILED
    return state, outcome


def _failure_class(flight: Flight, failure: Exception) -> OutcomeClass:
    """Name what broke an exchange off."""
    match failure:
        case BrokenOff():
            return failure.outcome
        case _ if flight.written_at is None:
            return _unconnected_class(failure)
        case _ if flight.write_failed or isinstance(failure, httpcore2.WriteTimeout):
            return OutcomeClass.WRITE_FAILED
        case httpcore2.TimeoutException():
            began = flight.first_byte_at is not None
            return OutcomeClass.TOTAL_TIMEOUT if began else OutcomeClass.READ_TIMEOUT
        case httpcore2.NetworkError():
            return OutcomeClass.RESET
    return OutcomeClass.CUT_OFF if flight.peer_closed else OutcomeClass.PROTOCOL_ERROR


def _unconnected_class(failure: Exception) -> OutcomeClass:
    match failure:
        case NameNotResolved():
            return OutcomeClass.DNS
        case HandshakeFailed():
            return OutcomeClass.TLS
        case httpcore2.TimeoutException():
            return OutcomeClass.CONNECT_TIMEOUT
    return OutcomeClass.CONNECT_REFUSED


def _kept(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    named = ((name.decode("latin-1").lower(), value) for name, value in headers)
    return {
        name: value.decode("latin-1")[:_HEADER_VALUE_KEPT]
        for name, value in named
        if name in KEPT_RESPONSE_HEADERS
    }


def _milliseconds(began: float, then: float | None) -> float | None:
    return None if then is None else (then - began) * 1000
