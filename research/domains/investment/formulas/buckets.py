"""Where one row, or one line without holdings, is added up: its sector, asset class or security.

What a file does not say has a bucket that is not known.  The label of a fund inside a fund is the
wrapper's and classifies nothing.

Source: design.md D16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from research.domains.investment.positions import Holding, Line

_OWN_SECTOR_BUCKET: Final = frozenset({BONDS, CASH, COMMODITIES, DERIVATIVES})
CLASS_BUCKET: Final[Mapping[str, str]] = {"cash": CASH, "derivative": DERIVATIVES}


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


NO_LABEL: Final = Bucket(UNCLASSIFIED, UNCLASSIFIED, known=False)


def missing_bucket(name: str, dimension: Dimension) -> Bucket:
    """Return where the part of a fund goes that its file does not list."""
    if dimension is Dimension.SECURITY:
        label = f"(not listed in the holdings of {name})"
        return Bucket(label, label, known=False)
    return NO_LABEL


def bucket_of_line(
    line: Line, found: Found | None, dimension: Dimension, index: SecurityIndex
) -> Bucket:
    """Return where a line without holdings goes; `found` is what other files say of it."""
    if dimension is Dimension.SECTOR:
        return _sector_of_line(line, found)
    if dimension is Dimension.ASSET_CLASS:
        label = asset_group(line.asset_class) or line.asset_class
        return _labelled(label) if label else NO_LABEL
    return _security_of_line(line, found, index)


def held_directly(line: Line, found: Found | None) -> bool:
    """Whether a line is no fund: cash, a listed holding of some fund, or said to be a security."""
    if line.row_class in CLASS_BUCKET:
        return True
    if fund_like(line.name, line.asset_class):
        return False
    return found is not None or bool(line.sector)


def _sector_of_row(row: Holding, index: SecurityIndex) -> Bucket:  # noqa: ARG001 - one signature for all dimensions
    if row.row_class in CLASS_BUCKET:
        return _labelled(CLASS_BUCKET[row.row_class])
    if row.nested_fund:
        return NO_LABEL
    group = asset_group(row.asset_class)
    if group in _OWN_SECTOR_BUCKET:
        return _labelled(group)
    return _labelled(sector_bucket(row.sector)) if row.sector else NO_LABEL


def _asset_class_of_row(row: Holding, index: SecurityIndex) -> Bucket:  # noqa: ARG001
    if row.row_class in CLASS_BUCKET:
        return _labelled(CLASS_BUCKET[row.row_class])
    if row.nested_fund:
        return NO_LABEL
    label = asset_group(row.asset_class) or row.asset_class
    if not label and is_gics(row.sector):
        label = EQUITIES  # GICS classifies companies by their shares
    return _labelled(label) if label else NO_LABEL


def _security_of_row(row: Holding, index: SecurityIndex) -> Bucket:
    if row.row_class in CLASS_BUCKET:
        return Bucket(
            f"{row.row_class}:{name_key(row.name) or row.ticker}", row.name or row.ticker
        )
    key = index.key(row.isin, row.ticker, row.name, row.asset_class, row.codes)
    return Bucket(key, index.label(key, row.name or row.ticker or row.isin), not row.nested_fund)


# Where a row of a holdings file goes.
PLACES: Final[Mapping[Dimension, Callable[[Holding, SecurityIndex], Bucket]]] = {
    Dimension.SECTOR: _sector_of_row,
    Dimension.ASSET_CLASS: _asset_class_of_row,
    Dimension.SECURITY: _security_of_row,
}


def _sector_of_line(line: Line, found: Found | None) -> Bucket:
    group = asset_group(line.asset_class)
    if group in _OWN_SECTOR_BUCKET:
        return _labelled(group)
    if line.sector:
        return _labelled(sector_bucket(line.sector))
    return _labelled(sector_bucket(found.sector)) if found and found.sector else NO_LABEL


def _security_of_line(line: Line, found: Found | None, index: SecurityIndex) -> Bucket:
    if line.row_class in CLASS_BUCKET:
        return Bucket(f"{line.row_class}:{name_key(line.name)}", line.name)
    key = index.key(line.isin, line.ticker, line.name, line.asset_class)
    if held_directly(line, found):
        return Bucket(key, index.label(key, line.name))
    return Bucket(f"closed:{key}", f"{line.name} (not looked through)", known=False)


def _labelled(label: str) -> Bucket:
    return Bucket(label.casefold(), label)
