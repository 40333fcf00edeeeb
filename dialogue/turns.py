"""What each turn is: what stands in its request, the form of its answer, and what the answer may do.

    compose ──▶ (model) ──▶ check ──▶ apply        a valid answer
                              └─────▶ fail         no valid answer, also after what D10 allows

Source: design.md D10, the table of purposes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bullbear.lifecycle import ChildState
from bullbear.models import Child, ModelRequest
from bullbear.parking import end
from dialogue.answers import BearAnswer, BearKind, BullAnswer, BullKind, SynthesisAnswer
from dialogue.case import DialogueCase
from dialogue.claims import (
    check_answered,
    check_challenged,
    move_by_challenge,
    move_by_response,
    record_stated_claims,
)
from dialogue.half_rounds import end_half_round
from dialogue.models import HalfRound, PeerMessage
from dialogue.requests import exchange_blocks, plan_blocks, synthesis_blocks, working_blocks
from dialogue.rules import MessageKind, Slot, SlotKind, SlotOutcome
from dialogue.send import challenge_of, check_send, send
from dialogue.synthesis import check_synthesis, give_up_synthesis, record_synthesis
from research.answers import Answer, OpeningAnswer, PlanAnswer, ResearchAnswer
from research.compose import Block
from research.evidence import shown_to
from research.findings import check_private_research, record_private_research
from research.openings import accept_opening, check_opening
from research.plans import record_plan
from research.rules import AnswerClass, Ask, Purpose, TurnEnd


@dataclass(frozen=True, slots=True)
class Turn:
    """One purpose's four functions.

    Args:
        answer: the form of the answer.
        blocks: what stands in the request.
        check: what the answer is worth, beyond its form; writes nothing.
        apply: what a valid answer, or one whose send is refused, does.
        fail: what follows where there is none.
    """

    answer: type[Answer]
    blocks: Callable[[DialogueCase, Child, Slot, Ask, str], list[Block]]
    check: Callable[[DialogueCase, Child, Slot, ModelRequest, Any], AnswerClass]
    apply: Callable[[DialogueCase, Child, Slot, ModelRequest, Any], None]
    fail: Callable[[DialogueCase, Child, Slot, TurnEnd], None]


_SLOT_OF = {
    TurnEnd.INVALID: SlotOutcome.INVALID,
    TurnEnd.UNAVAILABLE: SlotOutcome.UNUSED,
    TurnEnd.UNKNOWN: SlotOutcome.UNKNOWN,
}


def _any_plan(
    _case: DialogueCase, _child: Child, _slot: Slot, _request: ModelRequest, _answer: PlanAnswer
) -> AnswerClass:
    return AnswerClass.VALID


def _apply_plan(
    case: DialogueCase, _child: Child, _slot: Slot, request: ModelRequest, answer: PlanAnswer
) -> None:
    record_plan(case, request=request, answer=answer)


def _fail_plan(case: DialogueCase, _child: Child, _slot: Slot, _how: TurnEnd) -> None:
    record_plan(case, request=None, answer=None)


def _check_opening(
    case: DialogueCase,
    child: Child,
    _slot: Slot,
    _request: ModelRequest,
    answer: OpeningAnswer,
) -> AnswerClass:
    return check_opening(case, child, answer)


def _apply_opening(
    case: DialogueCase, child: Child, _slot: Slot, request: ModelRequest, answer: OpeningAnswer
) -> None:
    opening = accept_opening(case, child, request, answer)
    record_stated_claims(case, child, opening, answer)


def _check_research(
    case: DialogueCase,
    child: Child,
    _slot: Slot,
    _request: ModelRequest,
    answer: ResearchAnswer,
) -> AnswerClass:
    return check_private_research(case, child, answer)


def _apply_research(
    case: DialogueCase, child: Child, _slot: Slot, request: ModelRequest, answer: ResearchAnswer
) -> None:
    record_private_research(case, child, request, answer)


def _fail_working(case: DialogueCase, child: Child, _slot: Slot, how: TurnEnd) -> None:
    end(case.held, child, ChildState.FAILED, str(how))


def _check_challenge(
    case: DialogueCase, child: Child, _slot: Slot, request: ModelRequest, answer: BearAnswer
) -> AnswerClass:
    if any(handle not in _evidence(case, child) for handle in answer.evidence):
        return AnswerClass.UNKNOWN_EVIDENCE
    worth = check_challenged(case, child, answer.claims)
    if worth is not AnswerClass.VALID or answer.kind is BearKind.NO_FURTHER:
        return worth
    return check_send(case, child, request, MessageKind(answer.kind.value))


def _apply_challenge(
    case: DialogueCase, child: Child, slot: Slot, request: ModelRequest, answer: BearAnswer
) -> None:
    if answer.kind is BearKind.NO_FURTHER:
        _close(case, child, slot)
        return
    kind, about = MessageKind(answer.kind.value), list(dict.fromkeys(answer.claims))
    message = _say(case, child, slot, request, answer, kind=kind, about=about)
    if message is not None:
        move_by_challenge(case, message, answer)


def _check_response(
    case: DialogueCase, child: Child, slot: Slot, request: ModelRequest, answer: BullAnswer
) -> AnswerClass:
    if any(handle not in _evidence(case, child) for handle in answer.evidence):
        return AnswerClass.UNKNOWN_EVIDENCE
    challenge = challenge_of(case, _half(case, slot))
    worth = check_answered(case, child, challenge.about if challenge else [], answer)
    if worth is not AnswerClass.VALID or answer.kind is BullKind.NO_FURTHER:
        return worth
    return check_send(case, child, request, MessageKind.RESPONSE)


def _apply_response(
    case: DialogueCase, child: Child, slot: Slot, request: ModelRequest, answer: BullAnswer
) -> None:
    if answer.kind is BullKind.NO_FURTHER:
        _close(case, child, slot)
        return
    kind, about = MessageKind.RESPONSE, [one.claim for one in answer.answers]
    message = _say(case, child, slot, request, answer, kind=kind, about=about)
    if message is not None:
        move_by_response(case, message, answer)


def _close(case: DialogueCase, child: Child, slot: Slot) -> None:
    end_half_round(case, child, _half(case, slot), SlotOutcome.CLOSED)


def _say(
    case: DialogueCase,
    child: Child,
    slot: Slot,
    request: ModelRequest,
    answer: BearAnswer | BullAnswer,
    *,
    kind: MessageKind,
    about: list[str],
) -> PeerMessage | None:
    result = send(
        case,
        child,
        request,
        _half(case, slot),
        kind=kind,
        text=answer.text,
        claims=about,
        evidence=list(answer.evidence),
    )
    return result if isinstance(result, PeerMessage) else None


def _fail_half_round(case: DialogueCase, child: Child, slot: Slot, how: TurnEnd) -> None:
    end_half_round(case, child, _half(case, slot), _SLOT_OF[how])


def _check_synthesis(
    case: DialogueCase,
    _child: Child,
    _slot: Slot,
    _request: ModelRequest,
    answer: SynthesisAnswer,
) -> AnswerClass:
    return check_synthesis(case, answer)


def _apply_synthesis(
    case: DialogueCase, child: Child, _slot: Slot, request: ModelRequest, answer: SynthesisAnswer
) -> None:
    record_synthesis(case, child, request, answer)


def _fail_synthesis(case: DialogueCase, child: Child, _slot: Slot, how: TurnEnd) -> None:
    give_up_synthesis(case, child, how)


def _evidence(case: DialogueCase, child: Child) -> frozenset[str]:
    """Name what an execution was shown: its tools and sources, and in an exchange messages and claims."""
    messages = [f"M{message.number}" for message in case.messages]
    claims = [f"C{claim.number}" for claim in case.claims]
    return shown_to(case, child) | {*messages, *claims}


def _half(case: DialogueCase, slot: Slot) -> HalfRound:
    half = case.half_round(SlotKind(str(slot.purpose)), slot.round)
    if half is None:
        raise LookupError("a half-round is spent with its first seal")
    return half


TURNS: Mapping[Purpose, Turn] = {
    Purpose.PLAN: Turn(PlanAnswer, plan_blocks, _any_plan, _apply_plan, _fail_plan),
    Purpose.OPENING: Turn(
        OpeningAnswer, working_blocks, _check_opening, _apply_opening, _fail_working
    ),
    Purpose.RESEARCH: Turn(
        ResearchAnswer, working_blocks, _check_research, _apply_research, _fail_working
    ),
    Purpose.CHALLENGE: Turn(
        BearAnswer, exchange_blocks, _check_challenge, _apply_challenge, _fail_half_round
    ),
    Purpose.RESPONSE: Turn(
        BullAnswer, exchange_blocks, _check_response, _apply_response, _fail_half_round
    ),
    Purpose.SYNTHESIS: Turn(
        SynthesisAnswer, synthesis_blocks, _check_synthesis, _apply_synthesis, _fail_synthesis
    ),
}
