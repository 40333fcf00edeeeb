"""Puts whatever comes into the queue there twice more, byte for byte: every hint is delivered three times."""

from __future__ import annotations

import codecs
import re
import threading
from collections import Counter
from typing import Any, Self

from tests.outages.brokers.server import QUEUE, Broker

_PUT = re.compile(rb'^\S+ \[\d+ (\S+)\] "LPUSH" "' + QUEUE.encode() + rb'" "(.*)"$')
_TASK = re.compile(rb'"id": "([^"]+)"')


class Repeater:
    """Such a bystander; it is told by the broker itself what others put."""

    def __init__(self, broker: Broker) -> None:
        self.repeated: Counter[str] = Counter()  # by the id of the task
        self._watching: Any = broker.client()
        self._putting: Any = broker.client()
        self._thread = threading.Thread(target=self._run, name="repeater", daemon=True)
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        self._monitor = self._watching.monitor().__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._putting.ping()  # something to see, so that the thread looks up
        self._thread.join(10)
        self._monitor.__exit__(None, None, None)
        self._watching.close()
        self._putting.close()

    def _run(self) -> None:
        ours: set[bytes] = set()
        while not self._stopping.is_set():
            line = self._monitor.connection.read_response(disable_decoding=True)
            put = _PUT.match(line)
            if put is None:
                continue
            raw = codecs.escape_decode(put[2])[0]
            assert isinstance(raw, bytes)
            if raw in ours:
                continue
            ours.add(raw)
            found = _TASK.search(raw)
            assert found is not None
            for _ in range(2):
                self._putting.lpush(QUEUE, raw)
                self.repeated[found[1].decode()] += 1
