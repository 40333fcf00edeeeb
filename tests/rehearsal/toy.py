"""A toy portfolio with tools that return what the investment domain's tools return."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

DOES_NOT_SHOW = "This does not show whether the total volatility rises or falls."


@dataclass(frozen=True)
class Fund:
    """A fund with its shares by bucket, and its weight in the portfolio (0 for a candidate)."""

    name: str
    weight: str
    buckets: Mapping[str, str]
    asset_class: str = "Equity"


def list_sources(funds: list[Fund]) -> dict[str, Any]:
    held = [fund for fund in funds if Decimal(fund.weight)]
    return {
        "sources": [],
        "lines": [
            {
                "line": number,
                "name": fund.name,
                "isin": "",
                "ticker": "",
                "weight_pct": fund.weight,
                "asset_class": fund.asset_class,
                "holdings": f"S{number + 1}",
            }
            for number, fund in enumerate(held, start=1)
        ],
        "candidates": [
            {"name": fund.name, "isin": "", "ticker": "", "asset_class": "", "holdings": "S9"}
            for fund in funds
            if not Decimal(fund.weight)
        ],
    }


def look_through(funds: list[Fund], arguments: Mapping[str, str]) -> dict[str, Any]:
    points = Decimal(arguments["points"])
    chosen = next((fund for fund in funds if fund.name == arguments["fund"]), None)
    if arguments["fund"] and chosen is None:
        return {"error": "unknown_fund"}
    if chosen is None:
        points = Decimal(0)
    before = {fund.name: Decimal(fund.weight) for fund in funds}
    after = {name: weight * (100 - points) / 100 for name, weight in before.items()}
    if chosen is not None:
        after[chosen.name] += points
    first, then = _by_bucket(funds, before), _by_bucket(funds, after)
    rows = [
        {
            "bucket": name,
            "before_pct": _pct(first[name]),
            "after_pct": _pct(then[name]),
            "change_points": _pct(then[name] - first[name]),
        }
        for name in sorted(then, key=lambda name: -then[name])
    ]
    focus = max(rows, key=lambda row: Decimal(row["change_points"]))
    return {
        "formula": "look_through/1",
        "dimension": arguments["dimension"],
        "change": {
            "fund": chosen.name if chosen else "",
            "points": _pct(points),
            "funding": arguments["funding"],
        },
        **focus,
        "rows": rows,
        "lines": {"before": _measures(before), "after": _measures(after)},
        "level": {"before": _measures(first), "after": _measures(then)},
        "coverage": {"looked_through_pct": "100.00", "classified_pct": "100.00"},
        "does_not_show": DOES_NOT_SHOW,
    }


def _by_bucket(funds: list[Fund], weights: Mapping[str, Decimal]) -> dict[str, Decimal]:
    total: dict[str, Decimal] = defaultdict(Decimal)
    for fund in funds:
        for bucket, share in fund.buckets.items():
            total[bucket] += weights[fund.name] * Decimal(share) / 100
    return dict(total)


def _measures(weights: Mapping[str, Decimal]) -> dict[str, str]:
    held = [weight / 100 for weight in weights.values() if weight]
    hhi = sum((weight * weight for weight in held), Decimal(0))
    return {"count": str(len(held)), "hhi": f"{hhi:.5f}", "effective_n": f"{1 / hhi:.2f}"}


def _pct(value: Decimal) -> str:
    return f"{value:.2f}"
