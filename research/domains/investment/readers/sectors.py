"""The sectors of a file: their taxonomy, its version, and where they come from.

Sub-industries say the sector of their own taxonomy with them; nothing else is reclassified.  A file without
sectors is joined with a dated sector map where figures are computed (`formulas/securities.py`), so that the
map is an input of the result and the reading stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from research.domains.investment.gics import sector_of_sub_industry, structure_of
from research.domains.investment.labels import (
    EQUITIES,
    GICS_TAXONOMY,
    asset_group,
    is_gics,
    taxonomy,
)
from research.domains.investment.readers.rows import Row, RowClass
from research.reading.dates import NOT_STATED

_MOSTLY: Final = 0.8  # so many of the labels make a column one of sub-industries


def labels(rows: Sequence[Row]) -> set[str]:
    """Return the sector labels that classify something: a wrapper's label does not."""
    return {
        row["sector"]
        for row in rows
        if row["class"] == RowClass.POSITION
        and row["sector"]
        and "nested_fund" not in row
        and asset_group(row["asset_class"]) in ("", EQUITIES)
    }


def settle(rows: Sequence[Row], as_of: str, column: str) -> tuple[dict[str, str], list[str]]:
    """Put sectors in the place of sub-industries, and say what the labels of a file are."""
    found = labels(rows)
    if not found:
        return {}, []
    findings: list[str] = []
    name = "GICS" if taxonomy(found) == GICS_TAXONOMY else "as stated in the file"
    known = [
        label for label in found if sector_of_sub_industry(label, as_of) and not is_gics(label)
    ]
    if len(known) >= _MOSTLY * len(found):
        unknown = _rolled_up(rows, as_of)
        name = "GICS, sectors of the stated sub-industries"
        findings.append(
            "The file states GICS sub-industries; their sectors are those of the same structure."
            + (f" Rows whose sub-industry is not known: {unknown}." if unknown else "")
        )
    told = {
        "sector_taxonomy": name,
        "sector_version": structure_of(as_of) if name.startswith("GICS") else NOT_STATED,
        "sector_source": f"the file, column {column!r}",
    }
    return told, findings


def _rolled_up(rows: Sequence[Row], as_of: str) -> int:
    unknown = 0
    for row in rows:
        if row.get("sector") and not is_gics(row["sector"]):
            sector = sector_of_sub_industry(row["sector"], as_of)
            row["sub_industry"], row["sector"] = row["sector"], sector
            unknown += not sector
    return unknown
