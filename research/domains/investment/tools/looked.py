"""A look-through of weights before and after a change, with its coverage and the inputs that entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from research.domain import SourceView, ToolRefused
from research.domains.investment import labels
from research.domains.investment.formulas.buckets import Bucket, Dimension
from research.domains.investment.formulas.coverage import Coverage, coverage, newest_of
from research.domains.investment.formulas.exposure import Exposure, FundCycle, exposure_of
from research.domains.investment.formulas.figures import shown
from research.domains.investment.formulas.files import Files
from research.domains.investment.formulas.gates import Stated, gate
from research.domains.investment.formulas.look_through import Side, side
from research.domains.investment.tools.book import Book
from research.domains.investment.tools.change import Weights
from research.domains.investment.tools.ranges import ranges
from research.domains.investment.tools.schema import Code


@dataclass(frozen=True, slots=True)
class Looked:
    """Everything computed for one look-through.

    Shape:
        inputs: the sources whose rows entered the result, the portfolio first
        coverage: the lower of before and after
    """

    files: Files
    weights: Weights
    exposures: tuple[Exposure, ...]
    before: Side
    after: Side
    inputs: tuple[SourceView, ...]
    coverage: Coverage

    @property
    def dimension(self) -> Dimension:
        """What weights are added up by."""
        return self.files.dimension

    @property
    def stated(self) -> Stated:
        """In which form figures of it may be stated."""
        return gate(self.coverage.classified_pct)


def look(book: Book, dimension: Dimension, weights: Weights) -> Looked:
    """Look through the funds of both sides.

    Raises:
        ToolRefused: `fund_cycle`: funds hold each other in a circle.
    """
    files = book.files(dimension)
    own = book.portfolio if weights.of_portfolio else None
    as_of = own.reading.as_of if own else ""
    try:
        exposures = tuple(exposure_of(fund, files, as_of) for fund in weights.funds)
    except FundCycle as cycle:
        raise ToolRefused(Code.FUND_CYCLE, "funds hold each other in a circle") from cycle
    before, after = side(weights.before, exposures), side(weights.after, exposures)
    inputs = _inputs(own, book, weights, exposures)
    newest = newest_of([each.reading.as_of for each in inputs])
    lower = coverage(before, weights.before, exposures, newest).lower(
        coverage(after, weights.after, exposures, newest)
    )
    return Looked(files, weights, exposures, before, after, inputs, lower)


def _inputs(
    own: SourceView | None, book: Book, weights: Weights, exposures: Sequence[Exposure]
) -> tuple[SourceView, ...]:
    used = frozenset().union(
        *(one.used for one, both in zip(exposures, weights.both(), strict=True) if any(both))
    )
    first = (own,) if own else ()
    return (*first, *(each for each in (*book.sources, *book.maps) if each.handle in used))


def shown_inputs(book: Book, inputs: Sequence[SourceView]) -> list[dict[str, str]]:
    """Write each input with its date, the rows that were counted, and whose sectors it states."""
    return [
        {
            "source": each.handle,
            "as_of": each.reading.as_of,
            "rows": ranges(_rows(book, each)),
            **_sectors(each.reading.summary),
        }
        for each in inputs
    ]


def _sectors(summary: Mapping[str, str]) -> dict[str, str]:
    told = [
        summary[key]
        for key in ("sector_taxonomy", "sector_version", "sector_source")
        if summary.get(key)
    ]
    return {"sectors": "; ".join(told)} if told else {}


def _rows(book: Book, source: SourceView) -> Iterator[int]:
    if source is book.portfolio:
        return (line.row for line in book.lines)
    if source.handle in book.rows:
        return (row.row for row in book.rows[source.handle])
    return (row["row"] for row in source.reading.rows if row.get("sector"))


def rows_of_bucket(looked: Looked, bucket: Bucket) -> list[dict[str, str]]:
    """Write which rows of which holdings file make up a bucket."""
    found = []
    for source in looked.inputs:
        if source.handle not in looked.files.facts:
            continue  # the portfolio
        rows = looked.files.own(source.handle).rows_of(bucket)
        if rows:
            found.append({"source": source.handle, "rows": ranges(rows)})
    return found


def taxonomy_of(dimension: Dimension, inputs: Sequence[SourceView]) -> str:
    """Say whose labels a look-through adds up by."""
    if dimension is Dimension.ASSET_CLASS:
        return "asset classes as stated in the files, put into groups"
    if dimension is Dimension.SECURITY:
        return "securities by ISIN, else ticker, else name as stated in the files"
    stated = {each.reading.summary.get("taxonomy", "") for each in inputs}
    stated -= {labels.NO_TAXONOMY, ""}
    if labels.OTHER_TAXONOMY in stated:
        return labels.OTHER_TAXONOMY
    return labels.GICS_TAXONOMY if stated else labels.NO_TAXONOMY


def notes_of(looked: Looked) -> list[str]:
    """Say what was assumed where the files leave a choice."""
    notes = []
    own = [
        looked.files.own(each.handle)
        for each in looked.inputs
        if each.handle in looked.files.facts
    ]
    inner = sorted({handle for one in own for _, handle in one.nested})
    if inner:
        notes.append(f"Funds in funds were looked through to depth 3: {', '.join(inner)}.")
    if any(bucket.label == labels.DERIVATIVES for bucket in looked.after.buckets):
        notes.append(
            "Derivatives count with the weight their file states, not with their notional."
        )
    by_name = Decimal(0)
    if looked.dimension is Dimension.SECURITY:
        buckets = looked.after.buckets.items()
        by_name = sum(
            (abs(weight) for each, weight in buckets if each.key[:5] == "name:"), by_name
        )
    if by_name:
        notes.append(
            f"Identified by name alone, without a code: {shown(by_name)} % of the weight."
        )
    if looked.after.short_pct or looked.before.short_pct:
        notes.append("Short positions are subtracted: figures by bucket are net.")
    return notes
