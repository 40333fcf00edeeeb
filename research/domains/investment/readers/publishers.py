"""Publishers whose files are known: what their tables leave unsaid.

A publisher is told by the words of his header and of the lines above it, never by a file's name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.preamble import Preamble


@dataclass(frozen=True, slots=True)
class Publisher:
    """What is known of a publisher's files.

    Args:
        month_first: he writes 01/13/2023; None where it is not known.
        unit: of his weights, where the header does not say it.
        of_derivatives: what is to be known of his derivative rows.
    """

    name: str
    recognises: Callable[[frozenset[str], Preamble], bool]
    unit: str = ""
    month_first: bool | None = None
    of_derivatives: str = ""


def _ishares(header: frozenset[str], preamble: Preamble) -> bool:
    return {
        "notional value",
        "accrual date",
        "market currency",
    } <= header and preamble.names_a_fund


def _ssga_us(header: frozenset[str], preamble: Preamble) -> bool:
    return {
        "identifier",
        "sedol",
        "shares held",
        "local currency",
    } <= header and preamble.names_a_fund


def _ssga_ucits(header: frozenset[str], preamble: Preamble) -> bool:
    return {
        "percent of fund",
        "base market value",
        "trade country name",
    } <= header and preamble.names_a_fund


def _invesco(header: frozenset[str], preamble: Preamble) -> bool:  # noqa: ARG001 - one signature for all
    return {"fund ticker", "holding ticker", "class of shares"} <= header


def _csi(header: frozenset[str], preamble: Preamble) -> bool:  # noqa: ARG001
    return {"指数代码 index code", "成份券代码constituent code"} <= header


def _vanguard(header: frozenset[str], preamble: Preamble) -> bool:  # noqa: ARG001
    return {"mktvalpercent", "bticker", "issuetypename"} <= header


def _own(header: frozenset[str], preamble: Preamble) -> bool:  # noqa: ARG001
    return "fund" in preamble.values


PUBLISHERS: Final = (
    Publisher("iShares holdings download", _ishares, "percent"),
    Publisher("State Street (US) daily holdings", _ssga_us, "percent"),
    Publisher("State Street (UCITS) daily holdings", _ssga_ucits, "percent"),
    Publisher("Invesco holdings download", _invesco, "percent", month_first=True),
    Publisher("China Securities Index closing weights", _csi, "percent"),
    Publisher(
        "Vanguard portfolio holdings",
        _vanguard,
        "percent",
        of_derivatives="The publisher states the notional of futures as their market value and weight.",
    ),
)
_GENERIC: Final = Publisher("holdings of a fund", _own)
_BY_HEADER: Final = Publisher("holdings of a fund, by the words of its header", lambda *_: True)


def is_known(grid: Grid, preamble: Preamble) -> bool:
    """Whether the table is one that a known publisher makes."""
    return publisher_of(grid, preamble) in PUBLISHERS


def publisher_of(grid: Grid, preamble: Preamble) -> Publisher:
    """Return whose file this is; the last one stands for everybody else."""
    header = frozenset(" ".join(cell.casefold().split()) for cell in grid.header.cells)
    found = next((each for each in PUBLISHERS if each.recognises(header, preamble)), None)
    if found:
        return found
    return _GENERIC if preamble.names_a_fund else _BY_HEADER
