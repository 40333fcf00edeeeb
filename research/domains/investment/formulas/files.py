"""What the holdings files say, each read once: the shares of a fund's own rows, and the funds among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from research.domains.investment.formulas.buckets import PLACES, Bucket, Dimension
from research.domains.investment.formulas.securities import SecurityIndex
from research.domains.investment.matching import FundIndex
from research.domains.investment.positions import Holding


@dataclass(slots=True)
class OwnRows:
    """The rows of one holdings file in one dimension, funds among them set apart.

    Shape:
        shares: bucket → percent of the fund, long and short positions added up
        shorts: bucket → percent of the fund, the short positions alone, below 0
        placed: the bucket of each row that is no fund of `nested`
        numbers: the number of each of these rows
        nested: row of a fund whose holdings are known → handle of that file
        maps: handles of the sector maps that gave a row its sector

    Units:
        total_pct: percent of the fund, all rows added up
        closed_pct: percent of the fund in funds without holdings, signs aside
        below_pct: percent of the fund, the most that rows such as "<0.01 %" can add
    """

    shares: dict[Bucket, Decimal] = field(default_factory=dict)
    shorts: defaultdict[Bucket, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    placed: list[Bucket] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    nested: list[tuple[Holding, str]] = field(default_factory=list)
    maps: set[str] = field(default_factory=set)
    total_pct: Decimal = Decimal(0)
    closed_pct: Decimal = Decimal(0)
    below_pct: Decimal = Decimal(0)

    def rows_of(self, bucket: Bucket) -> list[int]:
        """Return the numbers of the rows of a bucket; few are asked for, so that none are kept by bucket."""
        pairs = zip(self.placed, self.numbers, strict=True)
        return [number for placed, number in pairs if placed == bucket]


class FileFacts(NamedTuple):
    """What a holdings file says of itself."""

    name: str
    as_of: str


class Files:
    """All holdings files of one computation, in one dimension."""

    def __init__(
        self,
        dimension: Dimension,
        rows: Mapping[str, tuple[Holding, ...]],
        facts: Mapping[str, FileFacts],
        index: SecurityIndex,
        funds: FundIndex,
    ) -> None:
        """Keep the rows and facts of each file by its handle."""
        self.dimension = dimension
        self.facts = facts
        self.index = index
        self._rows = rows
        self._funds = funds
        self._own: dict[str, OwnRows] = {}

    def own(self, handle: str) -> OwnRows:
        """Return the rows of one file, added up once."""
        if handle not in self._own:
            self._own[handle] = self._added_up(handle)
        return self._own[handle]

    def _added_up(self, handle: str) -> OwnRows:
        own = OwnRows()
        place, index, inner_of = PLACES[self.dimension], self.index, self._funds.of_row
        shares, placed, numbers = own.shares, own.placed, own.numbers
        by_sector = self.dimension is Dimension.SECTOR
        for stated in self._rows[handle]:
            row = stated
            weight = row.weight_pct
            if row.below_pct:
                own.below_pct += row.below_pct
            inner = inner_of(row) if weight and (row.nested_fund or row.isin) else ""
            if inner:
                own.nested.append((row, inner))
                continue
            if by_sector and not row.sector and (mapped := index.mapped(row)):
                own.maps.add(mapped.handle)
                row = row._replace(sector=mapped.sector)
            bucket = place(row, index)
            held = shares.get(bucket)
            shares[bucket] = weight if held is None else held + weight
            placed.append(bucket)
            numbers.append(row.row)
            if weight < 0:
                own.shorts[bucket] += weight
            if row.nested_fund:
                own.closed_pct += abs(weight)
        own.total_pct = sum(shares.values(), Decimal(0))
        own.total_pct += sum((row.weight_pct for row, _ in own.nested), Decimal(0))
        return own
