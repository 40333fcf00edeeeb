"""Fetch a file, once: what is connected to is what was checked.

Note [Pinned]: who answers for a name may answer one address to the check and another to the
connection.  Here the name is resolved once, every address is judged, and those same addresses are
connected to; the certificate and SNI still go by the name.  There is no proxy, cookie, redirect or
content decoding: see Note [No client between] in `provider.py`.

Source: design.md D14; OWASP, "Server-Side Request Forgery Prevention Cheat Sheet".
"""

from __future__ import annotations

import ssl
from collections.abc import Callable

import httpcore2

from bullbear.transactions import outside_transaction
from bullbear.wire.call import Endpoint
from bullbear.wire.network import (
    BoundedNetwork,
    Flight,
    HandshakeFailed,
    NameNotResolved,
    Resolve,
    addresses_of,
)

_CONNECT_SECONDS = 10.0
_WIRE_ERRORS = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError)
_HTTP_OK = 200
_REDIRECTS = range(300, 400)


class NothingFetched(Exception):
    """No whole file came; the message is the second half of a sentence about the address."""


@outside_transaction
def fetch(
    endpoint: Endpoint,
    *,
    admits: Callable[[str], bool],
    most_bytes: int,
    timeout_seconds: float,
    resolve: Resolve = addresses_of,
    tls: ssl.SSLContext | None = None,
) -> bytes:
    """Return what one GET answers with.

    Args:
        endpoint: where; its path may carry a query.
        admits: whether a resolved address may be connected to; one that may not refuses all.
        most_bytes: a longer answer is refused.
        timeout_seconds: from the name's resolution to the last byte.
        resolve: asked once.
        tls: for https; by default the system's certificate authorities, or SSL_CERT_FILE.

    Raises:
        NothingFetched: an address is not admitted, or no whole answer of status 200 came.
    """

    def judged(host: str, port: int, seconds: float) -> list[str]:
        addresses = resolve(host, port, seconds)
        if not all(map(admits, addresses)):
            raise NothingFetched("leads to an address that is not public")
        return addresses

    flight = Flight(timeout_seconds=timeout_seconds, connect_seconds=_CONNECT_SECONDS)
    try:
        return _answer(endpoint, BoundedNetwork(flight, judged), most_bytes, tls)
    except _WIRE_ERRORS as error:
        raise NothingFetched(_why(error, timeout_seconds)) from error


def _answer(
    endpoint: Endpoint, network: BoundedNetwork, most_bytes: int, tls: ssl.SSLContext | None
) -> bytes:
    url = httpcore2.URL(
        scheme=endpoint.scheme, host=endpoint.host, port=endpoint.port, target=endpoint.path
    )
    context = (tls or ssl.create_default_context()) if endpoint.scheme == "https" else None
    with httpcore2.HTTPConnection(
        url.origin, ssl_context=context, network_backend=network
    ) as connection:
        response = connection.handle_request(
            httpcore2.Request("GET", url, headers=_headers(endpoint))
        )
        _check_head(response, most_bytes)
        body = bytearray()
        for chunk in response.iter_stream():
            body += chunk
            if len(body) > most_bytes:
                raise NothingFetched(_too_large(most_bytes))
        return bytes(body)


def _headers(endpoint: Endpoint) -> list[tuple[bytes, bytes]]:
    return [
        (b"Host", endpoint.authority.encode("ascii")),
        (b"User-Agent", b"bullbear"),
        (b"Accept", b"*/*"),
        (b"Accept-Encoding", b"identity"),
        (b"Connection", b"close"),
    ]


def _check_head(response: httpcore2.Response, most_bytes: int) -> None:
    if response.status in _REDIRECTS:
        raise NothingFetched(
            f"answers with a redirect ({response.status}), and none is followed: give the address "
            "it leads to"
        )
    if response.status != _HTTP_OK:
        raise NothingFetched(f"answers with status {response.status}")
    told = {name.lower(): value for name, value in response.headers}
    if told.get(b"content-encoding", b"identity").lower() != b"identity":
        raise NothingFetched("answers with compressed bytes, which were not asked for")
    length = told.get(b"content-length", b"")
    if length.isdigit() and int(length[:20]) > most_bytes:
        raise NothingFetched(_too_large(most_bytes))


def _too_large(most_bytes: int) -> str:
    return f"answers with more than {most_bytes:,} bytes, the most that is read"


def _why(error: Exception, seconds: float) -> str:
    match error:
        case NameNotResolved():
            return "has a host whose name is not resolved"
        case HandshakeFailed():
            return "does not prove by its certificate that it is that host"
        case httpcore2.ConnectTimeout():
            return "is not connected to in time"
        case httpcore2.TimeoutException():
            return f"has not answered in whole within {seconds:g} s"
        case httpcore2.ConnectError():
            return "does not take a connection"
    return "breaks off before its answer is whole"
