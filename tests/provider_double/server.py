"""The double's process: one port for calls, one for the test that scripts it.

Every call that arrives whole is appended to `hits.jsonl` before anything is answered, and its body
is kept under its digest.  The process ends when its standard input does, so it never outlives a
test run that was killed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import http.client
import json
import os
import socket
import ssl
import struct
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.provider_double.behaviour import Behaviour

_GONE = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


@dataclass(frozen=True)
class Request:
    """One HTTP request, whole."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


async def read_request(reader: asyncio.StreamReader) -> Request:
    """Read one request; what is not whole raises."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    pairs = (line.split(":", 1) for line in head[1:] if line)
    headers = [(name, value.strip()) for name, value in pairs]
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    return Request(method, path, headers, await reader.readexactly(length))


class Double:
    """Script, hits and gates."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.connections = 0
        self.hits: list[dict[str, Any]] = []
        self.script: list[Behaviour] = []
        self.otherwise = Behaviour()
        self.gates: dict[str, asyncio.Event] = {}
        self.arrived = asyncio.Condition()

    def gate(self, name: str) -> asyncio.Event:
        return self.gates.setdefault(name, asyncio.Event())

    def take(self, *, connecting: bool, body: bytes = b"") -> Behaviour | None:
        """Take the first behaviour that fits off the script."""
        for place, behaviour in enumerate(self.script):
            fits = bool(behaviour.at_connect) == connecting and all(
                text.encode() in body for text in (behaviour.when, behaviour.also)
            )
            if fits and behaviour.times > 1:
                self.script[place] = replace(behaviour, times=behaviour.times - 1)
            elif fits:
                del self.script[place]
            if fits:
                return behaviour
        return None if connecting else self.otherwise

    async def log(self, request: Request, connection: int) -> None:
        digest = hashlib.sha256(request.body).hexdigest()
        (self.directory / digest).write_bytes(request.body)
        hit = {
            "time": time.time(),
            "connection": connection,
            "method": request.method,
            "path": request.path,
            "sha256": digest,
            "idempotency_key": request.header("idempotency-key"),
            "header_names": [name for name, _ in request.headers],
        }
        with (self.directory / "hits.jsonl").open("a") as log:
            log.write(json.dumps(hit) + "\n")
        async with self.arrived:
            self.hits.append(hit)
            self.arrived.notify_all()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of a caller: one call, or none."""
        self.connections += 1
        connection = self.connections
        with contextlib.suppress(*_GONE):
            early = self.take(connecting=True)
            if early is not None:
                if early.at_connect == "break":
                    await reader.read(1)
                await end(reader, writer, "stall" if early.at_connect == "stall" else "reset")
                return
            request = await read_request(reader)
            await self.log(request, connection)
            behaviour = self.take(connecting=False, body=request.body) or self.otherwise
            await asyncio.sleep(behaviour.delay_seconds)
            if behaviour.gate:
                await self.gate(behaviour.gate).wait()
            await answer(behaviour, request, reader, writer)
        writer.close()

    async def obey(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one command of the test."""
        with contextlib.suppress(*_GONE):
            request = await read_request(reader)
            result = json.dumps(await self.command(request)).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(result) + result)
            await writer.drain()
        writer.close()

    async def command(self, request: Request) -> Any:
        parts = urlsplit(request.path)
        values: Any = json.loads(request.body or b"null")
        match parts.path:
            case "/script":
                self.script += [Behaviour.from_json(value) for value in values]
            case "/otherwise":
                self.otherwise = Behaviour.from_json(values)
            case "/forget":
                self.script, self.otherwise, self.gates = [], Behaviour(), {}
                self.connections, self.hits = 0, []
            case "/release":
                self.gate(values).set()
            case "/connections":
                return self.connections
            case "/hits":
                query = parse_qs(parts.query)
                wanted, seconds = int(query["at_least"][0]), float(query["seconds"][0])
                async with self.arrived:
                    waiting = self.arrived.wait_for(lambda: len(self.hits) >= wanted)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(waiting, seconds)
                return self.hits
        return None


async def answer(
    behaviour: Behaviour,
    request: Request,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Write what the behaviour says, as far as it says."""
    if behaviour.raw is not None:
        writer.write(behaviour.raw)
        await end(reader, writer, behaviour.then)
        return
    status, content_type, body = behaviour.status, behaviour.content_type, b""
    if behaviour.forward:
        status, content_type, body = await asyncio.to_thread(ask, behaviour.forward, request)
    elif behaviour.status not in {204, 304}:
        body = behaviour.response_body(model_of(request))
    head = head_of(replace(behaviour, status=status, content_type=content_type), body)
    if behaviour.chunked:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    head, body = {
        "before": (b"", b""),
        "head": (head[: len(head) // 2], b""),
        "body": (head, body[: len(body) // 2]),
    }.get(behaviour.cut, (head, body))
    for _ in range(2 if behaviour.twice else 1):
        await put(writer, head, behaviour.drip_seconds if behaviour.drip == "head" else 0)
        await put(writer, body, behaviour.drip_seconds if behaviour.drip == "body" else 0)
    await end(reader, writer, behaviour.then)


def head_of(behaviour: Behaviour, body: bytes) -> bytes:
    framing = (
        ("Transfer-Encoding", "chunked") if behaviour.chunked else ("Content-Length", len(body))
    )
    headers = {"Content-Type": behaviour.content_type, framing[0]: framing[1], **behaviour.headers}
    lines = [f"HTTP/1.1 {behaviour.status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def put(writer: asyncio.StreamWriter, data: bytes, drip_seconds: float) -> None:
    step = 1 if drip_seconds else max(1, len(data))
    for start in range(0, len(data), step):
        writer.write(data[start : start + step])
        await writer.drain()
        await asyncio.sleep(drip_seconds)


async def end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, how: str) -> None:
    """Close the connection, reset it, keep it silent until the caller leaves, or never read it."""
    match how:
        case "reset":
            sock: socket.socket = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        case "hang":
            await writer.drain()
            await reader.read()
        case "stall":
            await writer.wait_closed()
        case _:
            await writer.drain()


def model_of(request: Request) -> str:
    try:
        return str(json.loads(request.body)["model"])
    except (ValueError, KeyError, TypeError):
        return "double"


def ask(base_url: str, request: Request) -> tuple[int, str, bytes]:
    """Ask another server the same and return its whole answer."""
    parts = urlsplit(base_url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        path = parts.path.rstrip("/") + "/chat/completions"
        headers = {"Content-Type": "application/json", "Authorization": "Bearer forwarded"}
        connection.request("POST", path, request.body, headers)
        response = connection.getresponse()
        return response.status, response.getheader("content-type", ""), response.read()
    finally:
        connection.close()


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--tls", type=Path)
    options = parser.parse_args()
    tls = None
    if options.tls:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(options.tls)
    double = Double(options.directory)
    calls = await asyncio.start_server(double.serve, "127.0.0.1", 0, ssl=tls, backlog=1024)
    commands = await asyncio.start_server(double.obey, "127.0.0.1", 0)
    ports = [server.sockets[0].getsockname()[1] for server in (calls, commands)]
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # connections may still hang, as they were told to


if __name__ == "__main__":
    asyncio.run(main())
