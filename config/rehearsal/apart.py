"""What a side does with material that the other may not read: it tells Main, and argues from what both may.

In an exchange it first rests on what it may read itself.  Where no message came of that, it argues from the
files that both read: what a fund holds, and how the portfolio's share follows from it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from config.rehearsal import figures, lookup, stance, telling, words
from config.rehearsal.figures import Figure
from config.rehearsal.lookup import Call, Entry
from config.rehearsal.request import Claim, Request, ToolRecord

_ROWS = 100
_ROUND = re.compile(r"round ([1-9])")
FORMULA = (
    "The portfolio's share of a sector is the sum, over its lines, of line weight times the fund's share "
    "of that sector"
)


def research(request: Request) -> dict[str, Any]:
    """Report to Main what the figures show that only this side may read."""
    reading = figures.seen(request)
    if reading is None:
        return {
            "finding": "Nothing in this material gives a figure for the question.",
            "evidence": [],
            "unknown": ["What the change does to the portfolio on look-through: no data."],
        }
    told = [telling.proposal(request.question, reading), telling.facts(reading)]
    return {
        "finding": " ".join(told),
        "evidence": reading.evidence,
        "unknown": telling.open_points(reading),
    }


def next_call(request: Request) -> Call | None:
    """Return the call that a challenge without figures needs, or None."""
    if request.purpose != "challenge" or figures.seen(request) is not None:
        return None
    listings = request.results_of("list_sources")
    if not listings or _has_lines(listings[-1]):
        return None
    if not _was_refused(request):
        again = "list_sources" in request.offered and len(listings) == 1
        return Call("list_sources", {}) if again else None
    fund = _fund(request, listings[-1])
    if fund is None or "read_source" not in request.offered or request.results_of("read_source"):
        return None
    return Call("read_source", {"source": fund.holdings, "offset": 0, "limit": _ROWS})


def challenge(request: Request) -> dict[str, Any] | None:
    """Challenge from what both sides may read, where a message on other material did not come through."""
    read = request.results_of("read_source")
    targets = [one for one in request.claims_of("bull") if one.status != "CONCEDED"]
    if not (_was_refused(request) and read and targets):
        return None
    largest = _largest_sector(read[-1].result)
    if largest is None:
        return None
    return _message(request, read[-1], largest, targets)


def _message(
    request: Request, record: ToolRecord, largest: tuple[str, Decimal], targets: list[Claim]
) -> dict[str, Any]:
    sector, share = largest
    chosen = [one for one in targets if stance.rests_on_premise(one, request.question)]
    about = [one.handle for one in (chosen or targets[:1])][:8]
    source = words.clip(str(record.result.get("source", "")), 10)
    counter = f"The fund of {source} holds {share:f} % in {sector}"
    text = (
        f"I challenge {words.listed(about)} from the files that both sides read. {counter}. {FORMULA}: every "
        f"point that goes into this fund brings {share:f} % of itself into {sector}."
    )
    return {
        "kind": "challenge",
        "claims": about,
        "text": text,
        "counter_quote": counter,
        "evidence": [record.handle],
        "does_not_establish": "What the portfolio holds today, before any change.",
        "checked": [],
        "unknown": [],
    }


def _was_refused(request: Request) -> bool:
    """Whether a round is over without a message of one's own: then none came through."""
    found = _ROUND.match(request.round)
    mine = any(one.author == request.role for one in request.messages)
    return found is not None and int(found[1]) > 1 and not mine


def _has_lines(listing: ToolRecord) -> bool:
    return any(entry.line for entry in lookup.listed_entries(listing.result))


def _fund(request: Request, listing: ToolRecord) -> Entry | None:
    funds = [entry for entry in lookup.listed_entries(listing.result) if entry.holdings]
    return lookup.best_match(request.question, funds) or next(iter(funds), None)


def _largest_sector(result: Mapping[str, Any]) -> tuple[str, Decimal] | None:
    rows = result.get("rows")
    shares: defaultdict[str, Decimal] = defaultdict(Decimal)
    if result.get("next_offset") is not None:
        return None  # not all of it was read
    for row in rows if isinstance(rows, list) else ():
        sector = row.get("sector") if isinstance(row, dict) else None
        weight = Figure.read(row.get("weight_pct")) if sector else None
        if weight is not None:
            shares[words.clip(str(sector), 60)] += weight.value
    return max(shares.items(), key=lambda item: item[1], default=None)
