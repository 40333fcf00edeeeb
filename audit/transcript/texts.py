"""Show a text, or say that it is withheld from this reader.

Source: design.md D14: a human reader sees a text only if his scopes cover its lineage.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from audit.transcript.page import Prose, Text
from audit.viewer import Coverage
from bullbear.models import ModelRequest
from dialogue.report.figures import render_figures
from research.answers import Answer
from research.completions import read, read_answer

A = TypeVar("A", bound=Answer)
NOTHING = Text("")


@dataclass
class Texts:
    """The contents of a page and which of them its reader may see."""

    contents: Mapping[UUID, bytes]
    coverage: Coverage
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by handle: `T2`
    withheld: int = field(default=0)

    def show(self, content_id: UUID | None, lineage: Collection[str]) -> Text:
        """Show a content whole, or withhold it whole."""
        if content_id is None:
            return NOTHING
        return self.words(self.read(content_id), lineage)

    def read(self, content_id: UUID) -> str:
        """Return a text, shown or not."""
        return self.contents[content_id].decode(errors="replace")

    def words(self, words: str, lineage: Collection[str]) -> Text:
        """Show words that were read out of a stored answer."""
        if self.coverage.holds(lineage):
            return Text(words)
        self.withheld += 1
        return Text("", withheld=True)

    def lines(self, lines: Iterable[str], lineage: Collection[str]) -> list[Text]:
        """Show a list of an answer: how many lines it has is no secret."""
        return [self.words(line, lineage) for line in lines]

    def prose(self, words: str, lineage: Collection[str]) -> Prose:
        """Show Main's words with their figures; its request's lineage holds that of every result."""
        verbatim = self.words(words, lineage)
        figures = render_figures(verbatim.words, self.results)
        if figures == verbatim.words:
            return Prose(verbatim, None)
        return Prose(Text(figures), verbatim)

    def answer(self, request: ModelRequest, shape: type[A]) -> A | None:
        """Read the structured answer of a request, if it is one of this form."""
        raw = self.contents.get(request.response_id) if request.response_id else None
        if raw is None:
            return None
        found = read_answer(read(raw), shape)
        return found if isinstance(found, shape) else None
