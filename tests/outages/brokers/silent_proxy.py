"""A process between a worker and its broker that lets connections fall silent.

    python -m tests.outages.brokers.silent_proxy PORT

It prints the port that it listens on, obeys a line at a time and says "done":

    mute        connections over which somebody waits for hints pass nothing on any more
    mute all    later ones too
    unmute      later ones pass; a silent one stays silent
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from typing import Self

from tests.provider_double.double import PROJECT

CHUNK = 65_536
_WAITS = b"BRPOP"


class SilentProxy:
    """Such a process, running."""

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "tests.outages.brokers.silent_proxy", str(port)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,  # held open: its end is the proxy's end
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def tell(self, order: str) -> None:
        """Give an order, and wait until it is carried out."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


class Proxy:
    """Passes connections on, until they are muted."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._waiting: list[asyncio.Event] = []  # set: silent; one for each that waits for hints
        self._mutes_all = False

    def obey(self, order: str) -> None:
        """Carry out an order."""
        self._mutes_all = order == "mute all"
        if order != "unmute":
            for silent in self._waiting:
                silent.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection, both ways."""
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        silent = asyncio.Event()
        ways = [
            asyncio.create_task(self._pass(reader, back, silent, listens=True)),
            asyncio.create_task(self._pass(there, writer, silent, listens=False)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for one in (writer, back):
            one.transport.abort()

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        silent: asyncio.Event,
        *,
        listens: bool,
    ) -> None:
        while data := await reader.read(CHUNK):
            if listens and _WAITS in data:
                self._note(silent)
            if not silent.is_set():
                writer.write(data)
                with contextlib.suppress(ConnectionError):
                    await writer.drain()

    def _note(self, silent: asyncio.Event) -> None:
        if silent not in self._waiting:
            self._waiting.append(silent)
        if self._mutes_all:
            silent.set()


def say(line: str) -> None:
    """Tell the test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main() -> None:
    """Serve until standard input ends."""
    proxy = Proxy(int(sys.argv[1]))
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    say(str(server.sockets[0].getsockname()[1]))
    with contextlib.suppress(asyncio.CancelledError):
        while line := await asyncio.to_thread(sys.stdin.readline):
            proxy.obey(line.strip())
            say("done")


if __name__ == "__main__":
    asyncio.run(main())
