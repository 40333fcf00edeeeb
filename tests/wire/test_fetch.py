"""A file is fetched from the addresses that were checked, whole, in time, or not at all."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator

import pytest

from bullbear.transactions import InsideTransaction, transaction
from bullbear.wire.call import Endpoint
from bullbear.wire.fetch import NothingFetched, fetch
from research.allowed_hosts import UrlRefused
from research.fetching import FetchedFile, fetched
from tests.provider_double import Behaviour, ProviderDouble
from tests.wire.conftest import LOOPBACK_PEM

FILE = "Name,ISIN,Weight\nGrün,IE00B4L5Y983,100\n".encode()
MOST = 1_000
HEADERS = ["Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"]


class Resolver:
    """Answers one list of addresses after another, as a rebinding name server does."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def __call__(self, _host: str, _port: int, _seconds: float) -> list[str]:
        self.asked += 1
        return self.answers.pop(0)


@pytest.fixture
def trusting() -> ssl.SSLContext:
    """Trusts the double's certificate, which names localhost and 127.0.0.1."""
    return ssl.create_default_context(cafile=LOOPBACK_PEM)


@pytest.fixture
def secured(double_under_tls: ProviderDouble) -> ProviderDouble:
    double_under_tls.forget()
    double_under_tls.otherwise(Behaviour(body=FILE, content_type="text/csv"))
    return double_under_tls


@pytest.fixture
def elsewhere() -> Iterator[socket.socket]:
    """Listens on another address of loopback and answers nothing."""
    with socket.create_server(("127.0.0.2", 0)) as listening:
        listening.settimeout(0)
        yield listening


def from_double(double: ProviderDouble, path: str = "/fund.csv", **more: float) -> FetchedFile:
    place = f"http://127.0.0.1:{double.port}"
    return fetched(place + path, hosts=(place,), most_bytes=MOST, **more)  # type: ignore[arg-type]


