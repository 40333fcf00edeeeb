"""Every history of a Root keeps the order of turns, whatever is answered and whenever it is stopped."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullbear.lifecycle import ENDED_CHILD, Role, RootState
from dialogue.rules import (
    EndReason,
    PairView,
    SlotKind,
    SlotOutcome,
    duty,
    next_actor,
    next_half_round,
)
from research.rules import Purpose
from tests.rules.playing import Play

SIDES = {SlotKind.CHALLENGE: Role.BEAR, SlotKind.RESPONSE: Role.BULL}


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """A Root that has ended, by drawn answers and events."""

    def choose(options: list[Any]) -> Any:
        return draw(st.sampled_from(options))

    play = Play(choose, max_rounds=draw(st.integers(1, 3)))
    play.to_the_end()
    return play


def half_rounds(play: Play) -> list[tuple[int, SlotKind, SlotOutcome]]:
    """The half-rounds of a play, in order."""
    pair = play.view.pair
    return [(h.round, h.kind, h.outcome) for h in pair.half_rounds] if pair else []


@given(plays())
def test_a_root_always_ends(play: Play) -> None:
    assert play.view.state is RootState.FINISHED
    assert next_actor(play.view) == frozenset()


@given(plays())
def test_somebody_is_due_whenever_nobody_runs(play: Play) -> None:
    assert all(next_actor(view) for view in play.seen)


@given(plays())
def test_there_are_never_more_challenges_than_rounds(play: Play) -> None:
    challenges = [half for half in half_rounds(play) if half[1] is SlotKind.CHALLENGE]
    assert len(challenges) <= play.max_rounds <= 3


@given(plays())
def test_rounds_are_consecutive_and_each_begins_with_bear(play: Play) -> None:
    places = [(round_, kind) for round_, kind, _ in half_rounds(play)]
    assert len(places) == len(set(places)), "one half-round of each kind in a round"
    challenged = [round_ for round_, kind in places if kind is SlotKind.CHALLENGE]
    assert challenged == list(range(1, len(challenged) + 1))
    assert places == sorted(places, key=lambda place: (place[0], place[1] is SlotKind.RESPONSE))


@given(plays())
def test_bull_answers_accepted_challenges_only(play: Play) -> None:
    halves = half_rounds(play)
    for index, (round_, kind, _) in enumerate(halves):
        if kind is SlotKind.RESPONSE:
            assert halves[index - 1] == (round_, SlotKind.CHALLENGE, SlotOutcome.ACCEPTED)


@given(plays())
def test_a_turn_is_of_the_side_it_belongs_to(play: Play) -> None:
    for role, slot in play.turns:
        if slot.round:
            assert role is SIDES[SlotKind(slot.purpose.value)]
            assert slot.turn == slot.round + 1


@given(plays())
def test_no_turn_is_taken_twice(play: Play) -> None:
    assert len(play.turns) == len(set(play.turns))


@given(plays())
def test_nobody_speaks_after_the_pair_has_ended(play: Play) -> None:
    for view in play.seen:
        if view.pair is not None and view.pair.end_reason:
            assert all(duty(view, role) is None for role in (Role.BULL, Role.BEAR))


@given(plays())
def test_main_waits_until_every_child_has_ended(play: Play) -> None:
    for view in play.seen:
        due = next_actor(view)
        if view.pattern is not None and Role.MAIN in due:
            others = [state for role, state in view.executions.items() if role is not Role.MAIN]
            assert all(state in ENDED_CHILD for state in others)


@given(plays())
def test_a_pair_ends_for_one_named_reason(play: Play) -> None:
    if play.view.pair is not None:
        assert EndReason(play.view.pair.end_reason)
        assert not play.view.no_pair


@given(plays())
def test_the_reason_agrees_with_the_last_half_round(play: Play) -> None:
    pair = play.view.pair
    last = half_rounds(play)[-1][2] if half_rounds(play) else None
    match EndReason(pair.end_reason) if pair else None:
        case EndReason.OUTCOME_UNKNOWN:
            assert last is SlotOutcome.UNKNOWN
        case EndReason.INVALID_OUTPUT:
            assert last is SlotOutcome.INVALID
        case EndReason.PROVIDER_UNAVAILABLE:
            assert last is SlotOutcome.UNUSED
        case EndReason.NO_STRONG_COUNTEREXAMPLE | EndReason.DECLINED:
            assert last is SlotOutcome.CLOSED
        case EndReason.MAX_ROUNDS:
            assert pair is not None
            assert next_half_round(pair) is None


@given(plays())
def test_at_most_one_synthesis_is_asked_for(play: Play) -> None:
    syntheses = [slot for _, slot in play.turns if slot.purpose is Purpose.SYNTHESIS]
    assert len(syntheses) <= 1


@given(st.data())
def test_a_slot_is_decided_by_the_record_alone(data: st.DataObject) -> None:
    """A process that lost its memory decides the same: only the last half-round and the cap count."""

    def choose(options: list[Any]) -> Any:
        return data.draw(st.sampled_from(options))

    play = Play(choose, max_rounds=3)
    play.to_the_end()
    pair = play.view.pair
    if pair is not None and pair.half_rounds:
        short = PairView(pair.max_rounds, "", pair.half_rounds[-1:])
        assert next_half_round(short) == next_half_round(pair)
