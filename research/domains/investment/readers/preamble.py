"""What stands above the header row: whose file this is, and of which day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from research.domains.investment.readers.grid import Record

_KEYS: Final = {
    "fund": "fund",
    "fund name": "fund",
    "isin": "isin",
    "ticker": "ticker",
    "ticker symbol": "ticker",
    "fund ticker": "ticker",
    "as of": "as_of",
    "as of date": "as_of",
    "date": "as_of",
    "fund holdings as of": "holdings_as_of",
    "holdings as of": "holdings_as_of",
    "holdings": "holdings_as_of",
    "portfolio": "portfolio",
    "portfolio name": "portfolio",
}


@dataclass(frozen=True, slots=True)
class Preamble:
    """The lines above a header: a heading that stands alone, and known keys with values."""

    heading: str = ""
    values: dict[str, str] = field(default_factory=dict)

    @property
    def names_a_fund(self) -> bool:
        """Whether these lines say that the table holds what one fund holds."""
        return bool(self.values.keys() & {"fund", "holdings_as_of"})

    @property
    def names_a_portfolio(self) -> bool:
        """Whether these lines say that the table is a portfolio."""
        return "portfolio" in self.values

    @property
    def as_of(self) -> str:
        """The text that states the date, as it stands, or ""."""
        return self.values.get("holdings_as_of", "") or self.values.get("as_of", "")


def read_preamble(records: Iterable[Record]) -> Preamble:
    """Read `Key,value` and `Key: value` lines; unknown keys are left alone."""
    heading, values = "", dict[str, str]()
    for record in records:
        filled = record.filled
        if not filled:
            continue
        # An unquoted date such as `As of,Jan 20, 2023` falls into several cells.
        name, value = filled[0], ", ".join(filled[1:])
        if not value:
            name, _, value = name.partition(":")
        key = _KEYS.get(name.strip().rstrip(":").casefold(), "")
        if key and value.strip():
            values.setdefault(key, value.strip())
        elif len(filled) == 1 and not heading:
            heading = filled[0]
    return Preamble(heading, values)
