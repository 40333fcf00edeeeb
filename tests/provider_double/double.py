"""Start, script and ask the double."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.provider_double.behaviour import Behaviour

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Hit:
    """One call that arrived whole, as the double logged it."""

    time: float
    connection: int
    method: str
    path: str
    sha256: str
    idempotency_key: str
    header_names: list[str]


class ProviderDouble:
    """A scripted provider in a process of its own, on free ports of 127.0.0.1.

    Args:
        directory: an empty folder for `hits.jsonl` and the bodies that arrived.
        tls: a PEM file with key and certificate, to serve https.
    """

    def __init__(self, directory: Path, *, tls: Path | None = None) -> None:
        self.directory = directory
        command = [sys.executable, "-m", "tests.provider_double.server", str(directory)]
        self._process = subprocess.Popen(  # noqa: S603
            [*command, "--tls", str(tls)] if tls else command,
            cwd=PROJECT,
            stdin=subprocess.PIPE,  # held open: its end is the double's end
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self.port, self._command_port = json.loads(self._process.stdout.readline())
        self.base_url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process; afterwards its port refuses connections."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def script(self, *behaviours: Behaviour) -> None:
        """Append behaviours; each call takes the first one that fits it."""
        self._command("/script", [behaviour.to_json() for behaviour in behaviours])

    def otherwise(self, behaviour: Behaviour) -> None:
        """Say what a call gets that no scripted behaviour fits."""
        self._command("/otherwise", behaviour.to_json())

    def forget(self) -> None:
        """Begin anew: no script, no hits, no gates; the log on disk stays."""
        self._command("/forget")

    def release(self, gate: str) -> None:
        """Let the answers behind `gate` go, those of later calls too."""
        self._command("/release", gate)

    def connections(self) -> int:
        """Return how many connections were accepted."""
        return int(self._command("/connections"))

    def hits(self) -> list[Hit]:
        """Return the calls that have arrived."""
        return self.wait_for_hits(0)

    def wait_for_hits(self, at_least: int, seconds: float = 20.0) -> list[Hit]:
        """Wait until so many calls have arrived, and return them all.

        Raises:
            AssertionError: they did not arrive in time.
        """
        query = f"?at_least={at_least}&seconds={seconds}"
        hits = [Hit(**values) for values in self._command("/hits" + query)]
        assert len(hits) >= at_least, f"{len(hits)} of {at_least} calls arrived in {seconds} s"
        return hits

    def body(self, hit: Hit) -> bytes:
        """Return the body that arrived."""
        return (self.directory / hit.sha256).read_bytes()

    def _command(
        self, path: str, values: list[Any] | Mapping[str, Any] | str | None = None
    ) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._command_port, timeout=60)
        try:
            connection.request("POST", path, json.dumps(values).encode() if values else b"")
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()
