"""Each row of design D5 over a real connection: what happens, and what is said of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from bullbear.lifecycle import RequestState
from bullbear.outcomes import OutcomeClass
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from tests.provider_double import Behaviour, ProviderDouble
from tests.wire.conftest import Seal
from tests.wire.rows import ANSWERED, REJECTED, UNKNOWN, Row


def row_id(row: Row) -> str:
    return f"{row.title} is {row.outcome}"


def check(double: ProviderDouble, provider: Provider, seal: Seal, row: Row) -> RequestState:
    double.script(row.behaviour)
    call = seal(seconds=row.seconds)
    exchange = provider.dispatch(call)
    assert (exchange.outcome, exchange.status) == (row.outcome, row.status)
    assert row.kept is None or exchange.body == row.kept
    assert exchange.wrote
    assert [hit.sha256 for hit in double.hits()] == [call.sha256.hex()]
    assert double.connections() == 1
    return exchange.state


class TestACallThatArrives:
    @pytest.mark.parametrize("row", ANSWERED, ids=row_id)
    def test_is_answered(
        self, double: ProviderDouble, provider: Provider, seal: Seal, row: Row
    ) -> None:
        """Also where the answer comes twice on one connection. Scenario C06."""
        assert check(double, provider, seal, row) is RequestState.ANSWERED

    @pytest.mark.parametrize("row", REJECTED, ids=row_id)
    def test_is_rejected(
        self, double: ProviderDouble, provider: Provider, seal: Seal, row: Row
    ) -> None:
        assert check(double, provider, seal, row) is RequestState.REJECTED

    @pytest.mark.parametrize("row", UNKNOWN, ids=row_id)
    def test_has_an_unknown_outcome(
        self, double: ProviderDouble, provider: Provider, seal: Seal, row: Row
    ) -> None:
        assert check(double, provider, seal, row) is RequestState.OUTCOME_UNKNOWN

    def test_keeps_the_head_that_came_where_it_was_cut(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        double.script(Behaviour(cut="head"))
        exchange = provider.dispatch(seal())
        assert exchange.body.startswith(b"HTTP/1.1 200 Scripted\r\n")


class TestACallThatBreaksOffOnItsWay:
    def test_has_an_unknown_outcome_where_the_peer_resets_meanwhile(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        double.script(Behaviour(at_connect="break"))
        exchange = provider.dispatch(seal(body=b" " * 4_000_000))
        assert exchange.state is RequestState.OUTCOME_UNKNOWN
        assert exchange.outcome in {OutcomeClass.WRITE_FAILED, OutcomeClass.RESET}
        assert exchange.wrote
        assert double.hits() == []

    def test_has_an_unknown_outcome_where_the_peer_does_not_read(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        double.script(Behaviour(at_connect="stall"))
        exchange = provider.dispatch(seal(body=b" " * 30_000_000, seconds=1.0))
        assert exchange.state is RequestState.OUTCOME_UNKNOWN
        assert exchange.outcome is OutcomeClass.WRITE_FAILED
        assert exchange.ended_ms < 1500
        assert double.hits() == []


class TestACallWhosePeerResetsAtOnce:
    def test_is_rejected_or_unknown_by_whether_its_write_began(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        double.script(Behaviour(at_connect="reset", times=200))
        for exchange in [provider.dispatch(seal()) for _ in range(200)]:
            unwritten = exchange.outcome is OutcomeClass.CONNECT_REFUSED
            assert exchange.wrote is not unwritten
            broken = {OutcomeClass.WRITE_FAILED, OutcomeClass.RESET}
            assert unwritten or exchange.outcome in broken
        assert double.hits() == []


def dispatch_to(base_url: str, seal: Seal) -> tuple[RequestState, OutcomeClass]:
    call = seal(base_url=base_url)
    exchange = Provider(call.endpoint, "key", connect_seconds=0.5).dispatch(call)
    assert exchange.status is None
    assert exchange.body == b""
    assert exchange.detail != ""
    assert exchange.ended_ms < 1000
    assert not exchange.wrote
    return exchange.state, exchange.outcome


@contextmanager
def port_that_nobody_accepts() -> Iterator[int]:
    """Listen with a queue that is full, so that a further SYN gets no answer."""
    with ExitStack() as sockets:
        listener = sockets.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = sockets.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


class TestACallWhoseWriteNeverBegan:
    def test_is_rejected_where_nobody_listens(self, seal: Seal) -> None:
        with socket.socket() as reserved:
            reserved.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{reserved.getsockname()[1]}/v1"
            outcome = dispatch_to(url, seal)
        assert outcome == (RequestState.REJECTED, OutcomeClass.CONNECT_REFUSED)

    def test_is_rejected_where_nobody_accepts(self, seal: Seal) -> None:
        with port_that_nobody_accepts() as port:
            outcome = dispatch_to(f"http://127.0.0.1:{port}/v1", seal)
        assert outcome == (RequestState.REJECTED, OutcomeClass.CONNECT_TIMEOUT)

    def test_is_rejected_where_the_name_is_not_resolved(self, seal: Seal) -> None:
        outcome = dispatch_to("http://no-such-host.invalid/v1", seal)
        assert outcome == (RequestState.REJECTED, OutcomeClass.DNS)

    def test_is_rejected_where_the_certificate_is_not_trusted(
        self, double_under_tls: ProviderDouble, seal: Seal
    ) -> None:
        before = double_under_tls.hits()
        outcome = dispatch_to(double_under_tls.base_url, seal)
        assert outcome == (RequestState.REJECTED, OutcomeClass.TLS)
        assert double_under_tls.hits() == before

    def test_is_rejected_where_the_handshake_gets_no_answer(
        self, double: ProviderDouble, seal: Seal
    ) -> None:
        outcome = dispatch_to(double.base_url.replace("http:", "https:"), seal)
        assert outcome == (RequestState.REJECTED, OutcomeClass.CONNECT_TIMEOUT)
        assert double.hits() == []

    def test_goes_to_localhost_by_any_of_its_addresses(
        self, double: ProviderDouble, seal: Seal
    ) -> None:
        call = seal(base_url=f"http://localhost:{double.port}/v1")
        exchange = Provider(Endpoint.from_base_url(str(call.endpoint)[:-17]), "key").dispatch(call)
        assert exchange.state is RequestState.ANSWERED
