"""The whole call is bounded, many run at once, and the key shows nowhere."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

from bullbear.lifecycle import RequestState
from bullbear.wire.call import Endpoint
from bullbear.wire.provider import Provider
from tests.provider_double import Behaviour, ProviderDouble
from tests.wire.conftest import Seal

KEY = "sk-secret-0123456789"
SLOW = {
    "drips its head": Behaviour(drip="head"),
    "drips its body": Behaviour(drip="body"),
    "drips an endless row of 100 Continue": Behaviour(
        raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, then="hang"
    ),
    "never answers": Behaviour(cut="before", then="hang"),
}


class TestTheTotalTime:
    @pytest.mark.parametrize("behaviour", SLOW.values(), ids=SLOW.keys())
    def test_bounds_a_provider_that(
        self, double: ProviderDouble, provider: Provider, seal: Seal, behaviour: Behaviour
    ) -> None:
        """One time-out for the whole call, whatever keeps coming. Scenario E04."""
        double.script(behaviour)
        exchange = provider.dispatch(seal(seconds=1.0))
        assert exchange.state is RequestState.OUTCOME_UNKNOWN
        assert 1000 <= exchange.ended_ms <= 1500


class TestManyCallsAtOnce:
    def test_are_all_in_flight_in_one_process(
        self, double: ProviderDouble, provider: Provider, seal: Seal
    ) -> None:
        double.otherwise(Behaviour(gate="all"))
        calls = [seal(seconds=30) for _ in range(100)]
        with ThreadPoolExecutor(100) as threads:
            flights = [threads.submit(provider.dispatch, call) for call in calls]
            hits = double.wait_for_hits(100)
            assert not any(flight.done() for flight in flights)
            double.release("all")
            states = {flight.result().state for flight in flights}
        assert states == {RequestState.ANSWERED}
        assert sorted(hit.idempotency_key for hit in hits) == sorted(call.act for call in calls)
        assert len(double.hits()) == 100


class TestTheKey:
    def test_shows_in_no_repr_log_or_detail(
        self, double: ProviderDouble, seal: Seal, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        provider = Provider(Endpoint.from_base_url(double.base_url), KEY)
        double.script(Behaviour(), Behaviour(cut="body"), Behaviour(status=401, body=b"no"))
        exchanges = [provider.dispatch(seal()) for _ in range(3)]
        shown = [repr(provider), str(provider), caplog.text, repr(exchanges)]
        shown += [exchange.detail for exchange in exchanges]
        assert caplog.records != []
        assert not any(KEY in text for text in shown)

    @pytest.mark.parametrize("key", ["", "sk secret", "sk-secret\r\nX: y", "sk-sécret"])
    def test_is_refused_without_being_quoted(self, key: str) -> None:
        with pytest.raises(ValueError, match="API key") as refused:
            Provider(Endpoint.from_base_url("http://127.0.0.1:1"), key)
        assert "secret" not in str(refused.value)


class TestTexts:
    def test_show_in_no_log(
        self,
        double: ProviderDouble,
        provider: Provider,
        seal: Seal,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        double.script(Behaviour(content="an answer's words"))
        call = seal(body=b'{"model":"m","messages":"a question\'s words"}')
        exchange = provider.dispatch(call)
        shown = caplog.text + repr(call) + repr(exchange)
        assert "words" not in shown
