"""Rows stand in one Root, each once, and their handles are dense.

Source: design.md D4, D8.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from audit.proof.evidence import Evidence
from audit.proof.verdict import require


def every_row_belongs_to_this_root(evidence: Evidence) -> int:
    """No row was moved here from another Root."""
    root, record = evidence.root, evidence.record
    tables: dict[str, Sequence[Any]] = {
        "execution": record.children,
        "request": record.requests,
        "plan": record.plans,
        "opening": record.openings,
        "finding": record.findings,
        "tool call": record.tool_calls,
        "offer of the pair": record.offers,
        "pair": record.pairs,
        "message": record.messages,
        "claim": record.claims,
        "disposition": record.dispositions,
        "decision": record.decisions,
        "gap": record.gaps,
        "report": record.reports,
    }
    for name, rows in tables.items():
        for row in rows:
            require(row.root_id == root.id, f"{name} {row.id}", "it is of another Root")
    pair = evidence.pair
    for half in record.half_rounds:
        place = f"half-round {half.round} {half.kind}"
        require(pair is not None and half.pair_id == pair.id, place, "it is of another pair")
    for source in record.sources:
        place = f"source S{source.number}"
        require(source.desk_id == root.desk_id, place, "it is of another desk")
    return sum(map(len, tables.values())) + len(record.half_rounds) + len(record.sources)


def no_row_stands_twice(evidence: Evidence) -> int:
    """Ids are unique; there is one plan, one offer and one pair at most."""
    record = evidence.record
    tables: dict[str, Sequence[Any]] = {
        "execution": record.children,
        "timer": record.timers,
        "request": record.requests,
        "source": record.sources,
        "opening": record.openings,
        "finding": record.findings,
        "tool call": record.tool_calls,
        "half-round": record.half_rounds,
        "message": record.messages,
        "claim": record.claims,
        "move": record.moves,
        "decision": record.decisions,
        "gap": record.gaps,
        "report": record.reports,
    }
    for name, rows in tables.items():
        _unique(name, (row.id for row in rows))
    _unique("request with the act", (row.act for row in record.requests))
    _unique("opening of the child", (row.child_id for row in record.openings))
    _unique("half-round", (f"{row.round} {row.kind}" for row in record.half_rounds))
    _unique("gap", (f"{row.code} {row.subject}".strip() for row in record.gaps))
    roles = [row.role for row in record.children if row.role != "researcher"]
    _unique("execution", roles)
    for name, single in (
        ("plan", record.plans),
        ("offer of the pair", record.offers),
        ("pair", record.pairs),
    ):
        require(len(single) <= 1, name, "there are two of it")
    return sum(map(len, tables.values()))


def handles_are_dense(evidence: Evidence) -> int:
    """S, T, M, C and F are each counted from one without a hole."""
    record = evidence.record
    tables: dict[str, Sequence[Any]] = {
        "source S": record.sources,
        "tool call T": record.tool_calls,
        "message M": record.messages,
        "claim C": record.claims,
        "finding F": record.findings,
    }
    for name, rows in tables.items():
        for expected, number in enumerate(sorted(row.number for row in rows), start=1):
            require(number == expected, f"{name}{expected}", f"{name}{number} stands in its place")
    for expected, report in enumerate(record.reports, start=1):
        require(report.version == expected, f"report {report.version}", "it is out of its order")
    return sum(map(len, tables.values())) + len(record.reports)


def _unique(name: str, keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        require(key not in seen, f"{name} {key}", "it stands twice")
        seen.add(key)
