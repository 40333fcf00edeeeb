"""What one turn needs next, from its requests alone: design.md D5, D8, D10."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.lifecycle import RequestState
from bullbear.outcomes import MAX_REPEATS
from research.rules import (
    AFTER_UNKNOWN,
    ENDS_A_TURN,
    MAX_ATTEMPTS,
    MAX_REJECTIONS,
    MAX_TOOL_REQUESTS,
    WITH_TOOLS,
    AfterUnknown,
    AnswerClass,
    Ask,
    Asked,
    Hold,
    Over,
    Purpose,
    Repeat,
    TurnEnd,
    Wait,
    progress,
)
from tests.rules.views import NOW

LATER = NOW + timedelta(seconds=4)
ASKED_AGAIN = (Purpose.RESEARCH, Purpose.OPENING, Purpose.SYNTHESIS)
INVALID = sorted(set(AnswerClass) - ENDS_A_TURN - {AnswerClass.TOOL_CALLS})


def answered(attempt: int, n: int, outcome: AnswerClass) -> Asked:
    return Asked(attempt, n, RequestState.ANSWERED, outcome, repeatable=False)


def rejected(attempt: int, n: int, *, repeatable: bool = True) -> Asked:
    return Asked(attempt, n, RequestState.REJECTED, "rate_limited", repeatable)


def unknown(attempt: int, n: int = 1) -> Asked:
    return Asked(attempt, n, RequestState.OUTCOME_UNKNOWN, "read_timeout", repeatable=False)


def step(
    purpose: Purpose, *asked: Asked, fired: bool = True, after: AfterUnknown | None = None
) -> Any:
    return progress(
        purpose,
        asked,
        now=NOW,
        retry_at=NOW if fired else LATER,
        after_unknown=after or AFTER_UNKNOWN.get(purpose, AfterUnknown.GIVE_UP),
    )


class TestTheFirstRequest:
    @pytest.mark.parametrize("purpose", list(Purpose))
    def test_is_attempt_one_with_the_purposes_tools(self, purpose: Purpose) -> None:
        assert step(purpose) == Ask(1, 1, offer_tools=purpose in WITH_TOOLS)

    def test_offers_main_no_tools(self) -> None:
        assert WITH_TOOLS.isdisjoint({Purpose.PLAN, Purpose.SYNTHESIS, Purpose.REASONING_AUDIT})


class TestAnInvalidAnswer:
    @pytest.mark.parametrize("outcome", INVALID)
    def test_is_followed_by_one_further_attempt(self, outcome: AnswerClass) -> None:
        assert step(Purpose.CHALLENGE, answered(1, 1, outcome)) == Ask(2, 1, offer_tools=True)

    @pytest.mark.parametrize("outcome", INVALID)
    def test_of_the_second_attempt_ends_the_turn(self, outcome: AnswerClass) -> None:
        asked = [answered(1, 1, AnswerClass.NOT_JSON), answered(2, 1, outcome)]
        assert step(Purpose.CHALLENGE, *asked) == Over(TurnEnd.INVALID)

    def test_after_tools_begins_the_count_of_requests_anew(self) -> None:
        asked = [answered(1, 1, AnswerClass.TOOL_CALLS), answered(1, 2, AnswerClass.EMPTY)]
        assert step(Purpose.OPENING, *asked) == Ask(2, 1, offer_tools=True)


class TestAValidAnswer:
    @pytest.mark.parametrize("outcome", sorted(ENDS_A_TURN))
    def test_ends_the_turn_elsewhere(self, outcome: AnswerClass) -> None:
        with pytest.raises(ValueError, match="a turn whose last request is answered"):
            step(Purpose.CHALLENGE, answered(1, 1, outcome))

    def test_is_nothing_that_the_host_refuses_to_send(self) -> None:
        assert AnswerClass.REFUSED_SEND in ENDS_A_TURN, "no further attempt after a refused send"


class TestToolCalls:
    def test_are_continued_in_the_same_attempt(self) -> None:
        asked = [answered(1, n, AnswerClass.TOOL_CALLS) for n in (1, 2)]
        assert step(Purpose.OPENING, *asked) == Ask(1, 3, offer_tools=True)

    def test_are_not_offered_after_the_sixth(self) -> None:
        asked = [answered(1, n, AnswerClass.TOOL_CALLS) for n in range(1, MAX_TOOL_REQUESTS + 1)]
        assert step(Purpose.OPENING, *asked[:-1]) == Ask(1, 6, offer_tools=True)
        assert step(Purpose.OPENING, *asked) == Ask(1, 7, offer_tools=False)

    def test_are_counted_for_each_attempt(self) -> None:
        asked = [answered(1, n, AnswerClass.TOOL_CALLS) for n in range(1, MAX_TOOL_REQUESTS + 1)]
        asked += [
            answered(1, 7, AnswerClass.TOOLS_NOT_OFFERED),
            answered(2, 1, AnswerClass.TOOL_CALLS),
        ]
        assert step(Purpose.OPENING, *asked) == Ask(2, 2, offer_tools=True)


class TestARejection:
    def test_waits_for_its_timer(self) -> None:
        assert step(Purpose.PLAN, rejected(1, 1), fired=False) == Wait(LATER)

    def test_is_asked_again_in_the_same_attempt(self) -> None:
        assert step(Purpose.PLAN, rejected(1, 1)) == Ask(1, 2, offer_tools=False)

    def test_keeps_the_tools_of_its_attempt(self) -> None:
        assert step(Purpose.OPENING, rejected(1, 1)) == Ask(1, 2, offer_tools=True)

    def test_is_repeated_five_times_at_most(self) -> None:
        asked = [rejected(1, n) for n in range(1, MAX_REJECTIONS + 2)]
        assert step(Purpose.PLAN, *asked[:-1]) == Ask(1, 6, offer_tools=False)
        assert step(Purpose.PLAN, *asked) == Over(TurnEnd.UNAVAILABLE)

    def test_counts_over_both_attempts(self) -> None:
        asked = [rejected(1, n) for n in (1, 2, 3)]
        asked += [answered(1, 4, AnswerClass.EMPTY), *(rejected(2, n) for n in (1, 2, 3))]
        assert step(Purpose.PLAN, *asked) == Over(TurnEnd.UNAVAILABLE)

    def test_that_is_not_worth_repeating_ends_the_turn(self) -> None:
        assert step(Purpose.PLAN, rejected(1, 1, repeatable=False)) == Over(TurnEnd.UNAVAILABLE)

    def test_without_a_timer_ends_the_turn(self) -> None:
        """The host sets none that would fire past the deadline."""
        asked = [rejected(1, 1)]
        over = progress(
            Purpose.PLAN,
            asked,
            now=NOW,
            retry_at=None,
            after_unknown=AfterUnknown.GIVE_UP,
        )
        assert over == Over(TurnEnd.UNAVAILABLE)

    def test_has_one_bound_in_runtime_and_rules(self) -> None:
        assert MAX_REJECTIONS == MAX_REPEATS == 5


class TestAnUnknownOutcome:
    @pytest.mark.parametrize("purpose", ASKED_AGAIN)
    def test_is_asked_again_once(self, purpose: Purpose) -> None:
        again = step(purpose, unknown(1))
        assert again == Ask(2, 1, offer_tools=purpose in WITH_TOOLS)
        assert step(purpose, unknown(1), unknown(2)) == Over(TurnEnd.UNKNOWN)

    @pytest.mark.parametrize("purpose", sorted(set(Purpose) - set(ASKED_AGAIN)))
    def test_of_any_other_purpose_is_not(self, purpose: Purpose) -> None:
        assert step(purpose, unknown(1)) == Over(TurnEnd.UNKNOWN)

    def test_after_an_invalid_answer_leaves_no_attempt(self) -> None:
        asked = [answered(1, 1, AnswerClass.EMPTY), unknown(2)]
        assert step(Purpose.SYNTHESIS, *asked) == Over(TurnEnd.UNKNOWN)


class TestAPolicyAfterAnUnknownOutcome:
    """A half-round follows its Root's policy, or an operator's decision: design.md D10."""

    @pytest.mark.parametrize(
        ("after", "first", "second"),
        [
            pytest.param(
                AfterUnknown.GIVE_UP, Over(TurnEnd.UNKNOWN), Over(TurnEnd.UNKNOWN), id="end"
            ),
            pytest.param(AfterUnknown.REPEAT, Repeat(2), Over(TurnEnd.UNKNOWN), id="reask, once"),
            pytest.param(AfterUnknown.HOLD, Hold(), Over(TurnEnd.UNKNOWN), id="hold, once"),
            pytest.param(
                AfterUnknown.ASK_ANEW,
                Ask(2, 1, offer_tools=True),
                Over(TurnEnd.UNKNOWN),
                id="anew, once",
            ),
        ],
    )
    def test_is_followed_once(self, after: AfterUnknown, first: Any, second: Any) -> None:
        assert step(Purpose.CHALLENGE, unknown(1), after=after) == first
        assert step(Purpose.CHALLENGE, unknown(1), unknown(2), after=after) == second

    def test_repeats_no_request_of_a_second_attempt(self) -> None:
        asked = [answered(1, 1, AnswerClass.NOT_JSON), unknown(2)]
        assert step(Purpose.RESPONSE, *asked, after=AfterUnknown.REPEAT) == Over(TurnEnd.UNKNOWN)

    @pytest.mark.parametrize("after", list(AfterUnknown))
    def test_does_not_touch_what_is_known(self, after: AfterUnknown) -> None:
        asked = [answered(1, 1, AnswerClass.NOT_JSON)]
        assert step(Purpose.RESPONSE, *asked, after=after) == Ask(2, 1, offer_tools=True)


def test_a_sealed_request_is_nobodys_to_judge() -> None:
    sealed = Asked(1, 1, RequestState.SEALED, "", repeatable=False)
    with pytest.raises(ValueError, match="sealed"):
        step(Purpose.PLAN, sealed)


OUTCOMES: list[Callable[[int, int], Asked]] = [
    lambda attempt, n: answered(attempt, n, AnswerClass.TOOL_CALLS),
    lambda attempt, n: answered(attempt, n, AnswerClass.NOT_JSON),
    rejected,
    lambda attempt, n: rejected(attempt, n, repeatable=False),
    unknown,
]


@st.composite
def turns(draw: st.DrawFn) -> tuple[Purpose, list[Ask], list[Asked], Over]:
    """A turn that never got a valid answer, from its first request to its end."""
    purpose = draw(st.sampled_from(Purpose))
    asks: list[Ask] = []
    asked: list[Asked] = []
    while not isinstance(next_ := step(purpose, *asked), Over):
        assert isinstance(next_, Ask)
        assert len(asks) < 40, "a turn ends"
        asks.append(next_)
        outcome = draw(st.sampled_from(OUTCOMES))(next_.attempt, next_.n)
        if outcome.outcome == AnswerClass.TOOL_CALLS and not next_.offer_tools:
            outcome = answered(next_.attempt, next_.n, AnswerClass.TOOLS_NOT_OFFERED)
        asked.append(outcome)
    return purpose, asks, asked, next_


@given(turns())
def test_a_turn_is_bounded(turn: tuple[Purpose, list[Ask], list[Asked], Over]) -> None:
    purpose, asks, asked, _ = turn
    assert {ask.attempt for ask in asks} <= set(range(1, MAX_ATTEMPTS + 1))
    assert sum(one.state is RequestState.REJECTED for one in asked) <= MAX_REJECTIONS + 1
    for attempt in (1, 2):
        with_tools = [
            one
            for one in asked
            if one.attempt == attempt and one.outcome == AnswerClass.TOOL_CALLS
        ]
        assert len(with_tools) <= (MAX_TOOL_REQUESTS if purpose in WITH_TOOLS else 0)


@given(turns())
def test_every_request_of_a_turn_has_its_own_place(
    turn: tuple[Purpose, list[Ask], list[Asked], Over],
) -> None:
    _, asks, _, _ = turn
    places = [(ask.attempt, ask.n) for ask in asks]
    assert places == sorted(set(places))
    for attempt in {ask.attempt for ask in asks}:
        numbers = [ask.n for ask in asks if ask.attempt == attempt]
        assert numbers == list(range(1, len(numbers) + 1))


@given(turns())
def test_a_turn_ends_as_its_last_request_did(
    turn: tuple[Purpose, list[Ask], list[Asked], Over],
) -> None:
    _, _, asked, over = turn
    expected = {
        RequestState.ANSWERED: TurnEnd.INVALID,
        RequestState.REJECTED: TurnEnd.UNAVAILABLE,
        RequestState.OUTCOME_UNKNOWN: TurnEnd.UNKNOWN,
    }
    assert over.how is expected[asked[-1].state]
