"""Fetch a source's bytes from an address, before and outside any transaction.

Source: design.md D14; allowed_hosts.py says from where.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bullbear.transactions import outside_transaction
from bullbear.wire.call import Endpoint
from bullbear.wire.fetch import NothingFetched, fetch
from bullbear.wire.network import Resolve, addresses_of
from research.allowed_hosts import UrlRefused, checked_url

FETCH_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """What came, and the host and path it came from."""

    name: str
    raw: bytes


@outside_transaction
def fetched(
    url: str,
    *,
    hosts: Iterable[str],
    most_bytes: int,
    timeout_seconds: float = FETCH_SECONDS,
    resolve: Resolve = addresses_of,
    tls: ssl.SSLContext | None = None,
) -> FetchedFile:
    """Fetch one file.

    Args:
        url: https, on a host of the list; http where the list's entry says so.
        hosts: the entries of BULLBEAR_URL_HOSTS.
        most_bytes: the most that the readers take.
        timeout_seconds: from the name's resolution to the last byte.
        resolve: for tests.
        tls: for tests; by default the system's certificate authorities.

    Raises:
        UrlRefused: it is not allowed, or nothing whole came; nothing was written.
    """
    checked = checked_url(url, hosts)
    allowed = checked.allowed
    try:
        raw = fetch(
            Endpoint(allowed.scheme, allowed.host, allowed.port, checked.target),
            admits=allowed.admits,
            most_bytes=most_bytes,
            timeout_seconds=timeout_seconds,
            resolve=_known(allowed.address) if allowed.address else resolve,
            tls=tls,
        )
    except NothingFetched as error:
        raise UrlRefused(
            f"{checked.name} {error}. Nothing was written. Try again, or download the file and give it "
            "with --source."
        ) from error
    return FetchedFile(checked.name, raw)


def _known(address: str) -> Resolve:
    """Resolve to the address that the list itself names: no name server is asked."""
    return lambda _host, _port, _seconds: [address]
