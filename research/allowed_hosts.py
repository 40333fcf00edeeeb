"""Which addresses files may be fetched from: the list of hosts, and what a name may resolve to.

An entry is `HOST`, `HOST:PORT` or `http://HOST:PORT`, each with `=ADDRESS` for an intranet.
Without it only public addresses are connected to.

Source: design.md D14; RFC 6890 and the registries of IANA that `ipaddress` follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

DEFAULT_PORT: Final = 443
LONGEST_URL: Final = 2_000

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]+")
_PRINTABLE = re.compile(r"[\x21-\x5b\x5d-\x7e]+")  # without the backslash
_NAT64 = IPv6Network("64:ff9b::/96")
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")
_LOWEST_32_BITS = 0xFFFF_FFFF


class UrlRefused(ValueError):
    """A file's address is not fetched from; the message says why and what to do, never a query."""


@dataclass(frozen=True, slots=True)
class AllowedHost:
    """One entry of the list; `address` is "" where only public addresses are meant."""

    scheme: str
    host: str
    port: int
    address: str

    def admits(self, resolved: str) -> bool:
        """Whether this resolved address may be connected to."""
        if self.address:
            return ip_address(resolved.partition("%")[0]) == ip_address(self.address)
        return is_public(resolved)


@dataclass(frozen=True, slots=True)
class FileUrl:
    """A file's address, checked against the list; `target` is path and query."""

    allowed: AllowedHost
    target: str

    @property
    def name(self) -> str:
        """Host and path: a query may hold a key, which is no part of a name."""
        host = self.allowed.host
        return f"{host}{self.target.partition('?')[0]}"


def is_public(address: str) -> bool:
    """Whether a resolved address is one of the public internet, and so is what it stands for."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        inner = _within(found)
        if inner is not None:
            return _is_global(inner)
        return not found.scope_id and not found.is_site_local and _is_global(found)
    return _is_global(found)


def _within(found: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one is another way of writing."""
    if found in _NAT64:
        return IPv4Address(int(found) & _LOWEST_32_BITS)
    return found.ipv4_mapped or found.sixtofour


def _is_global(found: IPv4Address | IPv6Address) -> bool:
    if isinstance(found, IPv6Address) and found in _NAT64_LOCAL:
        return False
    return found.is_global and not (
        found.is_private
        or found.is_loopback
        or found.is_link_local
        or found.is_multicast
        or found.is_reserved
        or found.is_unspecified
    )


def allowed_host(entry: str) -> AllowedHost:
    """Read one entry of the list.

    Raises:
        ValueError: it is none; the message does not show it, for it may hold a password.
    """
    place, _, address = entry.partition("=")
    parts = urlsplit(place if "://" in place else f"https://{place}")
    try:
        host, port = _host_of(parts), parts.port
        literal = _literal(host)
        named = str(ip_address(address)) if address else literal
    except ValueError as error:
        raise ValueError("an entry is no host, or names no address after =") from error
    bare = parts.path or parts.query or parts.fragment or "@" in parts.netloc
    if bare or parts.scheme not in {"http", "https"} or entry.endswith("="):
        raise ValueError("an entry is not HOST or HOST:PORT, alone or with =ADDRESS")
    if parts.scheme == "http" and port is None:
        raise ValueError("an entry with http:// names no port")
    if literal and address:
        raise ValueError("an entry names its address twice")
    return AllowedHost(parts.scheme, host, port or DEFAULT_PORT, named)


def checked_url(url: str, hosts: Iterable[str]) -> FileUrl:
    """Check an address against the list's entries.

    Raises:
        UrlRefused: it may not be fetched from.
    """
    entries = [allowed_host(entry) for entry in hosts]
    if not entries:
        raise UrlRefused(
            "Fetching files is off: BULLBEAR_URL_HOSTS names no host. Nothing was fetched or written. "
            "Name the host there, or download the file and give it with --source."
        )
    parts = _split(url)
    scheme, host, port = parts.scheme, _host_of(parts), parts.port
    port = port or (DEFAULT_PORT if scheme == "https" else 80)
    found = next(
        (one for one in entries if (one.scheme, one.host, one.port) == (scheme, host, port)), None
    )
    if found is None:
        raise UrlRefused(
            f"{scheme}://{host}:{port} is not among the hosts that BULLBEAR_URL_HOSTS names. Nothing was "
            "fetched or written. Download the file and give it with --source, or add the host."
        )
    return FileUrl(found, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def _split(url: str) -> SplitResult:
    """Take a URL apart, if it is one that may be asked for at all."""
    parts = None
    if len(url) <= LONGEST_URL and _PRINTABLE.fullmatch(url):
        parts = _apart(url)
    if parts is None:
        wrong = (
            f"it is no address of at most {LONGEST_URL:,} printable ASCII characters with a host"
        )
    elif parts.scheme not in {"http", "https"}:
        wrong = "it does not begin with https://"
    elif "@" in parts.netloc:
        wrong = "it holds a user or a password"
    elif parts.fragment:
        wrong = "it holds a fragment (#…)"
    else:
        return parts
    raise UrlRefused(
        f"The address is not fetched from: {wrong}. Nothing was fetched or written. Write it as "
        "https://HOST/PATH."
    )


def _apart(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _host_of(parts)
    except ValueError:
        return None
    return parts


def _host_of(parts: SplitResult) -> str:
    """Return the host in lower case.

    Raises:
        ValueError: there is none, or its port is none.
    """
    host = (parts.hostname or "").rstrip(".")
    if parts.port == 0 or not _HOST.fullmatch(host):
        raise ValueError("no host")
    return _literal(host) or host


def _literal(host: str) -> str:
    """Return a host that is an address in its usual spelling, else ""."""
    try:
        return str(ip_address(host))
    except ValueError:
        return ""
