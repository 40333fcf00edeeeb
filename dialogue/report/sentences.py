"""The host's sentences of a report: one table for each vocabulary, each exhaustive over its enum.

Codes stay in the document beside them, so that a reader in another language, or a program, has both.

Source: design.md D6, D10, D13.
"""

from __future__ import annotations

from collections.abc import Sequence

from bullbear.lifecycle import ResultType, Role
from dialogue.answers import DispositionKind
from dialogue.deliver import Delivery
from dialogue.kinds import GapCode
from dialogue.rules import (
    ClaimStatus,
    EndReason,
    MessageKind,
    MoveKind,
    SendRefusal,
    SlotKind,
    SlotOutcome,
)
from research.answers import Pattern

END_CLAUSES: dict[EndReason, str] = {
    EndReason.CANCELLED: "somebody cancelled the research",
    EndReason.DEADLINE: "the time for research and exchange ran out",
    EndReason.BUDGET: "the budget left no further call",
    EndReason.PARTICIPANT_ENDED: "one side ended before the exchange was over",
    EndReason.OUTCOME_UNKNOWN: "the outcome of a call is unknown, and nothing was asked again",
    EndReason.CONTEXT_FULL: "what had to be shown no longer fitted whole into a request",
    EndReason.REFUSED_SCOPE: "two messages rested on material that the other side may not see",
    EndReason.INVALID_OUTPUT: "a model gave no valid answer, also when asked once more",
    EndReason.PROVIDER_UNAVAILABLE: "the model's provider took no call",
    EndReason.EXTRACTION_FAILED: "claims could not be extracted from what was said",
    EndReason.NO_STRONG_COUNTEREXAMPLE: "Bear found no strong counterexample and said so",
    EndReason.SETTLED: "every challenged claim was withdrawn by its author",
    EndReason.DECLINED: "one side had nothing further to say",
    EndReason.CONVERGED: "a full round brought no new claim and moved none",
    EndReason.MAX_ROUNDS: "all allowed rounds were used",
    EndReason.MUTUAL_WAIT: "both sides waited, and nothing was left that could wake them",
}

GAP_SENTENCES: dict[GapCode, str] = {
    GapCode.OUTCOME_UNKNOWN: (
        "The outcome of {subject} is unknown: {reason}. Nobody can say whether a model answered; "
        "the call stays debited."
    ),
    GapCode.NO_OPENING: "{subject} brought no opening.",
    GapCode.NO_MESSAGE: "{subject} brought no message: {reason}.",
    GapCode.SEND_REFUSED: (
        "A message by {subject} was refused and never reached the other side: {reason}."
    ),
    GapCode.NOT_DELIVERED: "{subject} was accepted, but did not reach the other side.",
    GapCode.DELIVERY_UNKNOWN: (
        "Whether {subject} reached the other side is unknown: so is the outcome of the call that held it."
    ),
    GapCode.NO_DIALOGUE: "A dialogue was planned and none took place: {reason}.",
    GapCode.DIALOGUE_CUT_SHORT: "The dialogue was cut short: {reason}.",
    GapCode.NO_SYNTHESIS: (
        "There is no valid synthesis by Main: the host left every claim unresolved."
    ),
    GapCode.NO_PLAN: (
        "There is no valid plan by Main: where research went on, the host planned it."
    ),
    GapCode.CONFIGURATION_CHANGED: (
        "The configuration this research was opened with could not be used to its end: "
        "{subject} is no longer available."
    ),
}

DELIVERY_SENTENCES: dict[Delivery, str] = {
    Delivery.YES: "it stood, whole, in an answered request of the other side",
    Delivery.UNKNOWN: "it stood in a request of the other side whose outcome is unknown",
    Delivery.NO: "it stood in no request of the other side that was answered",
    Delivery.NO_FURTHER_TURN: "the other side had no further turn in which to receive it",
}

RESULT_SENTENCES: dict[ResultType, str] = {
    ResultType.NONE: "The research has not ended.",
    ResultType.COMPLETE: (
        "Complete: Main disposed of every claim and no execution failed; what is missing all the "
        "same is listed."
    ),
    ResultType.PARTIAL: (
        "Partial: the research was cut short or a part of it failed; what is missing is listed."
    ),
}

