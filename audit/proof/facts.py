"""Rows and receipts say the same: no row without its receipt, no receipt without its row.

Source: design.md D4, D18; scenarios.md, the oracle 2 and 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from audit.proof import dialogue_facts, runtime_facts
from audit.proof.evidence import Evidence
from audit.proof.reading import Fact
from audit.proof.runtime_facts import Expected
from audit.proof.verdict import Bad, Unknown, require
from audit.proof.vocabulary import WITHOUT_A_ROW

FACTS: tuple[Callable[[Evidence], Iterator[Expected]], ...] = (
    runtime_facts.of_the_root,
    runtime_facts.of_the_executions,
    runtime_facts.of_the_requests,
    runtime_facts.of_the_research,
    runtime_facts.of_what_came_beside,
    dialogue_facts.of_the_pair,
    dialogue_facts.of_the_half_rounds,
    dialogue_facts.of_the_messages,
    dialogue_facts.of_the_register,
    dialogue_facts.of_the_synthesis,
    dialogue_facts.of_the_decisions,
    dialogue_facts.of_the_end,
)


def every_row_has_its_receipt(evidence: Evidence) -> int:
    """Each row's receipt stands in the chain and says what the row says."""
    count = 0
    for expected in _expected(evidence):
        fact = evidence.fact(expected.kind, expected.act)
        if fact is None:
            raise Bad(expected.place, f"it has no receipt {expected.kind}")
        _compare(expected, fact)
        count += 1
    return count


def every_receipt_has_its_row(evidence: Evidence) -> int:
    """Each receipt that a row must stand behind has one."""
    known = {(expected.kind, expected.act) for expected in _expected(evidence)}
    for fact in evidence.facts:
        if fact.kind not in WITHOUT_A_ROW:
            require((fact.kind, fact.act) in known, fact.place, "it has no row on record")
        require(not fact.subject, fact.place, "it names a subject, and no fact here has one")
    return len(evidence.facts)


def _expected(evidence: Evidence) -> Iterator[Expected]:
    return chain.from_iterable(facts(evidence) for facts in FACTS)


def _compare(expected: Expected, fact: Fact) -> None:
    where = f"its receipt #{fact.seq} ({fact.kind})"
    require(fact.child == expected.child, expected.place, f"{where} names another child")
    _same(expected.place, where, fact.subjects, expected.subjects)
    _same(expected.place, where, fact.digests, expected.digests, suffix=" digest")
    if expected.at is not None:
        require(fact.recorded_at == expected.at, expected.place, f"{where} has another time")


def _same(
    place: str,
    where: str,
    said: Mapping[str, Any],
    expected: Mapping[str, Any],
    *,
    suffix: str = "",
) -> None:
    for name, value in expected.items():
        require(name in said, place, f"{where} names no {name}{suffix}")
        same = type(said[name]) is type(value) and said[name] == value
        require(same, place, f"{where} has another {name}{suffix}")
    beyond = sorted(said.keys() - expected.keys())
    if beyond:
        raise Unknown(place, f"{where} names {', '.join(beyond)}, which is not known here")
