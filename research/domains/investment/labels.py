"""What sector and asset class labels of a file mean.

A label is kept as the file states it; here it gets a bucket.  Only spellings of one and the same
GICS sector are put together, nothing is reclassified.

Source: MSCI and S&P, Global Industry Classification Standard (names of the eleven sectors).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

EQUITIES: Final = "Equities"
BONDS: Final = "Bonds"
CASH: Final = "Cash"
COMMODITIES: Final = "Commodities"
DERIVATIVES: Final = "Derivatives"
MULTI_ASSET: Final = "Multi-asset"
UNCLASSIFIED: Final = "Unclassified"

GICS: Final = (
    "Communication Services",
    "Consumer Discretionary",
    "Consumer Staples",
    "Energy",
    "Financials",
    "Health Care",
    "Industrials",
    "Information Technology",
    "Materials",
    "Real Estate",
    "Utilities",
)
_SPELLINGS: Final = {name.casefold(): name for name in GICS} | {
    "communication": "Communication Services",
    "healthcare": "Health Care",
}

GICS_TAXONOMY: Final = "GICS sector labels as stated in the file"
OTHER_TAXONOMY: Final = "sector labels as stated in the file, not all of them GICS"
NO_TAXONOMY: Final = "no sector labels in the file"

# Looked at in this order: "Equity futures" is a derivative, "Cash and/or Derivatives" may be cash.
_GROUPS: Final = (
    (CASH, re.compile(r"\b(cash|money market|deposits?|liquidity)\b")),
    (
        DERIVATIVES,
        re.compile(r"\b(derivatives?|futures?|forwards?|swaps?|options?|cfds?|fx|warrants?)\b"),
    ),
    (MULTI_ASSET, re.compile(r"\b(multi[- ]?assets?|mixed|balanced|(asset )?allocation)\b")),
    (
        BONDS,
        re.compile(r"\b(bonds?|fixed[- ]income|debt|treasur(y|ies)|notes?|gilts?|bunds?)\b"),
    ),
    (COMMODITIES, re.compile(r"\b(commodit(y|ies)|gold|silver|precious metals?)\b")),
    (
        EQUITIES,
        re.compile(
            r"\b(equit(y|ies)|stocks?|shares?|common|ordinary|reits?|adrs?|gdrs?"
            r"|deposit(o|a)ry receipts?)\b"
        ),
    ),
)


@lru_cache(maxsize=4_096)
def asset_group(label: str) -> str:
    """Return the group an asset class label names, or "" where it names none known."""
    words = label.casefold().replace("_", " ")
    return next((group for group, pattern in _GROUPS if pattern.search(words)), "")


@lru_cache(maxsize=4_096)
def sector_bucket(label: str) -> str:
    """Return the bucket of a sector label: the GICS name if it is one, else the label itself."""
    return _SPELLINGS.get(label.casefold(), label)


def is_gics(label: str) -> bool:
    """Whether the label is one of the eleven GICS sectors."""
    return label.casefold() in _SPELLINGS


def taxonomy(labels: set[str]) -> str:
    """Name the taxonomy of a file from the sector labels of its positions."""
    if not labels:
        return NO_TAXONOMY
    return GICS_TAXONOMY if all(is_gics(label) for label in labels) else OTHER_TAXONOMY
