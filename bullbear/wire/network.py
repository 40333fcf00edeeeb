"""Sockets under one deadline: each resolve, connect, handshake, read and write gets the time left.

A time-out per read does not bound a call: a peer that drips one byte a second, in the head or in
the body, never lets it expire.  httpcore2 takes its network as a public argument, so the bound
lies here, below the protocol, and holds for whatever the peer does.

Source: design.md D7 step 2; dependencies.md; scenarios.md E04.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from typing import Any

import httpcore2

from bullbear.wire.clock import steady_seconds

RAW_KEPT = 64 * 1024

Resolve = Callable[[str, int, float], list[str]]  # host, port, seconds left → addresses


class NameNotResolved(httpcore2.ConnectError):
    """The host's name was not resolved, or not in time."""


class HandshakeFailed(httpcore2.ConnectError):
    """The TLS handshake failed."""


class Flight:
    """What one call may still spend, and how far it came.

    Units: seconds on `steady_seconds()`.
    """

    def __init__(self, *, timeout_seconds: float, connect_seconds: float) -> None:
        self.began = steady_seconds()
        self.ends = self.began + timeout_seconds
        self.connect_ends = min(self.began + connect_seconds, self.ends)
        self.written_at: float | None = None  # set just before the first byte is handed over
        self.first_byte_at: float | None = None
        self.write_failed = False
        self.peer_closed = False
        self.raw = bytearray()  # the first bytes that came, for an answer that is not HTTP

    def left(self, expired: type[httpcore2.TimeoutException]) -> float:
        """Return the seconds left for the call.

        Raises:
            TimeoutException: of the class `expired`, if none are.
        """
        return _left(self.ends, expired)

    def left_to_connect(self) -> float:
        """Return the seconds left to connect.

        Raises:
            ConnectTimeout: none are.
        """
        return _left(self.connect_ends, httpcore2.ConnectTimeout)


def _left(ends: float, expired: type[httpcore2.TimeoutException]) -> float:
    seconds = ends - steady_seconds()
    if seconds <= 0:
        raise expired("no time left")
    return seconds


class BoundedStream(httpcore2.NetworkStream):
    """A connected socket; the time-outs it is offered are ignored for the flight's."""

    def __init__(self, sock: socket.socket, flight: Flight) -> None:
        self._sock = sock
        self._flight = flight

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read what is there, or wait for it while time is left."""
        flight = self._flight
        self._sock.settimeout(flight.left(httpcore2.ReadTimeout))
        try:
            data = self._sock.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout("no time left") from error
        except OSError as error:
            raise httpcore2.ReadError(_named(error)) from error
        if not data:
            flight.peer_closed = True
        elif flight.first_byte_at is None:
            flight.first_byte_at = steady_seconds()
        if len(flight.raw) < RAW_KEPT:
            flight.raw += data[: RAW_KEPT - len(flight.raw)]
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all of `buffer` while time is left, and note when the first byte was due."""
        flight = self._flight
        unsent = memoryview(buffer)
        while unsent:
            self._sock.settimeout(flight.left(httpcore2.WriteTimeout))
            if flight.written_at is None:
                flight.written_at = steady_seconds()
            try:
                unsent = unsent[self._sock.send(unsent) :]
            except TimeoutError as error:
                raise httpcore2.WriteTimeout("no time left") from error
            except OSError as error:
                flight.write_failed = True
                raise httpcore2.WriteError(_named(error)) from error

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Shake hands; `ssl` applies the time-out to the handshake as a whole."""
        try:
            self._sock.settimeout(self._flight.left_to_connect())
            wrapped = ssl_context.wrap_socket(self._sock, server_hostname=server_hostname)
        except TimeoutError as error:
            self.close()
            raise httpcore2.ConnectTimeout("no TLS session in time") from error
        except OSError as error:
            self.close()
            raise HandshakeFailed(_named(error)) from error
        return BoundedStream(wrapped, self._flight)

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()

    def get_extra_info(self, info: str) -> Any:
        """Return the TLS session, which httpcore2 asks for the negotiated protocol."""
        return (
            self._sock if info == "ssl_object" and isinstance(self._sock, ssl.SSLSocket) else None
        )


class BoundedNetwork(httpcore2.NetworkBackend):
    """The network of one flight.

    Args:
        flight: what the call may spend.
        resolve: asked once; what it answers is connected to, and no name is resolved again.
    """

    def __init__(self, flight: Flight, resolve: Resolve | None = None) -> None:
        self._flight = flight
        self._resolve = resolve or addresses_of

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Connect to the first address of `host` that answers, while time is left."""
        failure = httpcore2.ConnectError("the name has no address")
        for address in self._resolve(host, port, self._flight.left_to_connect()):
            try:
                sock = _connected(address, port, self._flight.left_to_connect())
            except TimeoutError as error:
                raise httpcore2.ConnectTimeout("no connection in time") from error
            except OSError as error:
                failure = httpcore2.ConnectError(_named(error))
            else:
                return BoundedStream(sock, self._flight)
        raise failure


def _connected(address: str, port: int, seconds: float) -> socket.socket:
    """Connect; where nobody listens on a high port, TCP may meet itself: that is refused too."""
    sock = socket.create_connection((address, port), seconds)
    try:
        itself = sock.getsockname() == sock.getpeername()  # raises after an instant reset
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError:
        sock.close()
        raise
    if itself:
        sock.close()
        raise ConnectionRefusedError("connected to itself")
    return sock


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """Resolve `host` in a thread of its own: the system's resolver takes no time-out."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(entry[4][0]) for entry in found])
        except OSError as error:
            answers.put(error)

    threading.Thread(target=ask, name="bullbear-resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise NameNotResolved("the resolver did not answer in time") from None
    if isinstance(answer, OSError):
        raise NameNotResolved(_named(answer)) from answer
    return answer


def _named(error: OSError) -> str:
    return f"{type(error).__name__}: {error}"
