"""Sealed bytes go out once, unchanged, to the sealed endpoint, and not after the hard end."""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import replace

import pytest
from django.db import connections

from bullbear.lifecycle import RequestState
from bullbear.outcomes import OutcomeClass
from bullbear.transactions import InsideTransaction
from bullbear.wire.call import HEADER_NAMES, Endpoint
from bullbear.wire.provider import Provider
from bullbear.wire.tripwire import Tripwire, TripwireSprung
from tests.provider_double import Behaviour, ProviderDouble
from tests.wire.conftest import BODY, LOOPBACK_PEM, Seal

REFUSED = [301, 302, 303, 307, 308]


class TestDispatch:
    def test_puts_the_sealed_bytes_on_the_wire(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        call = seal()
        exchange = provider.dispatch(call)
        (hit,) = double.hits()
        assert exchange.state is RequestState.ANSWERED
        assert hit.sha256 == call.sha256.hex()
        assert double.body(hit) == BODY
        assert (hit.method, hit.path) == ("POST", "/v1/chat/completions")
        assert hit.idempotency_key == call.act

    def test_sends_the_sealed_header_names_and_no_other(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        provider.dispatch(seal())
        (hit,) = double.hits()
        assert tuple(hit.header_names) == HEADER_NAMES

    def test_uses_a_new_connection_for_each_call(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        provider.dispatch(seal())
        provider.dispatch(seal())
        assert [hit.connection for hit in double.hits()] == [1, 2]

    def test_keeps_the_response_as_it_came(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        body = b'{ "choices" : [ {"message":{"content":"\\u00e9 \xc3\xa9"}} ] }\n'
        headers = {"X-Request-Id": "req-1", "Set-Cookie": "a=b"}
        double.script(Behaviour(body=body, headers=headers, chunked=True))
        exchange = provider.dispatch(seal())
        assert exchange.body == body
        assert exchange.status == 200
        assert exchange.headers == {"content-type": "application/json", "x-request-id": "req-1"}
        assert exchange.detail == ""

    def test_times_what_happened_in_order(self, provider: Provider, seal: Seal) -> None:
        exchange = provider.dispatch(seal())
        assert exchange.written_ms is not None
        assert exchange.first_byte_ms is not None
        assert 0 < exchange.written_ms < exchange.first_byte_ms < exchange.ended_ms

    @pytest.mark.parametrize("status", REFUSED)
    def test_does_not_follow_a_redirect(
        self, double: ProviderDouble, provider: Provider, seal: Seal, status: int
    ) -> None:
        double.script(Behaviour(status=status, headers={"Location": double.base_url + "/again"}))
        exchange = provider.dispatch(seal())
        assert exchange.outcome is OutcomeClass.REDIRECTED
        assert len(double.hits()) == double.connections() == 1

    @pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
    def test_does_not_try_again(
        self, double: ProviderDouble, provider: Provider, seal: Seal, status: int
    ) -> None:
        double.script(Behaviour(status=status, headers={"Retry-After": "0"}))
        exchange = provider.dispatch(seal())
        assert exchange.retry_after == "0"
        assert len(double.hits()) == double.connections() == 1

    def test_takes_no_proxy_from_the_environment(
        self,
        provider: Provider,
        seal: Seal,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
        assert provider.dispatch(seal()).state is RequestState.ANSWERED

    def test_refuses_to_run_inside_a_transaction(
        self,
        double: ProviderDouble,
        provider: Provider,
        seal: Seal,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(connections["default"], "in_atomic_block", True)
        with pytest.raises(InsideTransaction):
            provider.dispatch(seal())
        assert double.connections() == 0

    def test_speaks_tls_with_a_trusted_peer(
        self, double_under_tls: ProviderDouble, seal: Seal
    ) -> None:
        call = seal(base_url=double_under_tls.base_url)
        trusting = ssl.create_default_context(cafile=str(LOOPBACK_PEM))
        exchange = Provider(call.endpoint, "key", tls=trusting).dispatch(call)
        assert exchange.state is RequestState.ANSWERED
        assert [hit.sha256 for hit in double_under_tls.hits()] == [call.sha256.hex()]


class TestTheTripwire:
    def test_refuses_other_bytes_than_the_sealed_ones(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        call = replace(seal(), body=BODY + b" ")
        with pytest.raises(TripwireSprung, match="other bytes"):
            provider.dispatch(call)
        assert double.connections() == 0

    def test_refuses_a_second_dispatch_of_the_same_act(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        call = seal()
        provider.dispatch(call)
        with pytest.raises(TripwireSprung, match="second dispatch"):
            provider.dispatch(call)
        assert len(double.hits()) == double.connections() == 1

    def test_refuses_the_same_act_with_other_content(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        call = seal()
        provider.dispatch(call)
        other = replace(call, body=b"{}", sha256=hashlib.sha256(b"{}").digest())
        with pytest.raises(TripwireSprung, match="second dispatch"):
            provider.dispatch(other)
        assert len(double.hits()) == 1

    def test_refuses_a_second_dispatch_through_another_provider_object(
        self, provider: Provider, seal: Seal
    ) -> None:
        call = seal()
        provider.dispatch(call)
        with pytest.raises(TripwireSprung, match="second dispatch"):
            Provider(call.endpoint, "other-key").dispatch(call)

    def test_refuses_another_endpoint_than_the_sealed_one(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        with pytest.raises(TripwireSprung, match="another endpoint"):
            provider.dispatch(seal(base_url="http://127.0.0.1:1/v1"))
        assert double.connections() == 0

    def test_is_not_caught_as_a_failed_call(self) -> None:
        assert not issubclass(TripwireSprung, OSError | ValueError)

    def test_remembers_a_bounded_number_of_acts(self, seal: Seal) -> None:
        tripwire = Tripwire(remembered=2)
        first, second, third = seal(), seal(), seal()
        for call in (first, second, third):
            tripwire.let_pass(call)
        with pytest.raises(TripwireSprung):
            tripwire.let_pass(second)
        tripwire.let_pass(first)


class TestTheHardEnd:
    def test_is_looked_at_after_connect_and_nothing_is_written_past_it(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        late = provider.dispatch(seal(to_hard_end=0.0))
        assert (late.state, late.outcome) == (RequestState.REJECTED, OutcomeClass.NOT_WRITTEN)
        assert not late.wrote
        assert late.body == b""
        in_time = seal()
        provider.dispatch(in_time)
        # The second call shows that the first connection was accepted and carried no call.
        assert [(hit.connection, hit.idempotency_key) for hit in double.hits()] == [
            (2, in_time.act)
        ]


class TestEndpoint:
    @pytest.mark.parametrize(
        ("base_url", "endpoint", "authority"),
        [
            (
                "https://api.openai.com/v1",
                Endpoint("https", "api.openai.com", 443, "/v1/chat/completions"),
                "api.openai.com",
            ),
            (
                "http://127.0.0.1:8080/v1/",
                Endpoint("http", "127.0.0.1", 8080, "/v1/chat/completions"),
                "127.0.0.1:8080",
            ),
            ("http://[::1]:81", Endpoint("http", "::1", 81, "/chat/completions"), "[::1]:81"),
            (
                "https://müller.example",
                Endpoint("https", "xn--mller-kva.example", 443, "/chat/completions"),
                "xn--mller-kva.example",
            ),
        ],
    )
    def test_is_read_from_a_base_url(
        self, base_url: str, endpoint: Endpoint, authority: str
    ) -> None:
        assert Endpoint.from_base_url(base_url) == endpoint
        assert endpoint.authority == authority

    @pytest.mark.parametrize(
        "base_url",
        [
            "",
            "api.openai.com/v1",
            "ftp://host/v1",
            "http://",
            "http://host:0/v1",
            "http://host:99999/v1",
            "http://a b/v1",
            "http://a..b/v1",
            "http://user:hunter2@host/v1",
            "http://host/v1?key=hunter2",
            "http://host/v1#part",
            "http://host/v 1",
        ],
    )
    def test_is_refused_by_a_message_without_the_url(self, base_url: str) -> None:
        with pytest.raises(ValueError, match="the base URL") as refused:
            Endpoint.from_base_url(base_url)
        assert "hunter2" not in str(refused.value)


class TestSealedCall:
    @pytest.mark.parametrize("act", ["", "two words", "line\r\nbreak", "é", "x" * 256])
    def test_has_an_act_that_can_stand_in_a_header(self, act: str, seal: Seal) -> None:
        with pytest.raises(ValueError, match="an act is"):
            replace(seal(), act=act)

    def test_has_a_time_out(self, seal: Seal) -> None:
        with pytest.raises(ValueError, match="time-out"):
            seal(seconds=0)
