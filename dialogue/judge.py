"""Say what an answer is worth, and let it have its effect.

Source: design.md D7 (record), D8, D10; scenarios.md group F.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bullbear.lifecycle import RequestState, Role
from bullbear.models import Child, ModelRequest
from bullbear.outcomes import OutcomeClass, is_repeatable, retry_delay_seconds
from bullbear.recording import set_timer
from bullbear.wire.call import Exchange
from dialogue.case import DialogueCase, view_of
from dialogue.rules import Slot, duty
from dialogue.turns import TURNS
from research.answers import Answer
from research.completions import Completion, read_answer
from research.rules import MAX_REJECTIONS, AnswerClass

RETRY = "retry"
HAS_AN_EFFECT = frozenset({AnswerClass.VALID, AnswerClass.REFUSED_SEND})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth; `answer` and `slot` only where it may have its effect."""

    worth: AnswerClass
    slot: Slot | None = None
    answer: Answer | None = None


def judge(
    case: DialogueCase, child: Child, request: ModelRequest, completion: Completion
) -> Verdict:
    """Judge an answer by its form, then by what the host can check; writes nothing."""
    slot = duty(view_of(case), Role(child.role))
    if not isinstance(slot, Slot) or (slot.purpose, slot.turn) != (request.purpose, request.turn):
        return Verdict(AnswerClass.LATE)
    if completion.fault is not None:
        return Verdict(completion.fault)
    if completion.tools:
        offered = request.reserved_tool_calls > 0
        return Verdict(AnswerClass.TOOL_CALLS if offered else AnswerClass.TOOLS_NOT_OFFERED)
    turn = TURNS[slot.purpose]
    answer = read_answer(completion, turn.answer)
    if isinstance(answer, AnswerClass):
        return Verdict(answer)
    worth = turn.check(case, child, slot, request, answer)
    return Verdict(worth, slot, answer) if worth in HAS_AN_EFFECT else Verdict(worth)


def apply_answer(
    case: DialogueCase, child: Child, request: ModelRequest, verdict: Verdict
) -> None:
    """Let an answer have its effect, if it has one."""
    if verdict.slot is not None:
        apply = TURNS[verdict.slot.purpose].apply
        apply(case, child, verdict.slot, request, verdict.answer)


def set_retry(case: DialogueCase, child: Child, request: ModelRequest, exchange: Exchange) -> None:
    """Set the timer after which a rejected call is repeated, unless it is not worth it.

    Source: design.md D5: at most five times, and never past the deadline.
    """
    outcome = OutcomeClass(request.outcome_class)
    turn = case.turn(child, request.turn)
    rejections = sum(one.state == RequestState.REJECTED for one in turn)
    if not is_repeatable(outcome) or rejections > MAX_REJECTIONS:
        return
    seconds = retry_delay_seconds(rejections, exchange.retry_after, now=case.now)
    if case.now + timedelta(seconds=seconds) < _end(case, child):
        case.timers.append(set_timer(case.held, child, seconds=seconds, cause=RETRY))


def _end(case: DialogueCase, child: Child) -> datetime:
    return case.root.deadline_at if child.role == Role.MAIN else case.root.peers_stop_at