PATTERN_SENTENCES: dict[Pattern, str] = {
    Pattern.SINGLE: "one researcher worked alone",
    Pattern.PARALLEL: "Bull and Bear each wrote an opening and did not exchange messages",
    Pattern.DIALOGUE: "Bull and Bear were to question each other directly",
}

DECIDED_BY: dict[str, str] = {
    "user": "by the wish of whoever asked",
    "main": "by Main",
    "host": "by the host, for want of a valid plan",
}

WISHES: dict[str, str] = {
    "require": "a dialogue was required",
    "exclude": "a dialogue was excluded",
    "auto": "it was left to Main whether to open a dialogue",
}

SLOT_SENTENCES: dict[SlotOutcome, str] = {
    SlotOutcome.SPENT: "it was begun, and nothing more is known of it",
    SlotOutcome.ACCEPTED: "its message was accepted",
    SlotOutcome.REFUSED: "its message was refused",
    SlotOutcome.INVALID: "no valid answer came, also after a further attempt",
    SlotOutcome.UNKNOWN: "the outcome of its last call is unknown",
    SlotOutcome.CLOSED: "nothing further was to be said, and the exchange was closed",
    SlotOutcome.UNUSED: "every call of it was rejected before anything was generated",
}

SLOTS: dict[SlotKind, str] = {
    SlotKind.CHALLENGE: "challenge",
    SlotKind.RESPONSE: "response",
}

MESSAGES: dict[MessageKind, str] = {
    MessageKind.CHALLENGE: "challenged",
    MessageKind.PROPOSITION: "offered a narrowed wording of",
    MessageKind.RESPONSE: "answered on",
}

MOVES: dict[MoveKind, str] = {
    MoveKind.CONTESTED: "contested",
    MoveKind.DEFENDED: "defended",
    MoveKind.REVISED: "narrowed by its author",
    MoveKind.CONCEDED: "withdrawn by its author",
}

STATUSES: dict[ClaimStatus, str] = {
    ClaimStatus.OPEN: "nobody contested it",
    ClaimStatus.CONTESTED: "the other side contested it",
    ClaimStatus.CONCEDED: "its author withdrew it",
}

DISPOSITIONS: dict[DispositionKind, str] = {
    DispositionKind.STANDS: "not overturned on the record, which does not make it true",
    DispositionKind.REVISED: "its author narrowed it",
    DispositionKind.WITHDRAWN: "its author took it back",
    DispositionKind.UNRESOLVED: "the record does not settle it",
}

REFUSALS: dict[SendRefusal, str] = {
    SendRefusal.REFUSED_SCOPE: "it rests on material that the other side may not see",
    SendRefusal.NOT_ISSUED: "the sender was not issued this act",
}


NAMES: dict[Role, str] = {
    Role.MAIN: "Main",
    Role.RESEARCHER: "the researcher",
    Role.BULL: "Bull",
    Role.BEAR: "Bear",
    Role.REGISTRAR: "the registrar",
    Role.CRITIC: "the critic",
}


def end_sentence(reason: EndReason | None, *, planned: bool, formed: bool) -> str:
    """Say why the exchange ended, or why there was none.

    Args:
        reason: the end reason, if there is one.
        planned: whether a dialogue was planned.
        formed: whether a pair was frozen.
    """
    if reason is None:
        return "No dialogue was planned." if not planned else "Why the dialogue ended is unknown."
    clause = END_CLAUSES[reason]
    if formed:
        return f"The dialogue ended: {clause}."
    if planned:
        return f"No dialogue took place: {clause}."
    return f"The research ended early: {clause}."


def gap_sentence(code: GapCode, *, subject: str, reason: str) -> str:
    """Say what is missing.

    Args:
        code: which kind of gap.
        subject: what it is about, in words.
        reason: why, as a clause; used where the kind has one.
    """
    text = GAP_SENTENCES[code].format(subject=subject, reason=reason)
    return text[:1].upper() + text[1:]


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """Join words as a sentence does."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
