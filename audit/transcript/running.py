"""How a Root ran: plan, rounds, calls, models, tools, evidence.

Source: design.md D11, D13 ("how it ran"), D20 (the rehearsal model is named).
"""

from __future__ import annotations

from audit.sentences import CHILD_STATES, NOT_A_LANGUAGE_MODEL, words
from audit.transcript import page
from audit.transcript.facts import Facts
from audit.transcript.page import Text
from audit.transcript.texts import Texts
from bullbear.lifecycle import RequestState, Role
from bullbear.models import Child, ModelRequest
from dialogue.report.sentences import DECIDED_BY, PATTERN_SENTENCES, WISHES
from research.answers import PlanAnswer
from research.authority import root_label
from research.kinds import FindingKind
from research.rules import Purpose

_SIDES = frozenset({Role.BULL, Role.BEAR})


def running(facts: Facts, texts: Texts) -> page.Running:
    """Say how the Root ran."""
    plan = facts.plan
    asked = facts.requests[plan.request_id] if plan and plan.request_id else None
    answer = texts.answer(asked, PlanAnswer) if asked else None
    calls = [_calls(facts, child) for child in facts.children.values()]
    sides = [set(one.served) for one in calls if one.role in _SIDES]
    return page.Running(
        pattern=plan.pattern if plan else "",
        pattern_meaning=words(PATTERN_SENTENCES, plan.pattern) if plan else "not planned yet",
        decided_by=words(DECIDED_BY, plan.decided_by) if plan else "",
        wished=words(WISHES, plan.wished) if plan else "",
        proposed=plan.proposed if plan else "",
        reason=texts.words(answer.reason, asked.lineage) if asked and answer else None,
        plan_request=asked.pk if asked else None,
        rounds_used=max((one.round for one in facts.half_rounds), default=0),
        rounds_allowed=(
            facts.pair.max_rounds if facts.pair else facts.root.configuration.get("rounds", 0)
        ),
        opening_order=facts.pair.opening_order if facts.pair else "",
        openings_apart=all(
            facts.requests[part.request_id].purpose != Purpose.OPENING for part in facts.parts
        ),
        calls=calls,
        shared_models=sorted(set.intersection(*sides)) if len(sides) > 1 else [],
    )


def _calls(facts: Facts, child: Child) -> page.Calls:
    own = [one for one in facts.requests.values() if one.child_id == child.pk]
    requested = sorted({one.requested_model for one in own})
    served = sorted({one.served_model for one in own if one.served_model})
    return page.Calls(
        child=child.pk,
        role=child.role,
        state=child.state,
        state_meaning=words(CHILD_STATES, child.state),
        end_reason=child.end_reason,
        total=len(own),
        answered=_count(own, RequestState.ANSWERED),
        rejected=_count(own, RequestState.REJECTED),
        unknown=_count(own, RequestState.OUTCOME_UNKNOWN),
        open=_count(own, RequestState.SEALED),
        tokens=_tokens(own),
        requested=requested,
        served=served,
        model_note="; ".join(
            note for name, note in NOT_A_LANGUAGE_MODEL.items() if name in {*requested, *served}
        ),
        differs=any(one.served_model not in {"", one.requested_model} for one in own),
    )


def _count(requests: list[ModelRequest], state: RequestState) -> int:
    return sum(one.state == state for one in requests)


def _tokens(requests: list[ModelRequest]) -> int | None:
    counted = [
        one.prompt_tokens + one.completion_tokens
        for one in requests
        if one.prompt_tokens is not None and one.completion_tokens is not None
    ]
    return sum(counted) if counted else None


def tools(facts: Facts, texts: Texts) -> list[page.ToolUse]:
    """Return the tool calls with what they returned."""
    handles = {str(one.source_id): f"S{one.number}" for one in facts.sources}
    return [
        page.ToolUse(
            id=one.pk,
            handle=f"T{one.number}",
            role=facts.role(one.child_id),
            name=Text(one.name) if one.version else texts.words(one.name, one.lineage),
            version=one.version,
            refusal=one.refusal,
            sources=[handles.get(source, "?") for source in one.used],
            request=one.request_id,
            result=texts.show(one.result_id, () if texts.coverage.shows(one) else one.lineage),
        )
        for one in facts.tool_calls
    ]


def private_research(facts: Facts, texts: Texts) -> list[page.Finding]:
    """Return what each side told Main alone."""
    return [
        page.Finding(
            id=one.pk,
            handle=f"F{one.number}",
            role=facts.role(one.child_id),
            request=one.request_id,
            text=texts.show(one.text_id, one.lineage),
        )
        for one in facts.findings
        if one.kind == FindingKind.PRIVATE_RESEARCH
    ]


def evidence(facts: Facts, texts: Texts) -> list[page.Evidence]:
    """Return the evidence snapshot, in the order of its handles."""
    return [
        page.Evidence(
            id=one.source_id,
            handle=f"S{one.number}",
            title=texts.show(one.source.title_id, [str(one.source_id)]),
            assigned_to=(
                texts.show(one.assigned_to_id, [root_label(facts.root.pk)])
                if one.assigned_to_id
                else None
            ),
            scope=texts.words(one.source.scope, [str(one.source_id)]),
            kind=one.source.parse_report.kind,
            reader=one.source.parse_report.reader,
            as_of=one.source.parse_report.as_of,
            rows=one.source.parse_report.counts,
            sha256=one.source.raw_sha256,
            used_by=[
                f"T{call.number}" for call in facts.tool_calls if str(one.source_id) in call.used
            ],
        )
        for one in facts.sources
    ]
