"""Identity: the act, not the words; structure, not the text of jsonb.

Source: design.md D8.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

import rfc8785

# A str is no sequence here: it comes first.
JsonValue: TypeAlias = "bool | int | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
MAX_SAFE_INTEGER = 2**53 - 1


class NotCanonical(ValueError):
    """A value without a canonical form here: a float, an integer past 2^53, a lone surrogate, no JSON."""


@dataclass(frozen=True, slots=True, order=True)
class Act:
    """What one model request is: never what it says.

    `turn` counts an execution's slots, `attempt` the tries at one slot, `n` all requests of the attempt:
    tool continuations and rejected ones included.
    """

    execution: UUID
    turn: int
    attempt: int
    n: int

    def __str__(self) -> str:
        """Write the act as it stands in `Idempotency-Key` and in the record."""
        return f"{self.execution}:{self.turn}:{self.attempt}:{self.n}"


def sending_act(request: UUID, index: int) -> str:
    """Name the `index`-th send that the answer to `request` asks for."""
    return f"{request}:{index}"


def canonical(value: JsonValue) -> bytes:
    """Write a value as RFC 8785 bytes.

    Raises:
        NotCanonical: it holds a float, an integer past 2^53, a lone surrogate or what is not JSON.
    """
    _check(value)
    return rfc8785.dumps(value)


def _check(value: object) -> None:
    match value:
        case None | bool():
            return
        case str():
            _check_text(value)
        case int():
            if abs(value) > MAX_SAFE_INTEGER:
                raise NotCanonical("an integer past 2^53")
        case list() | tuple():
            for item in value:
                _check(item)
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise NotCanonical("a key that is not a string")
                _check_text(key)
                _check(item)
        case _:
            raise NotCanonical(f"a {type(value).__name__}")


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonical("a lone surrogate") from error


def digest(value: JsonValue) -> str:
    """Return the SHA-256 of a value's canonical bytes, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def same_structure(one: Any, other: Any) -> bool:
    """Compare two JSON values: key order does not matter, every value and type does."""
    return canonical(one) == canonical(other)
