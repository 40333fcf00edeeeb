"""Whose move it is: the table "who is woken by what" of design.md D7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bullbear.lifecycle import Cause, ChildState, Role, RootState
from dialogue.rules import (
    OPENING,
    PLAN,
    PRIVATE_RESEARCH,
    SYNTHESIS,
    Compile,
    Slot,
    SlotKind,
    View,
    duty,
    half_round_slot,
    next_actor,
    next_half_round,
    peers_may_work,
)
from research.answers import Pattern
from research.rules import Purpose
from tests.rules.views import (
    CREATED,
    DEADLINE_AT,
    OPENED,
    PEERS_STOP_AT,
    PLANNED,
    pair,
    paired,
    states,
)

BEAR, BULL, MAIN = Role.BEAR, Role.BULL, Role.MAIN
ENDED = {"bull": ChildState.FINISHED, "bear": ChildState.FINISHED}


@pytest.mark.parametrize(
    ("steps", "who", "round_"),
    [
        pytest.param((), BEAR, 1, id="bear opens the first round: bull may not challenge first"),
        pytest.param(("C1 spent",), BEAR, 1, id="a begun challenge is still bear's"),
        pytest.param(("C1 accepted",), BULL, 1, id="an accepted challenge is answered by bull"),
        pytest.param(("C1 accepted", "R1 spent"), BULL, 1, id="a begun response is still bull's"),
        pytest.param(("C1 refused",), BEAR, 2, id="after a refused send the next round argues"),
        pytest.param(("C1 invalid",), BEAR, 2, id="an invalid challenge is not given back"),
        pytest.param(("C1 unused",), BEAR, 2, id="a challenge no provider took is not given back"),
        pytest.param(
            ("C1 accepted", "R1 accepted"), BEAR, 2, id="an accepted response ends its round"
        ),
        pytest.param(
            ("C1 accepted", "R1 invalid"), BEAR, 2, id="an invalid response ends its round"
        ),
        pytest.param(
            ("C1 accepted", "R1 refused"), BEAR, 2, id="a refused response ends its round"
        ),
    ],
)
def test_the_next_half_round(steps: tuple[str, ...], who: Role, round_: int) -> None:
    kind = SlotKind.CHALLENGE if who is BEAR else SlotKind.RESPONSE
    assert next_half_round(pair(*steps)) == (who, half_round_slot(kind, round_))


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(("C1 closed",), id="bear has nothing further"),
        pytest.param(("C1 accepted", "R1 closed"), id="bull has nothing further"),
        pytest.param(("C1 invalid", "C2 invalid"), id="both challenges were invalid"),
        pytest.param(("C1 refused", "C2 refused"), id="both challenges were refused"),
        pytest.param(
            ("C1 accepted", "R1 accepted", "C2 accepted", "R2 accepted"), id="two full rounds"
        ),
        pytest.param(
            ("C1 accepted", "R1 accepted", "C2 unused"), id="the last challenge was never taken"
        ),
    ],
)
def test_no_round_is_left(steps: tuple[str, ...]) -> None:
    assert next_half_round(pair(*steps)) is None


class TestHalfRoundSlot:
    def test_an_openings_turn_comes_before_all_rounds(self) -> None:
        assert OPENING.turn == 1
        assert half_round_slot(SlotKind.CHALLENGE, 1) == Slot(Purpose.CHALLENGE, turn=2, round=1)
        assert half_round_slot(SlotKind.RESPONSE, 3) == Slot(Purpose.RESPONSE, turn=4, round=3)


DUTIES = [
    pytest.param(CREATED, {MAIN: PLAN}, id="a new root: main plans"),
    pytest.param(PLANNED, {BULL: OPENING, BEAR: OPENING}, id="planned: both open, main waits"),
    pytest.param(
        replace(PLANNED, openings=frozenset({BULL})), {BEAR: OPENING}, id="one opening stands"
    ),
    pytest.param(OPENED, {}, id="both openings stand: nobody, until the host freezes the pair"),
    pytest.param(paired(), {BEAR: Slot(Purpose.CHALLENGE, 2, 1)}, id="frozen: bear"),
    pytest.param(
        paired("C1 accepted"), {BULL: Slot(Purpose.RESPONSE, 2, 1)}, id="challenged: bull"
    ),
    pytest.param(
        paired("C1 accepted", "R1 accepted"),
        {BEAR: Slot(Purpose.CHALLENGE, 3, 2)},
        id="answered: bear's next round",
    ),
    pytest.param(
        paired("C1 closed", end_reason="no_strong_counterexample"),
        {},
        id="an ended pair has no duty, and main waits until its members are finished",
    ),
    pytest.param(
        replace(OPENED, no_pair="refused_scope"), {}, id="no pair was formed: no half-round"
    ),
    pytest.param(
        replace(OPENED, executions=states(OPENED, **ENDED)),
        {MAIN: SYNTHESIS},
        id="all have ended: main's synthesis",
    ),
    pytest.param(
        replace(OPENED, executions=states(OPENED, bull=ChildState.FAILED)),
        {},
        id="one has failed and the other has not ended: main waits",
    ),
    pytest.param(
        replace(
            PLANNED,
            openings=frozenset({BEAR}),
            executions=states(PLANNED, bull=ChildState.FAILED, bear=ChildState.FINISHED),
        ),
        {MAIN: SYNTHESIS},
        id="one has failed: the other side's work is kept",
    ),
    pytest.param(
        replace(
            PLANNED, executions=states(PLANNED, bull=ChildState.FAILED, bear=ChildState.FAILED)
        ),
        {MAIN: Compile()},
        id="no opening stands: nothing to synthesise",
    ),
    pytest.param(
        replace(OPENED, executions=states(OPENED, **ENDED), synthesis=True),
        {MAIN: Compile()},
        id="the synthesis is recorded or given up: the host compiles",
    ),
    pytest.param(
        replace(
            OPENED,
            state=RootState.FINALIZING,
            cause=Cause.CANCELLED,
            executions=states(OPENED, bull=ChildState.STOPPED, bear=ChildState.STOPPED),
        ),
        {MAIN: Compile()},
        id="cancelled: the host compiles, without a call",
    ),
    pytest.param(
        replace(
            OPENED,
            state=RootState.FINALIZING,
            cause=Cause.CANCELLED,
            executions=states(OPENED, bull=ChildState.STOPPED, bear=ChildState.RUNNING),
        ),
        {},
        id="cancelled: main waits for the one whose call is under way",
    ),
    pytest.param(
        replace(paired(), now=PEERS_STOP_AT), {}, id="peers stop: no half-round any more"
    ),
    pytest.param(replace(PLANNED, now=PEERS_STOP_AT), {}, id="peers stop: no opening any more"),
    pytest.param(
        replace(OPENED, now=PEERS_STOP_AT, executions=states(OPENED, **ENDED)),
        {MAIN: SYNTHESIS},
        id="peers stopped: synthesis uses the rest",
    ),
    pytest.param(
        replace(OPENED, now=DEADLINE_AT, executions=states(OPENED, **ENDED)),
        {MAIN: Compile()},
        id="past the deadline: the host compiles",
    ),
    pytest.param(
        replace(CREATED, now=PEERS_STOP_AT), {MAIN: Compile()}, id="too late to plan anything"
    ),
    pytest.param(
        replace(OPENED, state=RootState.FINISHED, executions=states(OPENED, **ENDED)),
        {},
        id="an ended root asks nothing of anybody",
    ),
]


class TestDuty:
    @pytest.mark.parametrize(("view", "duties"), DUTIES)
    def test_of_every_execution(self, view: View, duties: dict[Role, object]) -> None:
        found = {role: duty(view, role) for role in view.executions}
        assert {role: due for role, due in found.items() if due is not None} == duties

    @pytest.mark.parametrize(("view", "duties"), DUTIES)
    def test_names_who_is_woken(self, view: View, duties: dict[Role, object]) -> None:
        assert next_actor(view) == frozenset(duties)

    @pytest.mark.parametrize("pattern", [Pattern.SINGLE, Pattern.PARALLEL])
    def test_without_a_dialogue_an_opening_is_all(self, pattern: Pattern) -> None:
        view = replace(OPENED, pattern=pattern)
        assert next_actor(view) == frozenset()
        assert duty(replace(view, openings=frozenset()), BULL) == OPENING

    @pytest.mark.parametrize("steps", [(), ("C1 accepted",), ("C1 spent",), ("C1 invalid",)])
    def test_an_ended_pair_has_none_although_a_round_is_left(self, steps: tuple[str, ...]) -> None:
        view = paired(*steps, end_reason="context_full")
        assert [duty(view, role) for role in (BULL, BEAR)] == [None, None]

    def test_an_ended_execution_has_none(self) -> None:
        for state in (ChildState.FINISHED, ChildState.FAILED, ChildState.STOPPED):
            view = replace(paired(), executions=states(OPENED, bear=state))
            assert duty(view, BEAR) is None


class TestPeersMayWork:
    def test_until_their_time_is_over(self) -> None:
        assert peers_may_work(OPENED)
        assert not peers_may_work(replace(OPENED, now=PEERS_STOP_AT))

    @pytest.mark.parametrize(
        "state", [state for state in RootState if state is not RootState.OPEN]
    )
    def test_only_while_the_root_is_open(self, state: RootState) -> None:
        assert not peers_may_work(replace(OPENED, state=state))


class TestPrivateResearch:
    """A side with material of its own researches in it before it opens."""

    def test_comes_first_and_is_no_opening(self) -> None:
        view = replace(PLANNED, to_research=frozenset({Role.BEAR}))
        assert duty(view, Role.BEAR) == PRIVATE_RESEARCH
        assert duty(view, Role.BULL) == OPENING
        assert duty(replace(view, to_research=frozenset()), Role.BEAR) == OPENING

    def test_ends_with_the_peers_time(self) -> None:
        view = replace(PLANNED, to_research=frozenset({Role.BEAR}), now=PEERS_STOP_AT)
        assert duty(view, Role.BEAR) is None