class TestFetched:
    def test_asks_once_for_exactly_this_under_the_hosts_certificate(
        self, secured: ProviderDouble, trusting: ssl.SSLContext
    ) -> None:
        hosts = (f"localhost:{secured.port}=127.0.0.1",)
        url = f"https://localhost:{secured.port}/a/fund.csv?key=1"
        found = fetched(url, hosts=hosts, most_bytes=MOST, tls=trusting)
        assert found == FetchedFile("localhost/a/fund.csv", FILE)
        (hit,) = secured.hits()
        assert (hit.method, hit.path) == ("GET", "/a/fund.csv?key=1")
        assert hit.header_names == HEADERS

    def test_refuses_a_certificate_of_another_host(
        self, secured: ProviderDouble, trusting: ssl.SSLContext
    ) -> None:
        hosts = (f"files.example:{secured.port}=127.0.0.1",)
        with pytest.raises(UrlRefused, match="does not prove by its certificate"):
            fetched(
                f"https://files.example:{secured.port}/a",
                hosts=hosts,
                most_bytes=MOST,
                tls=trusting,
            )
        assert secured.hits() == []

    def test_refuses_a_certificate_that_nobody_vouches_for(self, secured: ProviderDouble) -> None:
        hosts = (f"localhost:{secured.port}=127.0.0.1",)
        with pytest.raises(UrlRefused, match="does not prove by its certificate"):
            fetched(f"https://localhost:{secured.port}/a", hosts=hosts, most_bytes=MOST)
        assert secured.hits() == []

    @pytest.mark.parametrize(
        "addresses",
        [["127.0.0.1"], ["127.0.0.1", "93.184.216.34"], ["::ffff:127.0.0.1"], ["169.254.169.254"]],
        ids=["loopback", "one of two is private", "mapped", "link-local"],
    )
    def test_connects_to_no_address_if_one_is_not_public(
        self, secured: ProviderDouble, addresses: list[str]
    ) -> None:
        """Neither to the public one beside it: the name is not to be trusted."""
        resolver = Resolver(addresses)
        place = f"files.example:{secured.port}"
        with pytest.raises(UrlRefused, match="leads to an address that is not public") as refused:
            fetched(
                f"https://{place}/a?key=secret", hosts=(place,), most_bytes=MOST, resolve=resolver
            )
        assert "Nothing was written." in str(refused.value)
        assert "secret" not in str(refused.value)
        assert (resolver.asked, secured.connections()) == (1, 0)

    def test_asks_no_name_server_where_the_list_names_the_address(
        self, double: ProviderDouble
    ) -> None:
        double.script(Behaviour(body=FILE))
        resolver = Resolver()
        place = f"http://files.corp:{double.port}"
        found = fetched(
            f"{place}/a.csv", hosts=(f"{place}=127.0.0.1",), most_bytes=MOST, resolve=resolver
        )
        assert (found.raw, resolver.asked) == (FILE, 0)

    @pytest.mark.parametrize(
        ("url", "hosts", "says"),
        [
            ("https://files.example/a", (), "is off"),
            ("https://files.example/a", ("other.example",), "is not among the hosts"),
        ],
        ids=["off", "another host"],
    )
    def test_asks_nobody_where_it_is_not_allowed(
        self, url: str, hosts: tuple[str, ...], says: str
    ) -> None:
        resolver = Resolver()
        with pytest.raises(UrlRefused, match=says):
            fetched(url, hosts=hosts, most_bytes=MOST, resolve=resolver)
        assert resolver.asked == 0

    def test_uses_no_proxy_of_the_environment(
        self, double: ProviderDouble, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        double.script(Behaviour(body=FILE))
        assert from_double(double).raw == FILE

    @pytest.mark.usefixtures("database")
    def test_is_never_called_inside_a_transaction(self, double: ProviderDouble) -> None:
        with transaction(), pytest.raises(InsideTransaction):
            from_double(double)
        assert double.connections() == 0


class TestAnswers:
    @pytest.mark.parametrize(
        ("behaviour", "says"),
        [
            pytest.param(
                Behaviour(status=302, headers={"Location": "/b"}, body=b""),
                "answers with a redirect (302), and none is followed",
                id="redirect",
            ),
            pytest.param(
                Behaviour(status=307, headers={"Location": "http://169.254.169.254/"}, body=b""),
                "answers with a redirect (307)",
                id="redirect to where keys are kept",
            ),
            pytest.param(Behaviour(status=404), "answers with status 404", id="not found"),
            pytest.param(
                Behaviour(headers={"Content-Encoding": "gzip"}, body=FILE),
                "answers with compressed bytes",
                id="compressed",
            ),
            pytest.param(
                Behaviour(body=b"x" * (MOST + 1)),
                "answers with more than 1,000 bytes",
                id="too large, and says so",
            ),
            pytest.param(
                Behaviour(body=b"x" * (MOST + 1), chunked=True),
                "answers with more than 1,000 bytes",
                id="too large, in chunks",
            ),
            pytest.param(
                Behaviour(body=FILE, cut="body"), "breaks off before its answer is whole", id="cut"
            ),
            pytest.param(Behaviour(raw=b"SSH-2.0-x\r\n"), "breaks off", id="not HTTP"),
            pytest.param(Behaviour(at_connect="break"), "breaks off", id="reset"),
        ],
    )
    def test_that_are_refused(
        self, double: ProviderDouble, behaviour: Behaviour, says: str
    ) -> None:
        double.script(behaviour)
        with pytest.raises(UrlRefused) as refused:
            from_double(double, "/a.csv?key=secret")
        told = str(refused.value)
        assert says in told
        assert told.startswith("127.0.0.1/a.csv ")
        assert "Nothing was written. Try again, or download the file" in told
        assert "secret" not in told
        assert double.connections() == 1

    def test_of_exactly_the_most_bytes_are_taken(self, double: ProviderDouble) -> None:
        double.script(Behaviour(body=b"x" * MOST, chunked=True))
        assert from_double(double).raw == b"x" * MOST

    @pytest.mark.parametrize(
        "behaviour",
        [
            Behaviour(drip="head", body=FILE),
            Behaviour(drip="body", body=FILE * 20),
            Behaviour(cut="before", then="hang"),
        ],
        ids=["drips its head", "drips its body", "never answers"],
    )
    def test_are_bounded_in_all(self, double: ProviderDouble, behaviour: Behaviour) -> None:
        """One time-out for the whole fetch, whatever keeps coming. Scenario E04."""
        double.script(behaviour)
        began = time.monotonic()
        with pytest.raises(UrlRefused, match=r"has not answered in whole within 0\.5 s"):
            from_double(double, timeout_seconds=0.5)
        assert 0.5 <= time.monotonic() - began <= 1.5

    def test_do_not_come_where_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        place = f"http://127.0.0.1:{port}"
        with pytest.raises(UrlRefused, match="does not take a connection"):
            fetched(place, hosts=(place,), most_bytes=MOST)


class TestRebinding:
    """The name server answers an admitted address to the check and another one afterwards."""

    def test_never_gets_a_second_question(
        self, double: ProviderDouble, elsewhere: socket.socket
    ) -> None:
        double.script(Behaviour(body=FILE))
        resolver = Resolver(["127.0.0.1"], ["127.0.0.2"])
        port = double.port
        found = fetch(
            Endpoint("http", "localhost", port, "/a.csv"),
            admits=lambda address: address == "127.0.0.1",
            most_bytes=MOST,
            timeout_seconds=5,
            resolve=resolver,
        )
        assert (found, resolver.asked, resolver.answers) == (FILE, 1, [["127.0.0.2"]])
        with pytest.raises(BlockingIOError):
            elsewhere.accept()

    def test_fools_who_checks_first_and_resolves_again(self, elsewhere: socket.socket) -> None:
        """The control: it checked 127.0.0.1 and arrived at 127.0.0.2."""
        resolver = Resolver(["127.0.0.1"], ["127.0.0.2"])
        port = elsewhere.getsockname()[1]
        assert resolver("localhost", port, 5) == ["127.0.0.1"]
        with pytest.raises(NothingFetched, match="within"):
            fetch(
                Endpoint("http", "localhost", port, "/a.csv"),
                admits=lambda _address: True,
                most_bytes=MOST,
                timeout_seconds=0.5,
                resolve=resolver,
            )
        connection, _ = elsewhere.accept()
        connection.close()
