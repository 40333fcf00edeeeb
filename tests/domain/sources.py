"""Build what a tool sees: sources from sample folders, from text, or from rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from research.domain import SourceView, ToolRefused
from research.domains.investment import DOMAIN

SAMPLES = Path(__file__).resolve().parents[2] / "research/domains/investment/samples"
PORTFOLIO_HEADER = "Name,ISIN,Ticker,Weight (%),Asset Class,Sector"
HOLDINGS_HEADER = "Name,ISIN,Ticker,Sector,Asset Class,Weight (%)"
TOOLS = {tool.name: tool for tool in DOMAIN.tools}


def view(handle: str, raw: bytes | str, title: str = "", assigned_to: str = "") -> SourceView:
    """Return one source as a tool sees it."""
    raw = raw.encode() if isinstance(raw, str) else raw
    return SourceView(handle, f"id-{handle}", title, assigned_to, DOMAIN.read(raw, title))


def _portfolio_first(path: Path) -> tuple[bool, str]:
    return path.name != "portfolio.csv", path.name


def sample(folder: str = "") -> list[SourceView]:
    """Return the sources of one sample folder, the portfolio as S1."""
    files = sorted((SAMPLES / folder).glob("*.csv"), key=_portfolio_first)
    return [view(f"S{n}", path.read_bytes(), path.name) for n, path in enumerate(files, start=1)]


def portfolio(*lines: str, header: str = PORTFOLIO_HEADER, above: str = "") -> str:
    """Return the text of a portfolio."""
    return "\n".join([*([above] if above else []), header, *lines]) + "\n"


def fund(
    name: str, *rows: str, isin: str = "", ticker: str = "", as_of: str = "2026-09-30"
) -> str:
    """Return the text of a holdings file in our own layout."""
    above = [f"Fund,{name}", f"ISIN,{isin}", f"Ticker,{ticker}", f"As of,{as_of}", ""]
    return "\n".join([*above, HOLDINGS_HEADER, *rows]) + "\n"


def look(
    sources: Sequence[SourceView],
    fund: str = "",
    points: str = "",
    funding: str = "pro_rata",
    *,
    dimension: str = "sector",
    bucket: str = "",
) -> Mapping[str, Any]:
    """Call `look_through` and return what it shows."""
    arguments = {
        "dimension": dimension,
        "fund": fund,
        "points": points,
        "funding": funding,
        "bucket": bucket,
    }
    return TOOLS["look_through"].run(arguments, sources).shown


def ask(tool: str, sources: Sequence[SourceView], **arguments: Any) -> Mapping[str, Any]:
    """Call any tool and return what it shows."""
    return TOOLS[tool].run(arguments, sources).shown


def refusal(tool: str, arguments: Mapping[str, Any], sources: Sequence[SourceView]) -> ToolRefused:
    """Call a tool that refuses and return the refusal."""
    with pytest.raises(ToolRefused) as refused:
        TOOLS[tool].run(arguments, sources)
    return refused.value


def row_of(shown: Mapping[str, Any], bucket: str) -> Mapping[str, str]:
    """Return the row of one bucket."""
    found: Mapping[str, str] = next(row for row in shown["rows"] if row["bucket"] == bucket)
    return found
