"""A process between a client and PostgreSQL that cuts a connection when its COMMIT was sent.

    python -m tests.crash.proxy PORT      prints the port it listens on; a line "3" on its standard input
                                          says that the third COMMIT from now on is cut, and is answered "cut"

The COMMIT is passed on; its acknowledgement is not: the client sees an error, the rows stand.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

COMMIT = b"COMMIT\x00"
CHUNK = 65_536


class Proxy:
    """Counts the COMMITs of all connections."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._left = 0

    def arm(self, nth: int) -> None:
        """Cut the n-th COMMIT from now on."""
        self._left = nth

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one connection, both ways, until it ends or is cut."""
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        cut = asyncio.Event()
        ways = [
            asyncio.create_task(self._pass_on(reader, back, cut)),
            asyncio.create_task(self._pass_back(there, writer, cut)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for one in (writer, back):
            one.transport.abort()

    async def _pass_on(
        self, reader: asyncio.StreamReader, back: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        while data := await reader.read(CHUNK):
            if COMMIT in data and self._left:
                self._left -= 1
                if self._left == 0:
                    cut.set()
            back.write(data)
            await back.drain()

    async def _pass_back(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: asyncio.Event
    ) -> None:
        while data := await there.read(CHUNK):
            if cut.is_set():  # PostgreSQL has committed and says so: nobody hears it
                say("cut")
                return
            writer.write(data)
            await writer.drain()


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
            proxy.arm(int(line))
            say("armed")


if __name__ == "__main__":
    asyncio.run(main())
