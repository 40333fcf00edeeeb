"""What one turn of an execution needs next: a pure reading of its requests.

    no request ──▶ Ask(1, 1)
    answered with tool calls ──▶ Ask(same attempt, n + 1)
    rejected, worth repeating ──▶ Wait(timer) ──▶ Ask(same attempt, n + 1)      at most five times
    invalid, or unknown where D10 allows ──▶ Ask(attempt + 1, 1)               once
    unknown, to be asked again as it was ──▶ Repeat(attempt + 1)               once
    unknown, held for an operator ──▶ Hold
    otherwise ──▶ Over(how)

Source: design.md D5, D8, D10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from bullbear.lifecycle import RequestState

MAX_ATTEMPTS = 2
MAX_REJECTIONS = 5
MAX_TOOL_REQUESTS = 6  # continuations with tools in one attempt; then it must answer without


class Purpose(StrEnum):
    """What a model may be asked for."""

    PLAN = "plan"
    RESEARCH = "research"
    OPENING = "opening"
    CHALLENGE = "challenge"
    RESPONSE = "response"
    REGISTRATION = "registration"
    SYNTHESIS = "synthesis"
    REASONING_AUDIT = "reasoning_audit"


class AfterUnknown(StrEnum):
    """What follows a request whose outcome is unknown."""

    GIVE_UP = "give_up"  # the turn is over
    ASK_ANEW = "ask_anew"  # one new request
    REPEAT = "repeat"  # the last request again: the same bytes, a new act, a new debit
    HOLD = "hold"  # an operator decides, until the peers' time is over


# D10: after an unknown outcome these are asked once more; a half-round follows the Root's policy.
AFTER_UNKNOWN = {
    Purpose.RESEARCH: AfterUnknown.ASK_ANEW,
    Purpose.OPENING: AfterUnknown.ASK_ANEW,
    Purpose.SYNTHESIS: AfterUnknown.ASK_ANEW,
}
# D17: only these draw on the hand-back reserve.
HAND_BACK = frozenset({Purpose.SYNTHESIS, Purpose.REASONING_AUDIT})
WITH_TOOLS = frozenset({Purpose.RESEARCH, Purpose.OPENING, Purpose.CHALLENGE, Purpose.RESPONSE})


class Wish(StrEnum):
    """What the user wants of a dialogue."""

    REQUIRE = "require"
    EXCLUDE = "exclude"
    AUTO = "auto"


class AnswerClass(StrEnum):
    """What an ANSWERED request's answer is worth."""

    VALID = "valid"  # it had its effect
    TOOL_CALLS = "tool_calls"  # it asks for tools
    REFUSED_SEND = "refused_send"  # valid, but the host refused the send it asks for
    TRUNCATED = "truncated"  # cut at the token limit, also where the prefix parses
    REFUSAL = "refusal"  # the model or its provider declined
    EMPTY = "empty"  # null, nothing, white space, only reasoning
    NOT_JSON = "not_json"
    NOT_THE_SCHEMA = "not_the_schema"
    UNSTORABLE_TEXT = "unstorable_text"  # NUL or a lone surrogate
    UNKNOWN_CLAIM = "unknown_claim"  # a claim that is not on record, or not the other side's
    UNKNOWN_EVIDENCE = "unknown_evidence"  # a handle its author was not shown
    NOT_VERBATIM = "not_verbatim"  # a quote that does not stand in its text
    UNLAWFUL_DISPOSITION = "unlawful_disposition"  # withdrawn without a concession, or against one
    WRONG_FIGURE = "wrong_figure"  # prose with a figure that no source or tool result holds
    TOOLS_NOT_OFFERED = "tools_not_offered"
    LATE = "late"  # its turn had ended: stored and billed, not used


ENDS_A_TURN = frozenset({AnswerClass.VALID, AnswerClass.REFUSED_SEND, AnswerClass.LATE})


class TurnEnd(StrEnum):
    """How a turn ended that brought no valid answer."""

    INVALID = "invalid_output"
    UNAVAILABLE = "provider_unavailable"
    UNKNOWN = "outcome_unknown"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a turn, as far as the rules need it."""

    attempt: int
    n: int
    state: RequestState
    outcome: str
    repeatable: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """Seal this request of the turn next."""

    attempt: int
    n: int
    offer_tools: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """A rejected call is repeated when its timer fires."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Repeat:
    """Seal the bytes of the last request again, as this attempt of the turn."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Hold:
    """An operator decides what follows an unknown outcome."""


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more is asked in this turn."""

    how: TurnEnd


Progress: TypeAlias = Ask | Repeat | Wait | Hold | Over


def progress(
    purpose: Purpose,
    asked: Sequence[Asked],
    *,
    now: datetime,
    retry_at: datetime | None,
    after_unknown: AfterUnknown,
) -> Progress:
    """Say what a turn needs next, from its requests in order.

    Args:
        purpose: what the turn is for.
        asked: its requests, first to last; the last one is not SEALED.
        now: the database's clock, after the lock.
        retry_at: when the timer of its last rejected request fires.
        after_unknown: what follows where the last outcome is unknown.

    Raises:
        ValueError: the last request is still sealed, or its answer already ended the turn.
    """
    if not asked:
        return Ask(1, 1, offer_tools=purpose in WITH_TOOLS)
    last = asked[-1]
    match last.state:
        case RequestState.REJECTED:
            return _after_rejection(purpose, asked, now=now, retry_at=retry_at)
        case RequestState.OUTCOME_UNKNOWN:
            return _after_unknown(purpose, last, after_unknown)
        case RequestState.ANSWERED if last.outcome == AnswerClass.TOOL_CALLS:
            return Ask(last.attempt, last.n + 1, offer_tools=_tools_left(purpose, asked))
        case RequestState.ANSWERED if last.outcome not in ENDS_A_TURN:
            if last.attempt < MAX_ATTEMPTS:
                return _next_attempt(purpose, last)
            return Over(TurnEnd.INVALID)
        case _:
            raise ValueError(f"a turn whose last request is {last.state}, {last.outcome}")


def _next_attempt(purpose: Purpose, last: Asked) -> Ask:
    return Ask(last.attempt + 1, 1, offer_tools=purpose in WITH_TOOLS)


def _after_unknown(purpose: Purpose, last: Asked, after_unknown: AfterUnknown) -> Progress:
    if last.attempt >= MAX_ATTEMPTS:
        return Over(TurnEnd.UNKNOWN)
    match after_unknown:
        case AfterUnknown.ASK_ANEW:
            return _next_attempt(purpose, last)
        case AfterUnknown.REPEAT:
            return Repeat(last.attempt + 1)
        case AfterUnknown.HOLD:
            return Hold()
        case AfterUnknown.GIVE_UP:
            return Over(TurnEnd.UNKNOWN)


def _after_rejection(
    purpose: Purpose, asked: Sequence[Asked], *, now: datetime, retry_at: datetime | None
) -> Progress:
    last = asked[-1]
    rejections = sum(one.state is RequestState.REJECTED for one in asked)
    if not last.repeatable or rejections > MAX_REJECTIONS or retry_at is None:
        return Over(TurnEnd.UNAVAILABLE)
    if now < retry_at:
        return Wait(retry_at)
    return Ask(last.attempt, last.n + 1, offer_tools=_tools_left(purpose, asked))


def _tools_left(purpose: Purpose, asked: Sequence[Asked]) -> bool:
    last = asked[-1]
    with_tools = sum(
        one.attempt == last.attempt and one.outcome == AnswerClass.TOOL_CALLS for one in asked
    )
    return purpose in WITH_TOOLS and with_tools < MAX_TOOL_REQUESTS
