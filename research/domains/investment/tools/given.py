"""Figures that a caller puts into a computation: a source holds them, or they are said to be assumed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from research.domain import SourceView, ToolRefused
from research.domains.investment.tools.schema import Code

_NUMBER: Final = re.compile(r"(?<![\d.,])[+-]?\d{1,15}(?:[.,]\d{1,12})?(?![\d.,]*\d)")
ASSUMED: Final = "stated in the call, in no source"
SOURCE_ARGUMENT: Final = 'Handle of the source that states it; "" where no source does.'


class Citable:
    """The sources a caller may cite; the numbers of each are read once."""

    def __init__(self, sources: Sequence[SourceView]) -> None:
        """Keep the sources that the caller may read."""
        self._sources = {each.handle: each for each in sources}
        self._numbers: dict[str, frozenset[Decimal]] = {}

    def origin(self, value: Decimal, handle: str) -> SourceView | None:
        """Return the source that is cited for a figure, None where none is.

        Raises:
            ToolRefused: `unknown_source`: no source has this handle; `not_in_source`: it is not in it.
        """
        if not handle:
            return None
        source = self._sources.get(handle)
        if source is None:
            raise ToolRefused(Code.UNKNOWN_SOURCE, "no source you may read has this handle")
        if handle not in self._numbers:
            self._numbers[handle] = frozenset(_numbers(source))
        if value not in self._numbers[handle]:
            raise ToolRefused(Code.NOT_IN_SOURCE, "the cited source does not hold this figure")
        return source


def shown_origin(source: SourceView | None) -> str:
    """Write where a figure comes from."""
    return source.handle if source else ASSUMED


def _numbers(source: SourceView) -> Iterator[Decimal]:
    """Yield every number that stands in the rows or the summary of a source."""
    for values in (*source.reading.rows, source.reading.summary):
        for value in values.values():
            if isinstance(value, str):
                for found in _NUMBER.findall(value):
                    yield Decimal(found.replace(",", "."))
