"""From which addresses a file may be fetched: entries, classes of addresses, and what a URL may hold."""

from __future__ import annotations

import pytest

from research.allowed_hosts import AllowedHost, UrlRefused, allowed_host, checked_url, is_public

PUBLIC = {
    "an ordinary one": "93.184.216.34",
    "beside 10/8": "11.0.0.1",
    "beside 172.16/12": "172.32.0.1",
    "beside 100.64/10": "100.128.0.1",
    "IPv6": "2606:2800:220:1:248:1893:25c8:1946",
    "IPv6 that maps a public one": "::ffff:93.184.216.34",
}
NOT_PUBLIC = {
    "loopback": "127.0.0.1",
    "loopback, elsewhere": "127.255.255.254",
    "private, 10/8": "10.0.0.5",
    "private, 172.16/12": "172.31.255.255",
    "private, 192.168/16": "192.168.1.1",
    "carrier's, 100.64/10": "100.64.0.1",
    "link-local, where clouds keep their keys": "169.254.169.254",
    "multicast": "224.0.0.1",
    "multicast of an organisation": "239.255.255.250",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "unspecified": "0.0.0.0",  # noqa: S104
    "this network": "0.1.2.3",
    "documentation": "192.0.2.1",
    "benchmarks": "198.18.0.1",
    "IPv6 loopback": "::1",
    "IPv6 unspecified": "::",
    "IPv6 unique local": "fd00::1",
    "IPv6 link-local": "fe80::1",
    "IPv6 link-local with its interface": "fe80::1%lo",
    "IPv6 site-local": "fec0::1",
    "IPv6 multicast": "ff0e::1",
    "IPv6 documentation": "2001:db8::1",
    "maps loopback": "::ffff:127.0.0.1",
    "maps private, in hexadecimal": "::ffff:a00:5",
    "maps link-local": "::ffff:169.254.169.254",
    "maps unspecified": "::ffff:0.0.0.0",
    "maps multicast": "::ffff:224.0.0.1",
    "IPv4-compatible": "::127.0.0.1",
    "6to4 of private": "2002:a00:5::1",
    "NAT64 of private": "64:ff9b::a00:5",
    "NAT64 of loopback": "64:ff9b::7f00:1",
    "NAT64 of a local network": "64:ff9b:1::a00:5",
    "Teredo": "2001:0:7f00:1::1",
}


@pytest.mark.parametrize("address", PUBLIC.values(), ids=PUBLIC.keys())
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC.values(), ids=NOT_PUBLIC.keys())
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


class TestAnEntry:
    @pytest.mark.parametrize(
        ("entry", "read"),
        [
            ("Files.Example", AllowedHost("https", "files.example", 443, "")),
            ("files.example.", AllowedHost("https", "files.example", 443, "")),
            ("files.example:8443", AllowedHost("https", "files.example", 8443, "")),
            ("files.corp=10.0.0.5", AllowedHost("https", "files.corp", 443, "10.0.0.5")),
            ("http://files.corp:80=fd00::1", AllowedHost("http", "files.corp", 80, "fd00::1")),
            ("http://127.0.0.1:8000", AllowedHost("http", "127.0.0.1", 8000, "127.0.0.1")),
            ("[::1]:8443", AllowedHost("https", "::1", 8443, "::1")),
        ],
    )
    def test_names_scheme_host_port_and_perhaps_an_address(
        self, entry: str, read: AllowedHost
    ) -> None:
        assert allowed_host(entry) == read

    @pytest.mark.parametrize(
        "entry",
        [
            "*",
            "*.example",
            "ftp://files.example",
            "http://files.example",
            "files.example/path",
            "files.example?q",
            "me@files.example",
            "files.example:0",
            "files.example:99999",
            "files.example=",
            "files.example=elsewhere.example",
            "127.0.0.1=10.0.0.5",
            "=10.0.0.5",
            "",
        ],
    )
    def test_is_refused_without_showing_it(self, entry: str) -> None:
        with pytest.raises(ValueError, match=r"^an entry ") as refused:
            allowed_host(entry)
        assert "files" not in str(refused.value)

    def test_with_an_address_admits_that_one_and_no_other(self) -> None:
        intranet = allowed_host("files.corp=10.0.0.5")
        admitted = [intranet.admits(one) for one in ("10.0.0.5", "10.0.0.6", "93.184.216.34")]
        assert admitted == [True, False, False]

    def test_without_one_admits_what_is_public(self) -> None:
        plain = allowed_host("files.example")
        assert [plain.admits(one) for one in ("93.184.216.34", "10.0.0.5")] == [True, False]


class TestAUrl:
    HOSTS = ("files.example", "http://files.corp:8000=10.0.0.5")

    @pytest.mark.parametrize(
        ("url", "target", "name"),
        [
            ("https://files.example/a/b.csv", "/a/b.csv", "files.example/a/b.csv"),
            ("https://FILES.example:443/a?key=secret", "/a?key=secret", "files.example/a"),
            ("https://files.example", "/", "files.example/"),
            ("http://files.corp:8000/a.csv", "/a.csv", "files.corp/a.csv"),
        ],
    )
    def test_goes_by_host_and_path(self, url: str, target: str, name: str) -> None:
        checked = checked_url(url, self.HOSTS)
        assert (checked.target, checked.name) == (target, name)

    @pytest.mark.parametrize(
        ("url", "says"),
        [
            ("https://other.example/a", "https://other.example:443 is not among the hosts"),
            ("https://sub.files.example/a", "is not among"),
            ("https://files.example.evil.example/a", "is not among"),
            ("https://files.example:8443/a", "is not among"),
            ("http://files.example/a", "http://files.example:80 is not among"),
            ("https://files.corp:8000/a", "is not among"),
            ("https://10.0.0.5/a", "is not among"),
            ("https://0x7f000001/a", "is not among"),
            ("ftp://files.example/a", "does not begin with https://"),
            ("file:///etc/passwd", "with a host"),
            ("https://files.example@evil.example/a", "holds a user or a password"),
            ("https://me:secret@files.example/a", "holds a user or a password"),
            ("https://files.example/a#b", "holds a fragment"),
            ("https://files.example\\@evil.example/", "is no address"),
            ("https://files.example/a b", "is no address"),
            ("https://files.example/\r\nHost: evil.example", "is no address"),
            ("https://files.exämple/a", "is no address"),
            ("https://files.example:x/a", "is no address"),
            ("https://files.example/" + "a" * 2_000, "is no address"),
            ("files.example/a", "with a host"),
        ],
    )
    def test_is_refused_and_the_reason_told(self, url: str, says: str) -> None:
        with pytest.raises(UrlRefused) as refused:
            checked_url(url, self.HOSTS)
        assert says in str(refused.value)
        assert "Nothing was fetched or written." in str(refused.value)
        assert "secret" not in str(refused.value)

    def test_is_refused_where_no_host_is_named(self) -> None:
        with pytest.raises(UrlRefused, match="is off: BULLBEAR_URL_HOSTS names no host"):
            checked_url("https://files.example/a", ())
