"""Sector maps: securities with their sector and no weight, to be joined with files that carry none."""

from __future__ import annotations

from typing import Final

from research.domain import Reading
from research.domains.investment.codes import stated
from research.domains.investment.gics import structure_of
from research.domains.investment.labels import GICS_TAXONOMY, taxonomy
from research.domains.investment.readers import identity, rows
from research.domains.investment.readers.grid import Grid
from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row, RowClass
from research.domains.investment.readers.sheets import Record
from research.reading.dates import NOT_STATED, iso_date

_DATED: Final = ("date", "date added")


def read(grid: Grid, preamble: Preamble) -> Reading:
    """Read every row of a sector map."""
    found = [
        rows.elsewhere(record, reason) if reason else _label(grid, record)
        for record, reason in grid.rows()
    ]
    labels = [row for row in found if row["class"] == RowClass.LABEL]
    as_of = iso_date(preamble.as_of)
    name = taxonomy({row["sector"] for row in labels})
    not_before = _latest(grid)
    return Reading(
        kind="sector_map",
        reader=f"sector_map_{grid.container}/1",
        as_of=as_of,
        identity={"name": "", "isin": "", "ticker": ""},
        counts={**rows.counts(found), RowClass.LABEL.value: len(labels)},
        findings=(*grid.findings, *_findings(as_of, not_before)),
        rows=tuple(found),
        summary={
            "recognised_as": "a sector map (securities with their sector)",
            "taxonomy": name,
            "sector_taxonomy": "GICS" if name == GICS_TAXONOMY else "as stated in the file",
            "sector_version": structure_of(as_of),
            "sector_source": f"the file, column {grid.cell(grid.header, 'sector')!r}",
            **({"not_before": not_before} if not_before else {}),
            **rows.places(grid, found),
        },
    )


def _label(grid: Grid, record: Record) -> Row:
    codes = identity.codes(grid, record)
    sector = stated(grid.cell(record, "sector"))
    if not any(codes.values()) or not sector:
        said = "it has no sector" if any(codes.values()) else "it has no code"
        return rows.words_only(record, RowClass.REJECTED, said)
    row: Row = {
        "row": record.row,
        "class": RowClass.LABEL.value,
        "name": grid.cell(record, "name"),
        **codes,
        "sector": sector,
    }
    sub = stated(grid.cell(record, "sub_sector"))
    return row | ({"sub_industry": sub} if sub else {})


def _latest(grid: Grid) -> str:
    """Return the latest date of a column that says when a security was added, "" where there is none."""
    places = [at for at, cell in enumerate(grid.header.cells) if cell.casefold() in _DATED]
    dates = {
        iso_date(record.cells[at])
        for record in grid.body()
        for at in places
        if at < len(record.cells)
    } - {NOT_STATED}
    return max(dates, default="")


def _findings(as_of: str, not_before: str) -> list[str]:
    if as_of != NOT_STATED:
        return []
    said = f" Its latest entry is of {not_before}, so it is not older." if not_before else ""
    return [
        "The sector map does not state its date, so no figure takes a sector from it. A line "
        "`As of,YYYY-MM-DD` above its header states one." + said
    ]
