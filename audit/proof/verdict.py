"""What verification says: verified, a mismatch with its first bad place, or why it cannot be checked.

Source: design.md D18.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Result(StrEnum):
    """How a verification ended."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"  # something on record contradicts something else
    CANNOT_BE_CHECKED = (
        "cannot be checked"  # this version does not know what it would need to know
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result with its reason.

    Args:
        result: how it ended.
        place: the first bad place, in words: `receipt #12 (message_accepted)`, `message M2`.
        problem: what is wrong there.
        check: the check that found it, a sentence.
        checked: how many things each check looked at, in the order of the checks.
    """

    result: Result
    place: str = ""
    problem: str = ""
    check: str = ""
    checked: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Say it in one line."""
        if self.result is Result.VERIFIED:
            return str(self.result)
        return f"{self.result} ({self.place}: {self.problem})"


class Bad(Exception):
    """A check stops at its first bad place."""

    result = Result.MISMATCH

    def __init__(self, place: str, problem: str) -> None:
        """Name the place and what is wrong there."""
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class Unknown(Bad):
    """A check meets something that this version does not know."""

    result = Result.CANNOT_BE_CHECKED


def require(holds: bool, place: str, problem: str) -> None:  # noqa: FBT001  reads as a sentence
    """Stop at `place` unless something holds.

    Raises:
        Bad: it does not.
    """
    if not holds:
        raise Bad(place, problem)
