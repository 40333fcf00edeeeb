"""The sectors of a file: their taxonomy, its version, and where they come from.

A file without sectors may be joined with a sector map that has a date.  Sub-industries say the
sector of their own taxonomy with them; nothing else is reclassified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from research.domain import Reading
from research.domains.investment.codes import cusip_of_isin, ticker_key
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
_MATCHED_BY: Final = ("isin", "cusip", "sedol", "figi", "ticker")


class UndatedMap(ValueError):
    """A sector map says nothing without the date it was true on."""


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


def joined(reading: Reading, sector_map: Reading, *, dated: str = "") -> Reading:
    """Return a reading whose positions without a sector have the one of a sector map.

    Args:
        reading: of any file with positions.
        sector_map: a reading of kind `sector_map`.
        dated: the date the map was true on, where the map does not state it.

    Raises:
        UndatedMap: neither the map nor the caller states a date.
    """
    date = sector_map.as_of if sector_map.as_of != NOT_STATED else dated
    if not date:
        raise UndatedMap("the sector map states no date; name the date it was true on")
    known = _by_code(sector_map.rows)
    filled, missing = 0, 0
    rows: list[Mapping[str, Any]] = []
    for row in reading.rows:
        if row["class"] != RowClass.POSITION or row["sector"] or row.get("nested_fund"):
            rows.append(row)
            continue
        sector = next((known[key] for key in _keys(row) if key in known), "")
        filled, missing = filled + bool(sector), missing + (not sector)
        rows.append({**row, "sector": sector, "sector_source": "map"} if sector else row)
    return replace(
        reading,
        rows=tuple(rows),
        findings=(
            *reading.findings,
            f"Sectors of {filled} positions come from a sector map of {date}; it does not know {missing}.",
        ),
        summary={
            **reading.summary,
            "taxonomy": taxonomy({row["sector"] for row in rows if row.get("sector")}),
            "sector_taxonomy": sector_map.summary["sector_taxonomy"],
            "sector_version": structure_of(date),
            "sector_source": f"sector map of {date}",
        },
    )


def _by_code(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    known: dict[tuple[str, str], str] = {}
    for row in rows:
        if row["class"] == RowClass.LABEL:
            for key in _keys(row):
                known.setdefault(key, row["sector"])
    return known


def _keys(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what identifies a row, the strongest first."""
    keys = [(role, row[role]) for role in _MATCHED_BY[:-1] if row.get(role)]
    if row.get("isin") and not row.get("cusip") and cusip_of_isin(row["isin"]):
        keys.append(("cusip", cusip_of_isin(row["isin"])))
    if row.get("ticker"):
        keys.append(("ticker", ticker_key(row["ticker"])))
    return keys
