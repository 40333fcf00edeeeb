"""What this process really says to PostgreSQL: each statement on the wire, BEGIN and COMMIT included.

libpq traces the protocol messages that it writes; nothing here believes what an ORM says of itself.

Source: PostgreSQL manual, 34.14 "Control Functions", PQtrace.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created
from psycopg.pq import Trace

# F: from this end.  `Query` is a whole statement; a `Parse` is always followed by its one `Execute`.
_MESSAGE = re.compile(
    r'^F\t\d+\t(Query|Parse)\t (?:"" )?"(.*?)"(?: \d+)?\n(?=[FB]\t|\Z)', re.MULTILINE | re.DOTALL
)
_BEGIN = re.compile(r"BEGIN\b", re.IGNORECASE)
_END = re.compile(r"(COMMIT|ROLLBACK)\b(?! TO)", re.IGNORECASE)
_WRITES = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\b", re.IGNORECASE)
_TABLES = re.compile(r"\b((?:bullbear|research|dialogue|audit)_[a-z]+)\b")


@dataclass(frozen=True)
class Statement:
    """One statement as it crossed the wire, its values included."""

    text: str

    @property
    def writes(self) -> bool:
        """Whether it changes rows, or locks them to change them."""
        return bool(_WRITES.search(self.text))

    @property
    def tables(self) -> list[str]:
        """The tables of ours that it names, each once."""
        return list(dict.fromkeys(_TABLES.findall(self.text)))


@dataclass
class Said:
    """All statements of a while, in order."""

    statements: list[Statement] = field(default_factory=list)

    @property
    def transactions(self) -> list[list[Statement]]:
        """The statements of each transaction that was begun, without BEGIN and COMMIT."""
        found: list[list[Statement]] = []
        inside = False
        for one in self.statements:
            if _BEGIN.match(one.text):
                found.append([])
                inside = True
            elif _END.match(one.text):
                inside = False
            elif inside:
                found[-1].append(one)
        return found

    @property
    def writing(self) -> list[list[Statement]]:
        """The transactions that write; a statement that writes outside of one is one of its own."""
        inside = {id(one) for of_one in self.transactions for one in of_one}
        alone = [[one] for one in self.statements if one.writes and id(one) not in inside]
        return [of_one for of_one in self.transactions if any(s.writes for s in of_one)] + alone


@contextmanager
def watched() -> Iterator[Said]:
    """Gather what this thread's application connections say; they are opened and closed within."""
    said = Said()
    connection.close()
    with tempfile.TemporaryFile() as trace:
        copies: list[int] = []

        def watch(sender: Any, connection: Any, **_: Any) -> None:
            if connection.alias == "default":
                copies.append(os.dup(trace.fileno()))
                connection.connection.pgconn.trace(copies[-1])
                connection.connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)

        connection_created.connect(watch)
        try:
            yield said
        finally:
            connection_created.disconnect(watch)
            connection.close()
            for copy in copies:
                os.close(copy)
            trace.seek(0)
            said.statements += _read(trace.read().decode(errors="replace"))


def _read(trace: str) -> Sequence[Statement]:
    return [Statement(match[2]) for match in _MESSAGE.finditer(trace)]
