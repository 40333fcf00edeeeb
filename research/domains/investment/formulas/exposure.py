"""What one line of a portfolio is made of, in percent of that line.

A fund whose holdings are known is its rows; anything else is itself.  What a file does not say
stays unclassified: the missing part of a sum below 100, funds inside the fund, rows without
a label.

Source: design.md D16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from research.domains.investment.codes import fund_like, name_key
from research.domains.investment.formulas.securities import Found, SecurityIndex
from research.domains.investment.labels import (
    BONDS,
    CASH,
    COMMODITIES,
    DERIVATIVES,
    EQUITIES,
    UNCLASSIFIED,
    asset_group,
    is_gics,
    sector_bucket,
)
from research.domains.investment.matching import Fund
from research.domains.investment.positions import Holding, Line

WHOLE: Final = Decimal(100)
_OWN_SECTOR_BUCKET: Final = frozenset({BONDS, CASH, COMMODITIES, DERIVATIVES})
_CLASS_BUCKET: Final = {"cash": CASH, "derivative": DERIVATIVES}


class Dimension(StrEnum):
    """What weights are added up by."""

    SECTOR = "sector"
    ASSET_CLASS = "asset_class"
    SECURITY = "security"


class Bucket(NamedTuple):
    """Where a weight goes; `known` is false where the files do not say what it is."""

    key: str
    label: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class Exposure:
    """One line, in percent of itself.

    Shape:
        shares: bucket → percent of the line
        seen_pct: the part that is held directly or whose holdings are listed
        used: handles of the sources the shares rest on, the portfolio aside
    """

    shares: Mapping[Bucket, Decimal]
    seen_pct: Decimal
    used: frozenset[str] = field(default_factory=frozenset)


NO_LABEL: Final = Bucket(UNCLASSIFIED, UNCLASSIFIED, known=False)


def exposure_of(
    fund: Fund, rows: Sequence[Holding], dimension: Dimension, index: SecurityIndex
) -> Exposure:
    """Return what a line, or a fund that is not held yet, is made of; `rows` are its holdings."""
    if fund.source:
        return _of_holdings(fund.source.handle, fund.name, rows, dimension, index)
    if fund.line is None:
        raise ValueError("a fund has a line, holdings, or both")
    return _of_line(fund.line, dimension, index)


def _of_holdings(
    handle: str, name: str, rows: Sequence[Holding], dimension: Dimension, index: SecurityIndex
) -> Exposure:
    place = _PLACES[dimension]
    shares: defaultdict[Bucket, Decimal] = defaultdict(Decimal)
    total = nested = Decimal(0)
    for row in rows:
        shares[place(row, index)] += row.weight_pct
        total += row.weight_pct
        if row.nested_fund:
            nested += abs(row.weight_pct)
    missing = max(WHOLE - total, Decimal(0))
    if missing:
        shares[_missing(name, dimension)] += missing
    return Exposure(
        shares=shares,
        seen_pct=max(WHOLE - missing - nested, Decimal(0)),
        used=frozenset({handle}),
    )


def _missing(name: str, dimension: Dimension) -> Bucket:
    if dimension is Dimension.SECURITY:
        label = f"(not listed in the holdings of {name})"
        return Bucket(label, label, known=False)
    return NO_LABEL


def _sector_of_row(row: Holding, index: SecurityIndex) -> Bucket:  # noqa: ARG001 - one signature for all dimensions
    if row.row_class in _CLASS_BUCKET:
        return _labelled(_CLASS_BUCKET[row.row_class])
    if row.nested_fund:
        return NO_LABEL
    group = asset_group(row.asset_class)
    if group in _OWN_SECTOR_BUCKET:
        return _labelled(group)
    return _labelled(sector_bucket(row.sector)) if row.sector else NO_LABEL


def _asset_class_of_row(row: Holding, index: SecurityIndex) -> Bucket:  # noqa: ARG001
    if row.row_class in _CLASS_BUCKET:
        return _labelled(_CLASS_BUCKET[row.row_class])
    if row.nested_fund:
        return NO_LABEL
    label = asset_group(row.asset_class) or row.asset_class
    if not label and is_gics(row.sector):
        label = EQUITIES  # GICS classifies companies by their shares
    return _labelled(label) if label else NO_LABEL


def _security_of_row(row: Holding, index: SecurityIndex) -> Bucket:
    if row.row_class in _CLASS_BUCKET:
        return Bucket(
            f"{row.row_class}:{name_key(row.name) or row.ticker}", row.name or row.ticker
        )
    key = index.key(row.isin, row.ticker, row.name, row.asset_class)
    return Bucket(key, index.label(key, row.name or row.ticker or row.isin), not row.nested_fund)


_PLACES: Final[Mapping[Dimension, Callable[[Holding, SecurityIndex], Bucket]]] = {
    Dimension.SECTOR: _sector_of_row,
    Dimension.ASSET_CLASS: _asset_class_of_row,
    Dimension.SECURITY: _security_of_row,
}


def _of_line(line: Line, dimension: Dimension, index: SecurityIndex) -> Exposure:
    """Return a line without holdings: cash, a security held directly, or a closed fund."""
    found = None if fund_like(line.name, line.asset_class) else index.find(line.isin, line.ticker)
    if dimension is Dimension.SECTOR:
        bucket = _sector_of_line(line, found)
    elif dimension is Dimension.ASSET_CLASS:
        label = asset_group(line.asset_class) or line.asset_class
        bucket = _labelled(label) if label else NO_LABEL
    else:
        bucket = _security_of_line(line, found, index)
    by_index = found is not None and not line.sector and dimension is not Dimension.ASSET_CLASS
    return Exposure(
        shares={bucket: WHOLE},
        seen_pct=WHOLE if _direct(line, found) else Decimal(0),
        used=frozenset({found.handle}) if found and by_index else frozenset(),
    )


def _sector_of_line(line: Line, found: Found | None) -> Bucket:
    group = asset_group(line.asset_class)
    if group in _OWN_SECTOR_BUCKET:
        return _labelled(group)
    if line.sector:
        return _labelled(sector_bucket(line.sector))
    return _labelled(sector_bucket(found.sector)) if found and found.sector else NO_LABEL


def _security_of_line(line: Line, found: Found | None, index: SecurityIndex) -> Bucket:
    if line.row_class in _CLASS_BUCKET:
        return Bucket(f"{line.row_class}:{name_key(line.name)}", line.name)
    key = index.key(line.isin, line.ticker, line.name, line.asset_class)
    if _direct(line, found):
        return Bucket(key, index.label(key, line.name))
    return Bucket(f"closed:{key}", f"{line.name} (not looked through)", known=False)


def _direct(line: Line, found: Found | None) -> bool:
    """Whether a line is no fund: cash, a listed holding of some fund, or said to be a security."""
    if line.row_class in _CLASS_BUCKET:
        return True
    if fund_like(line.name, line.asset_class):
        return False
    return found is not None or bool(line.sector)


def _labelled(label: str) -> Bucket:
    return Bucket(label.casefold(), label)
