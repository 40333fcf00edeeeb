"""Reserve, settle, and keep a reserve to end with: design.md D17."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullbear.budget import Account, Amounts
from research.limits import FINAL_CALL_TOKENS, HAND_BACK, ONE_ROUND, TWO_OPENINGS, tokens_for
from research.rules import Purpose

NOTHING = Amounts()
amounts = st.builds(Amounts, st.integers(0, 40), st.integers(0, 4_000), st.integers(0, 60))
one_call = st.builds(Amounts, st.just(1), st.integers(0, 400), st.integers(0, 4))


def account(limit: Amounts, hand_back: Amounts = NOTHING) -> Account:
    return Account(limit=limit, spent=NOTHING, reserved=NOTHING, hand_back=hand_back)


class TestReserve:
    def test_takes_up_to_the_limit(self) -> None:
        full = account(Amounts(2, 100, 1)).reserve(Amounts(2, 100, 1))
        assert full.reserved == Amounts(2, 100, 1)
        assert not full.can_reserve(Amounts(model_calls=1))

    @pytest.mark.parametrize(
        "amount",
        [
            pytest.param(Amounts(model_calls=3), id="a call more than allowed"),
            pytest.param(Amounts(tokens=101), id="a token more than allowed"),
            pytest.param(Amounts(tool_calls=2), id="a tool call more than allowed"),
        ],
    )
    def test_refuses(self, amount: Amounts) -> None:
        small = account(Amounts(2, 100, 1))
        assert not small.can_reserve(amount)
        with pytest.raises(ValueError, match="reserved more than is free"):
            small.reserve(amount)

    def test_leaves_the_hand_back_reserve_alone(self) -> None:
        kept = account(Amounts(5, 500, 0), hand_back=Amounts(4, 400, 0))
        assert kept.reserve(Amounts(1, 100)).reserved == Amounts(1, 100)
        assert not kept.can_reserve(Amounts(2, 100))

    def test_lets_synthesis_draw_on_the_hand_back_reserve(self) -> None:
        kept = account(Amounts(5, 500, 0), hand_back=Amounts(4, 400, 0))
        drawn = kept.reserve(Amounts(2, 200), hand_back=True)
        assert (drawn.reserved, drawn.hand_back) == (Amounts(2, 200), Amounts(2, 200))


class TestSettle:
    def test_turns_a_reservation_into_what_was_used(self) -> None:
        reserved = account(Amounts(5, 500, 5)).reserve(Amounts(1, 200, 4))
        settled = reserved.settle(Amounts(1, 200, 4), Amounts(1, 120, 2))
        assert (settled.reserved, settled.spent) == (NOTHING, Amounts(1, 120, 2))

    def test_refunds_a_rejected_call(self) -> None:
        reserved = account(Amounts(1, 100)).reserve(Amounts(1, 100))
        assert reserved.settle(Amounts(1, 100), NOTHING).can_reserve(Amounts(1, 100))

    def test_keeps_an_unknown_outcome_debited(self) -> None:
        reserved = account(Amounts(1, 100)).reserve(Amounts(1, 100))
        assert not reserved.settle(Amounts(1, 100), Amounts(1, 100)).can_reserve(Amounts(1, 0))

    def test_books_late_usage(self) -> None:
        late = account(Amounts(1, 100)).settle(NOTHING, Amounts(tokens=130))
        assert late.spent == Amounts(tokens=130)
        assert not late.can_reserve(NOTHING)


@dataclass(frozen=True)
class Call:
    """One request: what it reserves, and which share of that it uses."""

    amount: Amounts
    hand_back: bool
    used_pct: int

    @property
    def used(self) -> Amounts:
        share = self.used_pct
        one = self.amount
        return Amounts(
            one.model_calls if share else 0,
            one.tokens * share // 100,
            one.tool_calls * share // 100,
        )


calls = st.lists(st.builds(Call, one_call, st.booleans(), st.integers(0, 100)), max_size=30)


def run(start: Account, made: list[Call]) -> list[Account]:
    """Make each call that the account can pay, and settle it; return what stood after each step."""
    stood = [start]
    for call in made:
        now = stood[-1]
        if now.can_reserve(call.amount, hand_back=call.hand_back):
            held = now.reserve(call.amount, hand_back=call.hand_back)
            stood += [held, held.settle(call.amount, call.used)]
    return stood


@given(amounts, amounts, calls)
def test_an_account_never_passes_its_limit(
    limit: Amounts, hand_back: Amounts, made: list[Call]
) -> None:
    for stood in run(account(limit, hand_back), made):
        assert (stood.spent + stood.reserved).within(limit)


@given(amounts, calls)
def test_ordinary_work_always_leaves_the_hand_back_reserve(
    limit: Amounts, made: list[Call]
) -> None:
    reserve = Amounts(2, 200, 0)
    ordinary = [replace(call, hand_back=False) for call in made]
    end = run(account(limit + reserve, reserve), ordinary)[-1]
    assert end.can_reserve(reserve, hand_back=True)


@given(amounts, calls)
def test_settling_conserves_what_was_used(limit: Amounts, made: list[Call]) -> None:
    start = account(limit)
    paid = NOTHING
    now = start
    for call in made:
        if now.can_reserve(call.amount):
            now = now.reserve(call.amount).settle(call.amount, call.used)
            paid += call.used
    assert now.spent == paid
    assert now.reserved == NOTHING


@given(st.lists(one_call, max_size=4))
def test_reservations_settle_in_any_order(held: list[Amounts]) -> None:
    start = account(Amounts(40, 4_000, 60))
    for amount in held:
        start = start.reserve(amount)
    one, other = start, start
    for amount in held:
        one = one.settle(amount, amount)
    for amount in reversed(held):
        other = other.settle(amount, amount)
    assert one == other
    assert one.reserved == NOTHING


@given(amounts, amounts, amounts)
def test_amounts_add_up(one: Amounts, two: Amounts, three: Amounts) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert (one + two) - two == one
    assert one.within(one + two)
    assert (one - two).within(one)


@given(amounts, amounts)
def test_a_reserve_that_is_used_up_is_empty(one: Amounts, two: Amounts) -> None:
    assert one - (one + two) == NOTHING


class TestLimits:
    def test_the_hand_back_reserve_is_two_final_calls_twice(self) -> None:
        assert Amounts(model_calls=4, tokens=4 * FINAL_CALL_TOKENS) == HAND_BACK

    def test_the_smallest_root_can_plan_and_open_twice(self) -> None:
        assert TWO_OPENINGS.model_calls == 3
        assert ONE_ROUND.model_calls == 2

    @pytest.mark.parametrize("purpose", list(Purpose))
    def test_every_purpose_has_a_bound_for_its_answer(self, purpose: Purpose) -> None:
        assert tokens_for(purpose, 0) > 0

    def test_a_request_is_estimated_from_above(self) -> None:
        assert tokens_for(Purpose.PLAN, 1) == tokens_for(Purpose.PLAN, 0) + 1
        assert tokens_for(Purpose.PLAN, 3) == tokens_for(Purpose.PLAN, 0) + 1
        assert tokens_for(Purpose.PLAN, 4) == tokens_for(Purpose.PLAN, 0) + 2
