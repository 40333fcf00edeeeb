"""The HTTP side: one line on stdout, three paths, many calls at once, an end at SIGTERM."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from config.embedded.processes import wait_until
from tests.rehearsal import asking
from tests.rehearsal.asking import Client
from tests.rehearsal.conftest import Served

PLAN = asking.body("plan", "main", [asking.block("question | requester", "Is it diversified?")])


class TestRun:
    def test_says_where_it_listens(self, served: Served) -> None:
        assert served.first_line == f"listening on http://127.0.0.1:{served.port}/v1\n"

    def test_ends_at_sigterm_with_a_call_in_flight(self) -> None:
        running = Served("--latency-seconds", "20")
        with socket.create_connection(("127.0.0.1", running.port)) as connection:
            raw = asking.encode(PLAN)
            head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(raw)}\r\n\r\n"
            connection.sendall(head.encode() + raw)
            started = time.monotonic()
            assert running.end() == 0
            assert time.monotonic() - started < 2

    def test_dies_with_its_parent(self) -> None:
        parent = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-m', 'config.rehearsal.server', "
            "'--die-with-parent'])\n"
            "time.sleep(60)\n"
        )
        with subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True
        ) as middle:
            assert middle.stdout is not None
            assert middle.stdout.readline().startswith("listening on ")
            os.kill(middle.pid, signal.SIGKILL)
            assert middle.stdout.read() == ""  # ends when the last holder of the pipe is gone

    @pytest.mark.parametrize("option", [["--latency-seconds", "-1"], ["--port", "70000"]])
    def test_refuses_options_that_make_no_sense(self, option: list[str]) -> None:
        command = [sys.executable, "-m", "config.rehearsal.server", *option]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        assert done.returncode != 0
        assert done.stderr
        assert b"Traceback" not in done.stderr


class TestCompletions:
    def test_is_the_full_object_of_the_interface(self, client: Client) -> None:
        status, raw = client.send(asking.encode(PLAN))
        answer = json.loads(raw)
        assert status == 200
        assert answer["object"] == "chat.completion"
        assert answer["id"].startswith("chatcmpl-")
        assert (answer["created"], answer["model"]) == (0, "bullbear-rehearsal")
        assert answer["system_fingerprint"] == "rehearsal"
        assert answer["choices"][0]["finish_reason"] == "stop"
        usage = answer["usage"]
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
        assert usage["completion_tokens"] > 0

    def test_gives_the_same_bytes_for_the_same_bytes(self, client: Client) -> None:
        raw = asking.encode(PLAN)
        assert client.send(raw) == client.send(raw)
        assert client.send(raw) != client.send(raw + b" ")  # the id follows from the bytes

    def test_answers_under_its_own_name(self, client: Client) -> None:
        _, raw = client.send(asking.encode({**PLAN, "model": "another"}))
        assert json.loads(raw)["model"] == "bullbear-rehearsal"

    def test_stops_at_the_token_limit(self, client: Client) -> None:
        choice = client.choice({**PLAN, "max_tokens": 3})
        assert choice["finish_reason"] == "length"
        assert len(choice["message"]["content"].encode()) <= 12

    def test_serves_two_hundred_calls_at_once(self) -> None:
        running = Served("--latency-seconds", "1")
        raw = asking.encode(PLAN)
        statuses: list[int] = []

        def call() -> None:
            one = Client(running.port)
            statuses.append(one.send(raw)[0])
            one.connection.close()

        threads = [threading.Thread(target=call) for _ in range(200)]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - started
        running.end()
        assert statuses == [200] * 200
        assert 1 <= took < 10


class TestHits:
    def test_appends_each_call_before_it_answers(self, tmp_path: Path) -> None:
        log = tmp_path / "hits.jsonl"
        log.write_text('{"of": "an earlier life"}\n')
        running = Served("--hits", str(log), "--latency-seconds", "20")
        raw = asking.encode(PLAN)
        with socket.create_connection(("127.0.0.1", running.port)) as connection:
            head = f"Idempotency-Key: a:1:1:1\r\nContent-Length: {len(raw)}\r\n\r\n"
            connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\n{head}".encode() + raw)
            assert wait_until(lambda: log.read_text().count("\n") == 2, seconds=10)
        running.end()
        hit = json.loads(log.read_text().splitlines()[1])
        assert abs(hit.pop("time") - time.time()) < 15
        assert hit == {"idempotency_key": "a:1:1:1", "sha256": hashlib.sha256(raw).hexdigest()}

    def test_counts_no_call_whose_body_did_not_come_whole(self, tmp_path: Path) -> None:
        log = tmp_path / "hits.jsonl"
        running = Served("--hits", str(log))
        with socket.create_connection(("127.0.0.1", running.port)) as connection:
            head = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 10\r\n\r\n"
            connection.sendall(head + b"{")
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
        running.end()
        assert log.read_text() == ""

    def test_refuses_a_file_that_cannot_be_written(self, tmp_path: Path) -> None:
        command = [sys.executable, "-m", "config.rehearsal.server", "--hits", str(tmp_path)]
        told = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert told.returncode != 0
        assert str(tmp_path) in told.stderr
        assert "Traceback" not in told.stderr


class TestLatency:
    def test_lies_between_the_two_and_is_the_same_for_the_same_bytes(self) -> None:
        running = Served("--latency-seconds", "0.1", "--latency-most-seconds", "0.4")
        client = Client(running.port)
        took = []
        for raw in (asking.encode(PLAN), asking.encode(PLAN), asking.encode(PLAN) + b" "):
            began = time.monotonic()
            client.send(raw)
            took.append(time.monotonic() - began)
        client.connection.close()
        running.end()
        assert min(took) >= 0.1
        assert max(took) < 2


class TestRefusals:
    @pytest.mark.parametrize(
        ("raw", "param"),
        [
            pytest.param(b"", None, id="no body"),
            pytest.param(b"{", None, id="broken JSON"),
            pytest.param(b"\xff\xfe", None, id="not UTF-8"),
            pytest.param(b"[" * 100_000, None, id="nested too deep"),
            pytest.param(b"[]", None, id="no object"),
            pytest.param(b'{"messages": []}', "model", id="no model"),
            pytest.param(b'{"model": "m"}', "messages", id="no messages"),
            pytest.param(b'{"model": "m", "messages": ["x"]}', "messages", id="odd message"),
            pytest.param(asking.encode({**PLAN, "stream": True}), "stream", id="stream"),
            pytest.param(asking.encode({**PLAN, "n": 2}), "n", id="two choices"),
            pytest.param(asking.encode({**PLAN, "max_tokens": "x"}), "max_tokens", id="limit"),
            pytest.param(asking.encode({**PLAN, "tools": [1]}), "tools", id="odd tool"),
            pytest.param(
                asking.encode(asking.body("poem", "main")), "messages", id="unknown purpose"
            ),
            pytest.param(
                b'{"model":"m","messages":[{"role":"user","content":"Hello"}]}',
                "messages",
                id="no task line",
            ),
        ],
    )
    def test_names_what_is_wrong(self, client: Client, raw: bytes, param: str | None) -> None:
        status, answer = client.send(raw)
        error = json.loads(answer)["error"]
        assert status in {400, 411}
        assert error["type"] == "invalid_request_error"
        assert error["param"] == param
        assert error["message"]

    def test_refuses_half_a_character_pair(self, client: Client) -> None:
        blocks = [asking.block("question | requester", "Why, because \ud800 means more?")]
        request = asking.body("opening", "bull", blocks)
        status, _ = client.send(json.dumps(request).encode())
        assert status == 400

    def test_knows_its_paths(self, client: Client) -> None:
        assert client.send(b"", "/healthz", "GET") == (200, b'{"status":"ok"}')
        status, raw = client.send(b"", "/v1/models", "GET")
        assert (status, json.loads(raw)["data"][0]["id"]) == (200, "bullbear-rehearsal")
        assert client.send(b"", "/v1/else", "GET")[0] == 404
        assert client.send(b"", "/v1/chat/completions", "GET")[0] == 405
        assert client.send(b"{}", "/v1/models")[0] == 405

    def test_refuses_what_is_not_http_in_the_same_shape(self, served: Served) -> None:
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as connection:
            connection.sendall(b"BREW /v1/models HTTP/1.1\r\n\r\n")
            raw = b"".join(iter(lambda: connection.recv(4096), b""))
        assert raw.startswith(b"HTTP/1.1 501 ")
        assert json.loads(raw.partition(b"\r\n\r\n")[2])["error"]["message"]
