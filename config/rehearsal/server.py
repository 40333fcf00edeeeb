"""The rehearsal model's HTTP side: three paths, a thread per connection, no memory of calls.

With `--hits FILE` it also appends each call that arrives whole to a file, before it answers.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import signal
import socketserver
import sys
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from config.rehearsal import completion
from config.rehearsal.hits import HitLog
from config.rehearsal.request import Malformed

_LARGEST_BODY = 32 * 1024 * 1024
_IDLE_SECONDS = 300
_STACK_BYTES = 512 * 1024  # hundreds of threads that mostly sleep
_PR_SET_PDEATHSIG = 1
_PATHS = {"/v1/chat/completions": "POST", "/v1/models": "GET", "/healthz": "GET"}


class RehearsalServer(ThreadingHTTPServer):
    """The listening socket and what every answer needs to know."""

    daemon_threads = True
    request_queue_size = 1024  # a burst of calls waits in the backlog instead of being refused

    def __init__(
        self,
        address: tuple[str, int],
        *,
        model: str,
        latency_seconds: tuple[float, float],
        hits: HitLog | None = None,
    ) -> None:
        """Bind `address`; every completion takes longer than it needs, by a time in that range."""
        self.model = model
        self.hits = hits
        self._latency_seconds = latency_seconds
        super().__init__(address, Handler)

    def latency_of(self, digest: bytes) -> float:
        """Return how much longer a call takes: the same for the same bytes."""
        least, most = self._latency_seconds
        return least + max(0.0, most - least) * int.from_bytes(digest[:4]) / 2**32

    @property
    def url(self) -> str:
        """The base URL for a client."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/v1"

    def server_bind(self) -> None:
        """Bind without the reverse look-up of the host's name that the base class makes."""
        socketserver.TCPServer.server_bind(self)
        host, port = self.server_address[:2]
        self.server_name, self.server_port = str(host), int(port)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that went away; report anything else on stderr."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection, kept alive between its requests."""

    protocol_version = "HTTP/1.1"
    server_version = "bullbear-rehearsal"
    sys_version = ""
    timeout = _IDLE_SECONDS
    wbufsize = -1  # headers and body leave in one write
    disable_nagle_algorithm = True
    server: RehearsalServer

    def do_GET(self) -> None:
        """Serve the list of models and the health check."""
        path = self._path()
        if _PATHS.get(path) != "GET":
            self._refuse_path(path)
        elif path == "/healthz":
            self._answer(HTTPStatus.OK, b'{"status":"ok"}')
        else:
            self._answer(HTTPStatus.OK, completion.model_list(self.server.model))

    def do_POST(self) -> None:
        """Serve a chat completion."""
        raw = self._body()
        path = self._path()
        if raw is None:
            return
        if _PATHS.get(path) != "POST":
            self._refuse_path(path)
            return
        if self.server.hits is not None:
            self.server.hits.note(self.headers.get("Idempotency-Key", ""), raw)
        try:
            answer = completion.complete(raw, self.server.model)
        except Malformed as problem:
            refusal = completion.error_body(str(problem), param=problem.param)
            self._answer(HTTPStatus.BAD_REQUEST, refusal)
            return
        digest = hashlib.sha256(raw)
        latency = self.server.latency_of(digest.digest())
        if latency > 0:
            time.sleep(latency)
        self._answer(HTTPStatus.OK, answer, digest.hexdigest()[:24])

    def handle_expect_100(self) -> bool:
        """Let a client go on that waits for leave to send its body."""
        allowed = super().handle_expect_100()
        self.wfile.flush()
        return allowed

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """Refuse what is not HTTP, or an unknown method, in the same JSON shape."""
        status = HTTPStatus(code)
        self._refuse(status, message or explain or status.phrase)

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _body(self) -> bytes | None:
        """Read the whole body, or refuse one whose length is not stated or is too large."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "the body's length must be stated")
        elif len(length) > 12 or int(length) > _LARGEST_BODY:  # noqa: PLR2004 - digits of a length
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large")
        else:
            raw = self.rfile.read(int(length))
            if len(raw) == int(length):
                return raw
            self.close_connection = True
        return None

    def _refuse_path(self, path: str) -> None:
        if path in _PATHS:
            status, message = HTTPStatus.METHOD_NOT_ALLOWED, f"use {_PATHS[path]} here"
        else:
            status, message = HTTPStatus.NOT_FOUND, "no such path"
        self._answer(status, completion.error_body(message))

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Refuse a request whose body was not read: the connection cannot be used again."""
        self.close_connection = True
        self._answer(status, completion.error_body(message))

    def _answer(self, status: HTTPStatus, body: bytes, request_id: str = "") -> None:
        self.log_request(status)
        self.send_response_only(status)
        self.send_header("Server", self.version_string())
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if request_id:
            self.send_header("x-request-id", f"req_{request_id}")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base
        """Log nothing: what was asked and answered is on the asking side's record."""


def die_with_parent() -> None:
    """Ask the kernel for SIGTERM when the process that started this one dies (Linux).

    Source: prctl(2), PR_SET_PDEATHSIG.
    """
    parent = os.getppid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent or parent == 1:  # it died before the kernel was asked
        raise SystemExit(0)


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 3_600:  # noqa: PLR2004 - one hour
        raise ValueError(text)
    return value


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bullbear-rehearsal",
        description="An OpenAI-compatible server of fixed rules. It is not a language model.",
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--latency-seconds", type=_seconds, default=0.0)
    parser.add_argument(
        "--latency-most-seconds",
        type=_seconds,
        default=0.0,
        help="let each call take a time between --latency-seconds and this one",
    )
    parser.add_argument(
        "--hits",
        type=Path,
        metavar="FILE",
        help="append a JSON line for each call: time, Idempotency-Key, sha256 of the body",
    )
    parser.add_argument("--model", default="bullbear-rehearsal", help="the name it answers under")
    parser.add_argument("--die-with-parent", action="store_true")
    return parser.parse_args(argv)


def run(argv: Sequence[str] | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C; the first line on stdout says where."""
    arguments = _arguments(argv)
    if arguments.die_with_parent:
        die_with_parent()
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    threading.stack_size(_STACK_BYTES)
    with _bound(arguments) as server:
        sys.stdout.write(f"listening on {server.url}\n")
        sys.stdout.flush()
        server.serve_forever()


def _bound(arguments: argparse.Namespace) -> RehearsalServer:
    try:
        return RehearsalServer(
            (arguments.host, arguments.port),
            model=arguments.model,
            latency_seconds=(arguments.latency_seconds, arguments.latency_most_seconds),
            hits=_hit_log(arguments.hits),
        )
    except (OSError, OverflowError) as problem:
        raise SystemExit(
            f"cannot listen on {arguments.host}:{arguments.port}: {problem}"
        ) from None


def _hit_log(path: Path | None) -> HitLog | None:
    try:
        return HitLog(path) if path is not None else None
    except OSError as problem:
        raise SystemExit(f"cannot write to {path}: {problem.strerror}") from None


if __name__ == "__main__":
    run()
