"""What goes into a dispatch and what comes out of it.  Nothing here touches the network.

Source: design.md D4 (ModelRequest), D7 step 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from bullbear.lifecycle import RequestState
from bullbear.outcomes import OutcomeClass

# Sealed by name: their values are the endpoint's, the body's length, the key, the act, or fixed.
HEADER_NAMES = (
    "Host",
    "User-Agent",
    "Accept",
    "Accept-Encoding",
    "Connection",
    "Content-Type",
    "Content-Length",
    "Authorization",
    "Idempotency-Key",
)
KEPT_RESPONSE_HEADERS = frozenset(
    {
        "content-encoding",
        "content-type",
        "date",
        "openai-processing-ms",
        "openai-version",
        "retry-after",
        "x-request-id",
    }
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[A-Za-z0-9._:-]+")
_HEADER_TEXT = re.compile(r"[\x21-\x7e]{1,255}")


class BadEndpoint(ValueError):
    """A base URL that no call can go to; the message names what is wrong, never a password."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where calls go: sealed with each request."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def from_base_url(cls, base_url: str) -> Endpoint:
        """Read a base URL such as `https://api.openai.com/v1`.

        Raises:
            BadEndpoint: it is no absolute http(s) URL, or holds a user, query or fragment.
        """
        try:
            parts = urlsplit(base_url)
            port = parts.port
            host = (parts.hostname or "").encode("idna").decode("ascii")
        except ValueError as error:
            raise BadEndpoint("the base URL has no valid host and port") from error
        if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host) or port == 0:
            raise BadEndpoint("the base URL must begin with http://HOST or https://HOST")
        if parts.username is not None or parts.password is not None:
            raise BadEndpoint("the base URL must not hold a user or password")
        if parts.query or parts.fragment:
            raise BadEndpoint("the base URL must not hold a query or fragment")
        if not re.fullmatch(r"[\x21-\x7e]*", parts.path):
            raise BadEndpoint("the base URL's path must be printable ASCII")
        path = parts.path.rstrip("/") + "/chat/completions"
        return cls(parts.scheme, host, port or _DEFAULT_PORTS[parts.scheme], path)

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


@dataclass(frozen=True, slots=True)
class SealedCall:
    """One committed request, ready to be written.

    Units: `hard_end` on `steady_seconds()`, see Note [Hard end]; `timeout_seconds` bounds the
    whole call, from name resolution to the last byte.
    """

    request_id: str
    act: str
    body: bytes
    sha256: bytes
    endpoint: Endpoint
    hard_end: float
    timeout_seconds: float

    def __post_init__(self) -> None:
        if not _HEADER_TEXT.fullmatch(self.act):
            raise ValueError("an act is 1 to 255 printable ASCII characters without space")
        if self.timeout_seconds <= 0:
            raise ValueError("a call has a time-out above 0 s")

    def __repr__(self) -> str:
        return f"SealedCall({self.act}, sha256={self.sha256.hex()}, {len(self.body)} bytes)"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is known of a call once it has ended.

    Shape: `body`: the response body as it came, also in part; without a status: the bytes that
    came, up to 64 KiB.  `headers`: lower-case name: value, of `KEPT_RESPONSE_HEADERS`.
    Units: `…_ms` since `started_at`, by the steady clock.
    """

    state: RequestState
    outcome: OutcomeClass
    status: int | None
    body: bytes
    headers: Mapping[str, str]
    started_at: datetime
    written_ms: float | None  # the first byte of the request was about to be written
    first_byte_ms: float | None
    ended_ms: float
    detail: str  # what broke it off, for operators; "" for a whole response

    @property
    def wrote(self) -> bool:
        """Whether the write began."""
        return self.written_ms is not None

    @property
    def retry_after(self) -> str | None:
        """The Retry-After header, as it came."""
        return self.headers.get("retry-after")

    def __repr__(self) -> str:
        return f"Exchange({self.outcome}, status={self.status}, {len(self.body)} bytes)"
