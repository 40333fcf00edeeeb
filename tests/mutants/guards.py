"""The list of guards, read.  What each field means stands at the head of `guards.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_LIST = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A guard that is taken away."""

    name: str
    path: str
    line: str
    instead: str
    killed_by: tuple[str, ...]

    def applied_to(self, text: str) -> str:
        """Return the file's text without the guard.

        Raises:
            ValueError: the guard does not stand there once, so nobody knows what is taken away.
        """
        if (count := text.count(self.line)) != 1:
            raise ValueError(f"“{self.name}” stands {count} times in {self.path}")
        return text.replace(self.line, self.instead)


def mutants() -> list[Mutant]:
    """Read the list."""
    found = tomllib.loads(_LIST.read_text())["mutant"]
    return [Mutant(**{**one, "killed_by": tuple(one["killed_by"])}) for one in found]
