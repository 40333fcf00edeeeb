"""Prompts are files: name, text and digest.

Source: design.md D8 (the frozen configuration), style.md rule 14.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

from research.domain import Domain


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file."""

    name: str
    text: str
    sha256: str


class PromptChanged(Exception):
    """The prompt that a Root was frozen with is no longer available: its resume is refused by name."""

    def __init__(self, name: str) -> None:
        """Name the prompt."""
        super().__init__(
            f"the prompt {name} is not the one this Root was opened with; restore it to go on"
        )
        self.name = name


@functools.cache
def _load(folder: Path) -> dict[str, Prompt]:
    found = {}
    for path in sorted(folder.glob("*.md")):
        raw = path.read_bytes()
        text = raw.decode().strip()
        found[path.stem] = Prompt(path.stem, text, hashlib.sha256(text.encode()).hexdigest())
    return found


def all_prompts(domain: Domain) -> dict[str, Prompt]:
    """Return a domain's prompts by name."""
    return _load(domain.prompts)


def frozen_prompt(domain: Domain, name: str, frozen_sha256: str) -> Prompt:
    """Return a prompt, provided it is still the one that was frozen.

    Raises:
        PromptChanged: it is another one now, or gone.
    """
    prompt = all_prompts(domain).get(name)
    if prompt is None or prompt.sha256 != frozen_sha256:
        raise PromptChanged(name)
    return prompt
