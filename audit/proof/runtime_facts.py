"""Which receipt each row of the runtime and of research must have.

Source: design.md D4, D17, D18.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from audit.proof.budget import tokens_billed_late
from audit.proof.evidence import Evidence
from audit.proof.runtime_rows import RequestRow
from audit.proof.vocabulary import ENDED_CHILD, ENDED_ROOT, OUTCOME_KINDS


@dataclass(frozen=True, slots=True)
class Expected:
    """The receipt that a row must have; `at` where the row repeats its time."""

    place: str
    kind: str
    act: str
    child: str = ""
    subjects: dict[str, Any] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    at: str | None = None


def of_the_root(evidence: Evidence) -> Iterator[Expected]:
    """The Root was created, and perhaps finalised and ended."""
    root = evidence.root
    yield Expected(
        "Root",
        "root_created",
        root.id,
        subjects={
            "question": root.question_id,
            "requester": root.requester_id,
            "desk": root.desk_id,
            "scopes": list(root.scopes),
            "model_calls": root.model_calls_limit,
            "tokens": root.tokens_limit,
            "tool_calls": root.tool_calls_limit,
            "deadline_at": root.deadline_at,
        },
        digests={
            "question": evidence.salted(root.question_id, "the question"),
            "configuration": root.configuration_digest,
        },
        at=root.created_at,
    )
    if root.state != "open":
        yield Expected("Root", "root_finalizing", root.id, subjects={"cause": root.cause})
    if root.state in ENDED_ROOT:
        reports = evidence.record.reports
        yield Expected(
            "Root",
            "root_ended",
            root.id,
            subjects={
                "state": root.state,
                "result": root.result,
                "cause": root.cause,
                "end_reason": root.end_reason,
                "model_calls_spent": root.model_calls_spent,
                "tokens_spent": root.tokens_spent - tokens_billed_late(evidence, after_end=True),
                "tool_calls_spent": root.tool_calls_spent,
            },
            digests={"report": reports[0].document_sha256 if reports else ""},
        )


def of_the_executions(evidence: Evidence) -> Iterator[Expected]:
    """Each execution was created with its authorization, and perhaps ended; timers were set."""
    for child in evidence.record.children:
        yield Expected(
            f"execution {child.role}",
            "child_created",
            child.id,
            child.id,
            subjects={"role": child.role},
            digests={"authorization": child.authorization_digest},
            at=child.created_at,
        )
        if child.state in ENDED_CHILD:
            yield Expected(
                f"execution {child.role}",
                "child_ended",
                child.id,
                child.id,
                subjects={"state": child.state, "reason": child.end_reason},
            )
    for timer in evidence.record.timers:
        yield Expected(
            f"timer of {evidence.role(timer.child_id, 'timer')}",
            "timer_set",
            timer.id,
            timer.child_id,
            subjects={"cause": timer.cause, "fires_at": timer.fires_at},
        )


def of_the_requests(evidence: Evidence) -> Iterator[Expected]:
    """Each request was sealed, and its outcome, once known, recorded."""
    for request in evidence.record.requests:
        place = evidence.place_of(request)
        child = evidence.child(request.child_id, place)
        yield Expected(
            place,
            "request_sealed",
            request.act,
            request.child_id,
            subjects={
                "request": request.id,
                "purpose": request.purpose,
                "model": request.requested_model,
                "parts": len(evidence.parts(request)),
                "authorization": child.authorization_digest,
                "repeats": request.repeats_id or "",
            },
            digests={"body": request.body_sha256},
            at=request.sealed_at,
        )
        if request.state != "sealed":
            yield _outcome(request, place)


def _outcome(request: RequestRow, place: str) -> Expected:
    return Expected(
        place,
        OUTCOME_KINDS.get(request.state, request.state),
        request.act,
        request.child_id,
        subjects={
            "request": request.id,
            "class": request.outcome_class,
            "served_model": request.served_model,
        },
        digests={"response": request.response_sha256} if request.response_sha256 else {},
    )


def of_the_research(evidence: Evidence) -> Iterator[Expected]:
    """Sources were admitted, a plan recorded, openings accepted."""
    for source in evidence.record.sources:
        yield Expected(
            f"source S{source.number}",
            "source_admitted",
            source.id,
            subjects={"source": source.id, "handle": f"S{source.number}", "scope": source.scope},
            digests={"raw": source.raw_sha256},
        )
    main = next((child.id for child in evidence.record.children if child.role == "main"), "")
    for plan in evidence.record.plans:
        yield Expected(
            "plan",
            "plan_recorded",
            evidence.root.id,
            main,
            subjects={
                "wished": plan.wished,
                "proposed": plan.proposed,
                "pattern": plan.pattern,
                "decided_by": plan.decided_by,
                "request": plan.request_id or "",
            },
        )
    for opening in evidence.record.openings:
        yield Expected(
            f"opening of {evidence.role(opening.child_id, 'opening')}",
            "opening_accepted",
            opening.request_id,
            opening.child_id,
            subjects={"opening": opening.id, "request": opening.request_id},
            digests={"statement": opening.statement_digest},
        )


def of_what_came_beside(evidence: Evidence) -> Iterator[Expected]:
    """Tools were called, and findings handed to Main; a refused send is such a finding."""
    for call in evidence.record.tool_calls:
        yield Expected(
            f"tool call T{call.number}",
            "tool_called",
            call.act,
            call.child_id,
            subjects={
                "tool_call": call.id,
                "handle": f"T{call.number}",
                "version": call.version,
                "refusal": call.refusal,
                "used": list(call.used),
            },
            digests={"result": call.result_digest},
        )
    for finding in evidence.record.findings:
        place = f"finding F{finding.number}"
        yield Expected(
            place,
            "finding_recorded",
            finding.act,
            finding.child_id,
            subjects={
                "finding": finding.id,
                "handle": f"F{finding.number}",
                "kind": finding.kind,
                "reason": finding.reason,
            },
            digests={"text": finding.text_digest},
        )
        if finding.kind == "refused_send":
            yield Expected(
                place,
                "send_refused",
                finding.act,
                finding.child_id,
                subjects={"reason": finding.reason, "finding": finding.id},
            )
