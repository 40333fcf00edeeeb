"""The double does as it is told, so that the tests which use it mean something."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.provider_double import Behaviour, ProviderDouble
from tests.provider_double.double import PROJECT


@pytest.fixture
def double(tmp_path: Path) -> Iterator[ProviderDouble]:
    with ProviderDouble(tmp_path) as double:
        yield double


def ask(double: ProviderDouble, text: str = "x", key: str = "act") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", double.port, timeout=10)
    try:
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
        path = "/v1/chat/completions"
        connection.request("POST", path, body, {"Idempotency-Key": key})
        response = connection.getresponse()
        completion = json.loads(response.read())
        return response.status, completion["choices"][0]["message"]["content"]
    finally:
        connection.close()


class TestTheDouble:
    def test_answers_in_the_order_of_its_script(self, double: ProviderDouble) -> None:
        double.script(Behaviour(content="first", times=2), Behaviour(content="second", status=201))
        double.otherwise(Behaviour(content="else"))
        assert [ask(double) for _ in range(4)] == [
            (200, "first"),
            (200, "first"),
            (201, "second"),
            (200, "else"),
        ]

    def test_picks_by_what_stands_in_the_request(self, double: ProviderDouble) -> None:
        double.script(
            Behaviour(when="for bear", content="bear"), Behaviour(when="for bull", content="bull")
        )
        assert ask(double, "for bull") == (200, "bull")
        assert ask(double, "for bear") == (200, "bear")

    def test_picks_by_two_texts_at_once(self, double: ProviderDouble) -> None:
        double.script(Behaviour(when="for bear", also="round 2", content="second"))
        double.otherwise(Behaviour(content="first"))
        assert ask(double, "round 1 for bear") == (200, "first")
        assert ask(double, "round 2 for bear") == (200, "second")

    def test_logs_each_call_before_it_answers(self, double: ProviderDouble) -> None:
        double.script(Behaviour(gate="later"))
        with ThreadPoolExecutor(1) as threads:
            asking = threads.submit(ask, double, "x", "act-7")
            (hit,) = double.wait_for_hits(1)
            assert not asking.done()
            double.release("later")
            assert asking.result() == (200, "{}")
        line = (double.directory / "hits.jsonl").read_text()
        assert json.loads(line)["sha256"] == hit.sha256
        assert hit.idempotency_key == "act-7"
        assert json.loads(double.body(hit))["model"] == "m"

    def test_forwards_to_another_server(self, double: ProviderDouble, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        with ProviderDouble(tmp_path / "other") as other:
            other.script(Behaviour(content="from the other"))
            double.script(Behaviour(forward=other.base_url))
            assert ask(double, "passed on") == (200, "from the other")
            assert double.hits()[0].sha256 == other.hits()[0].sha256

    def test_ends_with_the_process_that_started_it(self, double: ProviderDouble) -> None:
        double.script(Behaviour(cut="before", then="hang"))
        with ThreadPoolExecutor(1) as threads:
            asking = threads.submit(ask, double)
            double.wait_for_hits(1)
            double.stop()
            assert isinstance(asking.exception(), OSError | http.client.HTTPException)
        with pytest.raises(ConnectionRefusedError):
            ask(double)


def test_the_double_needs_no_django() -> None:
    code = "import sys, tests.provider_double.server; sys.exit('django' in sys.modules)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, cwd=PROJECT, check=False).returncode == 0  # noqa: S603
