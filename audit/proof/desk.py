"""The desk chain: what people did with a Root, which goes on after its end.

It has no head on the Root: a tail that is cut off is found by the rows that have lost their receipts.

Source: design.md D15, D18.
"""

from __future__ import annotations

from audit.proof.chain import BEGINNING, link
from audit.proof.evidence import Evidence
from audit.proof.reading import Fact, read_receipt
from audit.proof.research_rows import ReleaseRow
from audit.proof.verdict import Bad, require

_KINDS = frozenset({"release_recorded", "release_withdrawn"})


def the_desk_chain_is_linked(evidence: Evidence) -> int:
    """Each receipt stands at its place, follows its predecessor, and repeats its body in its columns."""
    previous = BEGINNING
    for expected, row in enumerate(evidence.record.desk, start=1):
        place = f"desk receipt #{row.seq}"
        require(row.seq == expected, f"desk receipt #{expected}", "it is missing")
        require(row.previous == previous, place, "it does not follow its predecessor")
        require(row.digest == link(row), place, "its digest is not that of its body")
        previous = row.digest
    for row, fact in zip(evidence.record.desk, _facts(evidence), strict=True):
        place = f"desk receipt #{row.seq}"
        columns = (row.root_id, row.seq, row.recorded_at, row.kind, row.act, row.subject)
        body = (fact.root, fact.seq, fact.recorded_at, fact.kind, fact.act, fact.subject)
        require((row.child_id or "") == fact.child, place, "its column names another child")
        require(columns == body, place, "its columns say something else than its body")
        require(fact.root == evidence.root.id, place, "it is of another Root")
        require(not (fact.child or fact.subject), place, "it names an execution or a subject")
        require(fact.kind in _KINDS, place, "its kind is not of this chain")
    return len(evidence.record.desk)


def every_release_has_its_receipt(evidence: Evidence) -> int:
    """Each row's receipt says what the row says; no receipt is without its row."""
    facts = {fact.act: fact for fact in _facts(evidence)}
    require(len(facts) == len(evidence.record.desk), "desk chain", "a receipt stands twice")
    for row in evidence.record.releases:
        fact = facts.pop(row.id, None)
        if fact is None:
            raise Bad(f"release {row.id}", "it has no receipt")
        _compare(evidence, row, fact)
    for act in facts:
        raise Bad(f"receipt of release {act}", "it has no row on record")
    return len(evidence.record.releases)


def _compare(evidence: Evidence, row: ReleaseRow, fact: Fact) -> None:
    place = f"release {row.id}"
    said = {
        "release": row.id,
        "source": row.source_id or "",
        "tool_call": row.tool_call_id or "",
        "withdraws": row.withdraws_id or "",
        "released_by": row.released_by_id,
    }
    kind = "release_withdrawn" if row.withdraws_id else "release_recorded"
    require(fact.kind == kind, place, "its receipt is of another kind")
    require(dict(fact.subjects) == said, place, "its receipt says something else")
    digest = evidence.salted(row.reason_id, place)
    require(row.reason_digest == digest, place, "its reason has another digest")
    require(dict(fact.digests) == {"reason": digest}, place, "its receipt has another reason")
    require(fact.recorded_at == row.released_at, place, "its receipt has another time")


def every_release_is_lawful(evidence: Evidence) -> int:
    """Each is of a source or of a number of this Root; what is withdrawn was released, once."""
    sources = {source.id for source in evidence.record.sources}
    standing: dict[tuple[str | None, str | None], str] = {}
    for row in sorted(evidence.record.releases, key=lambda one: _seq(evidence, one)):
        place = f"release {row.id}"
        require(row.root_id == evidence.root.id, place, "it is of another Root")
        if row.source_id is not None:
            require(row.source_id in sources, place, "its source is not in this Root")
        else:
            call = evidence.tool_call(row.tool_call_id or "", place)
            require(not call.refusal, place, "the tool call was refused and has no number")
        subject = (row.source_id, row.tool_call_id)
        if row.withdraws_id is None:
            require(subject not in standing, place, "it was released already")
            standing[subject] = row.id
        else:
            released = standing.pop(subject, None)
            require(released == row.withdraws_id, place, "it withdraws what does not stand")
    return len(evidence.record.releases)


def _seq(evidence: Evidence, row: ReleaseRow) -> int:
    return next(fact.seq for fact in _facts(evidence) if fact.act == row.id)


def _facts(evidence: Evidence) -> list[Fact]:
    return [read_receipt(row) for row in evidence.record.desk]
