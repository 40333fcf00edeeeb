"""Read bytes of the record, and stop at the place where they are not what they should be.

Source: design.md D8, D18.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.proof.runtime_rows import ReceiptRow
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import RECEIPT_KINDS, RECEIPT_VERSION
from bullbear.identity import canonical

_KEYS = frozenset(
    {"v", "root", "seq", "recorded_at", "kind", "act", "child", "subject", "subjects", "digests"}
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A receipt, read."""

    seq: int
    root: str
    recorded_at: str
    kind: str
    act: str
    child: str
    subject: str
    subjects: Mapping[str, Any]
    digests: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Name it as a place."""
        return f"receipt #{self.seq} ({self.kind})"


def read_json(raw: bytes | str, place: str, what: str) -> Any:
    """Parse JSON; two readings of one text are none.

    Raises:
        Bad: it is not JSON, or an object names a key twice.
    """
    try:
        return json.loads(raw, object_pairs_hook=_members)
    except (ValueError, RecursionError) as error:
        raise Bad(place, f"{what} is not JSON") from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


def version_of(body: bytes) -> object:
    """Return the version that a receipt's body names, or None where it names none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value.get("v") if isinstance(value, dict) else None


def read_receipt(row: ReceiptRow) -> Fact:
    """Read a receipt whose digest was found right.

    Raises:
        Bad: its body is not the canonical form of a receipt.
        Unknown: it is of a version or kind that is not known here.
    """
    place = f"receipt #{row.seq}"
    value = read_json(row.body, place, "its body")
    require(isinstance(value, dict), place, "its body is not an object")
    if value.get("v") != RECEIPT_VERSION:
        raise Unknown(place, f"its version is {value.get('v')!r}, and {RECEIPT_VERSION} is known")
    require(value.keys() == _KEYS, place, "its body has other fields than a receipt")
    try:
        right = canonical(value) == row.body
    except ValueError as error:
        raise Bad(place, "its body has no canonical form") from error
    require(right, place, "its body is not in canonical form")
    fact = Fact(**{key: value[key] for key in _KEYS - {"v"}})
    if fact.kind not in RECEIPT_KINDS:
        raise Unknown(place, f"its kind is {fact.kind!r}, which is not known")
    require(
        isinstance(fact.subjects, dict) and isinstance(fact.digests, dict),
        fact.place,
        "its subjects and digests are no objects",
    )
    return fact


def message_of(raw: bytes, place: str) -> Mapping[str, Any]:
    """Return the first choice's message of a completion object."""
    return mapping(first_choice(raw, place).get("message"), place, "the answer's message")


def first_choice(raw: bytes, place: str) -> Mapping[str, Any]:
    """Return the first choice of a completion object."""
    completion = mapping(read_json(raw, place, "the response"), place, "the response")
    choices = sequence(completion.get("choices"), place, "the response's choices")
    require(bool(choices), place, "the response has no choice")
    return mapping(choices[0], place, "the response's first choice")


def mapping(value: Any, place: str, what: str) -> Mapping[str, Any]:
    """Return a JSON object as such."""
    if not isinstance(value, dict):
        raise Bad(place, f"{what} is no object")
    return value


def sequence(value: Any, place: str, what: str) -> Sequence[Any]:
    """Return a JSON array as such."""
    if not isinstance(value, list):
        raise Bad(place, f"{what} is no list")
    return value


def text(value: Any, place: str, what: str) -> str:
    """Return a JSON string as such."""
    if not isinstance(value, str):
        raise Bad(place, f"{what} is no text")
    return value
