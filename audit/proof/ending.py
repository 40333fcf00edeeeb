"""The end: the report stands as compiled, and it leaves out no gap.

Source: design.md D2, D6, D13.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TypeAlias

from audit.proof.delivery import delivering_request
from audit.proof.dialogue_rows import MessageRow
from audit.proof.evidence import Evidence
from audit.proof.verdict import require
from audit.proof.vocabulary import ENDED_ROOT

_NO_MESSAGE = frozenset({"spent", "invalid", "unknown", "unused"})
_WITH_OPENING = frozenset({"researcher", "bull", "bear"})
_OPEN_OUTCOMES = frozenset({"outcome_unknown", "sealed"})

_Missing: TypeAlias = "tuple[str, str, str | None]"  # code, subject, execution


def every_ended_root_has_its_report(evidence: Evidence) -> int:
    """Its bytes have the digest that stands in the receipt of the Root's end."""
    reports = evidence.record.reports
    if evidence.root.state in ENDED_ROOT:
        require(bool(reports), "Root", "it has ended and has no report")
    for report in reports:
        place = f"report {report.version}"
        raw = evidence.raw(report.document_id, place)
        digest = hashlib.sha256(raw).hexdigest()
        require(digest == report.document_sha256, place, "its document has another digest")
    return len(reports)


def the_pair_has_ended_with_its_root(evidence: Evidence) -> int:
    """An exchange ends for one stored reason before the Root does."""
    pair = evidence.pair
    if pair is None or evidence.root.state not in ENDED_ROOT:
        return 0
    require(bool(pair.end_reason), "pair", "its Root ended and it did not")
    require(
        not evidence.root.end_reason, "Root", "it says why there was no pair, and there was one"
    )
    return 1


def every_gap_is_disclosed(evidence: Evidence) -> int:
    """What is missing of an ended Root, read off its rows, stands among its gaps."""
    disclosed = {(gap.code, gap.subject): gap for gap in evidence.record.gaps}
    if evidence.root.state not in ENDED_ROOT:
        return len(disclosed)
    for code, subject, child_id in _gaps(evidence):
        gap = disclosed.get((code, subject))
        place = f"gap {code}"
        require(gap is not None, place, f"it is not disclosed ({subject or 'of the Root'})")
        if gap is not None:
            require(gap.child_id == child_id, place, "it is of another execution")
    return len(disclosed)


def _gaps(evidence: Evidence) -> Iterator[_Missing]:
    yield from _of_the_work(evidence)
    if evidence.pair is None and evidence.root.end_reason:
        yield "no_dialogue", evidence.root.end_reason, None
    for half in evidence.record.half_rounds:
        if half.outcome in _NO_MESSAGE:
            yield "no_message", half.id, half.child_id
    for message in evidence.record.messages:
        code = _undelivered(evidence, message)
        if code:
            yield code, message.id, message.recipient_id


def _of_the_work(evidence: Evidence) -> Iterator[_Missing]:
    record = evidence.record
    for request in record.requests:
        if request.state == "outcome_unknown":
            yield "outcome_unknown", request.id, request.child_id
    opened = {opening.child_id for opening in record.openings}
    for child in record.children:
        if child.role in _WITH_OPENING and child.id not in opened:
            yield "no_opening", child.id, child.id
    for finding in record.findings:
        if finding.kind == "refused_send":
            yield "send_refused", finding.act, finding.child_id
    if not record.plans or record.plans[0].decided_by == "host":
        yield "no_plan", "", None
    if evidence.fact("synthesis_failed", evidence.root.id):
        yield "no_synthesis", "", None


def _undelivered(evidence: Evidence, message: MessageRow) -> str:
    """Name the gap of a message that is not delivered; a last response has none."""
    if delivering_request(evidence, message) is not None:
        return ""
    for request in evidence.record.requests:
        mine = request.child_id == message.recipient_id
        in_doubt = mine and request.state in _OPEN_OUTCOMES
        if in_doubt and message.id in evidence.shown(request, "message"):
            return "delivery_unknown"
    place = f"message M{message.number}"
    round_ = evidence.half_round(message.half_round_id, place).round
    later = any(
        half.round > round_ and half.child_id == message.recipient_id
        for half in evidence.record.half_rounds
    )
    return "not_delivered" if message.kind != "response" or later else ""
