"""Which layout reads a table: a list of transactions is refused, a sector map is no holdings.

A table that names neither is told by what it lists: funds are lines of a portfolio, and so are positions with
quantities and costs; anything else is what one fund holds, and the file is said not to name it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from research.domain import Reading
from research.domains.investment.codes import fund_like
from research.domains.investment.readers import (
    broker,
    issuer,
    portfolio,
    sector_map,
    shapes,
    transactions,
)
from research.domains.investment.readers.columns import HeaderKind
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.preamble import Preamble

_MANY_LINES: Final = 100  # few portfolios of a person have more
_FEW_FUNDS: Final = 0.1
_HALF: Final = 0.5
_OF_A_PERSON: Final = frozenset({"cost", "gain", "account"})
_CODES: Final = frozenset({"isin", "ticker", "code", "cusip", "sedol", "figi"})


def read(found: Grid, preamble: Preamble, raw: bytes) -> Reading:
    """Read a table with the layout it has.

    Raises:
        Unreadable: transactions, or what the layout refuses.
    """
    table = shapes.completed(found)
    if table.kind is HeaderKind.TRANSACTIONS:
        raise transactions.refuse(table, raw)
    if table.kind is HeaderKind.SECTORS:
        return sector_map.read(table, preamble)
    if table.kind is HeaderKind.VALUES:
        return broker.read(table, preamble)
    if issuer.recognises(table, preamble):
        return issuer.read(table, preamble)
    share, lines = _funds(table)
    if portfolio.recognises(table, preamble):
        few = lines <= _MANY_LINES or share >= _FEW_FUNDS
        of_a_fund = fund_like(preamble.heading) and share < _HALF
        if preamble.names_a_portfolio or (few and not of_a_fund):
            return portfolio.read(table, preamble)
    elif _of_a_person(table, share):
        reading = portfolio.read(table, preamble)
        return replace(
            reading,
            reader=f"generic_{table.container}/1",
            findings=(*reading.findings, _TAKEN_FOR_LINES),
        )
    reading = issuer.read(table, preamble)
    return replace(
        reading,
        reader=f"generic_{table.container}/1",
        findings=(*reading.findings, _TAKEN_FOR_A_FUND),
    )


_TAKEN_FOR_LINES: Final = (
    "The file names neither a fund nor a portfolio; by what it lists it was read as a portfolio."
)
_TAKEN_FOR_A_FUND: Final = (
    "The file names neither a fund nor a portfolio; by what it lists it was read as the "
    "holdings of one fund. To read "
    "it as a portfolio, put a line `Portfolio,<name>` above the header."
)


def _of_a_person(table: Grid, share: float) -> bool:
    return bool(table.columns.keys() & _CODES) and (
        share >= _HALF or bool(table.columns.keys() & _OF_A_PERSON)
    )


def _funds(table: Grid) -> tuple[float, int]:
    """Return which part of the rows are funds, and how many rows there are."""
    funds = count = 0
    for record in table.body():
        if table.cell(record, "weight"):
            count += 1
            funds += fund_like(table.cell(record, "name"), table.cell(record, "asset_class"))
    return (funds / count if count else 0.0), count
