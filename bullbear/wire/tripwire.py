"""The last thing between sealed bytes and the socket: no other bytes, no second dispatch.

The rule itself is held by the lease and the database.  This catches a defect in our own code,
within one process, before a byte is written; what it raises is a defect and nobody catches it.

Source: design.md D7, step 2.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from bullbear.wire.call import SealedCall

_REMEMBERED_ACTS = 100_000


class TripwireSprung(AssertionError):
    """A dispatch that must never happen was about to happen."""


class Tripwire:
    """Lets each act pass once, and only with the bytes that were sealed."""

    def __init__(self, remembered: int = _REMEMBERED_ACTS) -> None:
        self._remembered = remembered
        self._passed: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def let_pass(self, call: SealedCall) -> None:
        """Let `call` pass.

        Raises:
            TripwireSprung: its bytes are not those that were sealed, or its act passed before.
        """
        if hashlib.sha256(call.body).digest() != call.sha256:
            raise TripwireSprung(f"other bytes than the sealed ones: {call.act}")
        with self._lock:
            if call.act in self._passed:
                raise TripwireSprung(f"a second dispatch of one act: {call.act}")
            self._passed[call.act] = None
            if len(self._passed) > self._remembered:
                self._passed.popitem(last=False)


TRIPWIRE = Tripwire()
