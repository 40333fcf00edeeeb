"""What one line of a portfolio is made of, in percent of that line.

A fund whose holdings are known is its rows, and so are the funds among them, three levels deep: the
line, a fund in it, a fund in that.  Anything else is itself.  What a file does not say stays
unclassified: the missing part of a sum below 100, funds without holdings, rows without a label.

    share of a bucket = Σ rows of the bucket + Σ inner funds: weight of the fund × its share / 100

Source: design.md D16.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Final

from research.domains.investment.codes import fund_like
from research.domains.investment.formulas.buckets import (
    Bucket,
    Dimension,
    bucket_of_line,
    held_directly,
    missing_bucket,
)
from research.domains.investment.formulas.files import Files
from research.domains.investment.matching import Fund
from research.domains.investment.positions import Line
from research.reading.dates import NOT_STATED

WHOLE: Final = Decimal(100)
MAX_DEPTH: Final = 3
_ZERO: Final = Decimal(0)


class FundCycle(ValueError):
    """Funds hold each other in a circle: looking through them has no end; `path` are their handles."""

    def __init__(self, path: tuple[str, ...]) -> None:
        """Keep the way from the first file back to itself."""
        super().__init__(f"these files hold each other: {' → '.join(path)}")
        self.path = path


@dataclass(frozen=True)
class Exposure:
    """One line, in percent of itself.

    Shape:
        shares: bucket → percent of the line, long and short added up
        shorts: bucket → percent of the line, the short positions alone, below 0
        seen_pct: the part that is held directly or whose holdings are listed
        dated: as-of date → percent of the line that rests on it, the oldest file on the way counting
        used: handles of the sources the shares rest on, the portfolio aside
        below_pct: what rows such as "<0.01 %" may add beyond what is missing from the sum
    """

    shares: Mapping[Bucket, Decimal]
    seen_pct: Decimal
    dated: Mapping[str, Decimal]
    shorts: Mapping[Bucket, Decimal] = field(default_factory=dict)
    used: frozenset[str] = frozenset()
    below_pct: Decimal = _ZERO

    @cached_property
    def long_short(self) -> tuple[Decimal, Decimal]:
        """What is long and what is short in it, in percent of the line."""
        short = sum(self.shorts.values(), _ZERO)
        return sum(self.shares.values(), _ZERO) - short, short

    @cached_property
    def unknown(self) -> tuple[Decimal, Decimal]:
        """The percent of the line whose bucket is not known: (negative, positive)."""
        low = sum((self.shorts.get(each, _ZERO) for each in self.shares if not each.known), _ZERO)
        net = sum((share for each, share in self.shares.items() if not each.known), _ZERO)
        return low, net - low + self.below_pct


def exposure_of(fund: Fund, files: Files, as_of: str) -> Exposure:
    """Return what a line, or a fund that is not held yet, is made of.

    Args:
        fund: the line, its holdings file, or both.
        files: all holdings files.
        as_of: date of the portfolio, for what is held directly.

    Raises:
        FundCycle: the funds in it hold each other in a circle.
    """
    if fund.source:
        return _of_file(fund.source.handle, files, ())
    if fund.line is None:
        raise ValueError("a fund has a line, holdings, or both")
    return _of_line(fund.line, files, as_of)


def _of_file(handle: str, files: Files, path: tuple[str, ...]) -> Exposure:
    if handle in path:
        raise FundCycle((*path[path.index(handle) :], handle))
    own = files.own(handle)
    name, as_of = files.facts[handle]
    missing = max(WHOLE - own.total_pct, _ZERO)
    if not own.nested:
        return Exposure(
            shares=_with(own.shares, missing_bucket(name, files.dimension), missing),
            shorts=own.shorts,
            seen_pct=max(WHOLE - missing - own.closed_pct, _ZERO),
            dated={as_of: WHOLE},
            used=frozenset({handle, *own.maps}),
            below_pct=max(own.below_pct - missing, _ZERO),
        )
    return _with_inner_funds(handle, files, (*path, handle), missing)


def _with(
    shares: Mapping[Bucket, Decimal], bucket: Bucket, more: Decimal
) -> Mapping[Bucket, Decimal]:
    return {**shares, bucket: shares.get(bucket, _ZERO) + more} if more else shares


def _with_inner_funds(
    handle: str, files: Files, path: tuple[str, ...], missing: Decimal
) -> Exposure:
    own = files.own(handle)
    name, as_of = files.facts[handle]
    shares = defaultdict(
        Decimal, _with(own.shares, missing_bucket(name, files.dimension), missing)
    )
    shorts = defaultdict(Decimal, own.shorts)
    inner_pct = sum((abs(row.weight_pct) for row, _ in own.nested), _ZERO)
    dated = defaultdict(Decimal, {as_of: max(WHOLE - inner_pct, _ZERO)})
    used, unseen, below = {handle, *own.maps}, own.closed_pct, max(own.below_pct - missing, _ZERO)
    for row, inner in own.nested:
        part = _inner(inner, files, path)
        weight = row.weight_pct
        for bucket, share in part.shares.items():
            short = part.shorts.get(bucket, _ZERO)
            shares[bucket] += weight * share / WHOLE
            shorts[bucket] += weight * (short if weight > 0 else share - short) / WHOLE
        for date, share in part.dated.items():
            dated[_older(as_of, date)] += abs(weight) * share / WHOLE
        used |= part.used
        unseen += abs(weight) * (WHOLE - min(part.seen_pct, WHOLE)) / WHOLE
        below += abs(weight) * part.below_pct / WHOLE
    return Exposure(
        shares=shares,
        shorts=shorts,
        seen_pct=max(WHOLE - missing - unseen, _ZERO),
        dated=dated,
        used=frozenset(used),
        below_pct=below,
    )


def _inner(handle: str, files: Files, path: tuple[str, ...]) -> Exposure:
    """Look through a fund in a fund, or leave it closed where it lies too deep."""
    if len(path) < MAX_DEPTH or handle in path:
        return _of_file(handle, files, path)
    name = files.facts[handle].name
    label = f"{name} (not looked through)"
    bucket = Bucket(f"closed:{handle}", label, known=False)
    if files.dimension is not Dimension.SECURITY:
        bucket = missing_bucket(name, files.dimension)
    return Exposure(
        shares={bucket: WHOLE}, seen_pct=_ZERO, dated={files.facts[path[-1]].as_of: WHOLE}
    )


def _older(one: str, other: str) -> str:
    return NOT_STATED if NOT_STATED in (one, other) else min(one, other)


def _of_line(line: Line, files: Files, as_of: str) -> Exposure:
    """Return a line without holdings: cash, a security held directly, or a closed fund."""
    is_fund = fund_like(line.name, line.asset_class)
    found = None if is_fund else files.index.find(line.isin, line.ticker)
    by_index = (
        found is not None and not line.sector and files.dimension is not Dimension.ASSET_CLASS
    )
    return Exposure(
        shares={bucket_of_line(line, found, files.dimension, files.index): WHOLE},
        seen_pct=WHOLE if held_directly(line, found) else _ZERO,
        dated={as_of: WHOLE},
        used=frozenset({found.handle}) if found and by_index else frozenset(),
    )
