"""When a pair is formed and why it ends: design.md D9, D10."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bullbear.lifecycle import Cause, ChildState, Role, RootState
from dialogue.pair_rules import may_freeze, pair_end, peer_is_through, why_no_pair
from dialogue.rules import EndReason, View
from research.answers import Pattern
from tests.rules.views import CREATED, OPENED, PEERS_STOP_AT, PLANNED, paired, states

CANCELLED: dict[str, Any] = {"state": RootState.FINALIZING, "cause": Cause.CANCELLED}
LATE: dict[str, Any] = {"now": PEERS_STOP_AT}
NO_BUDGET: dict[str, Any] = {"peer_budget": False}
ROUND = ("C1 accepted", "R1 accepted")
BULL_ENDED: dict[str, Any] = {"executions": states(OPENED, bull=ChildState.FAILED)}

ORDER = (  # design.md D10: "one stored end reason, the first that holds"
    "cancelled", "deadline", "budget", "participant_ended", "outcome_unknown", "context_full",
    "refused_scope", "invalid_output", "provider_unavailable", "extraction_failed",
    "no_strong_counterexample", "settled", "declined", "converged", "max_rounds", "mutual_wait",
)  # fmt: skip
FROM_ELSEWHERE = {
    EndReason.CONTEXT_FULL,  # where a request is composed
    EndReason.MUTUAL_WAIT,  # where everybody parks
    EndReason.EXTRACTION_FAILED,  # of a registrar
    EndReason.CONVERGED,  # of a registrar
}


def test_the_reasons_are_listed_in_their_order() -> None:
    assert tuple(EndReason) == ORDER


ENDS: list[tuple[View, EndReason | None, str]] = [
    (paired(), None, "a fresh pair goes on"),
    (paired("C1 spent"), None, "a half-round under way goes on"),
    (paired("C1 accepted", claims="CONTESTED"), None, "a challenge waits for its response"),
    (paired("C1 invalid"), None, "an invalid challenge leaves a round"),
    (paired("C1 unused"), None, "a challenge no provider took leaves a round"),
    (paired("C1 refused", scope_refusals=1), None, "one refused send leaves a round"),
    (paired("C1 accepted", "R1 accepted", claims="CONTESTED"), None, "a defended claim goes on"),
    (
        paired("C1 accepted", "R1 accepted", claims="CONCEDED CONTESTED"),
        None,
        "one of two challenged claims is conceded",
    ),
    (replace(paired(), **CANCELLED), EndReason.CANCELLED, "cancelled before the first round"),
    (
        replace(paired("C1 spent"), **CANCELLED),
        EndReason.CANCELLED,
        "cancelled with a call under way",
    ),
    (replace(paired(), **LATE), EndReason.DEADLINE, "the time of peers is over"),
    (
        replace(paired(), state=RootState.FINALIZING, cause=Cause.DEADLINE),
        EndReason.DEADLINE,
        "the sweeper has passed the deadline",
    ),
    (replace(paired(), **NO_BUDGET), EndReason.BUDGET, "no further request can be paid"),
    (replace(paired("C1 spent"), **NO_BUDGET), None, "the request under way is paid"),
    (replace(paired(), **BULL_ENDED), EndReason.PARTICIPANT_ENDED, "bull has ended"),
    (paired("C1 unknown"), EndReason.OUTCOME_UNKNOWN, "nobody knows whether bear spoke"),
    (
        paired("C1 accepted", "R1 unknown", claims="CONTESTED"),
        EndReason.OUTCOME_UNKNOWN,
        "nobody knows whether bull spoke",
    ),
    (
        paired("C1 refused", "C2 refused", scope_refusals=2),
        EndReason.REFUSED_SCOPE,
        "two refused sends",
    ),
    (
        paired("C1 refused", "C2 refused", rounds=3, scope_refusals=2),
        EndReason.REFUSED_SCOPE,
        "two refused sends, although a round is left",
    ),
    (paired("C1 invalid", "C2 invalid"), EndReason.INVALID_OUTPUT, "the last slot was invalid"),
    (
        paired("C1 accepted", "R1 invalid", rounds=1, claims="CONTESTED"),
        EndReason.INVALID_OUTPUT,
        "the last response was invalid",
    ),
    (
        paired("C1 invalid", "C2 accepted", "R2 accepted", claims="CONTESTED"),
        EndReason.MAX_ROUNDS,
        "an invalid slot that was not the last is no reason",
    ),
    (paired("C1 unused", rounds=1), EndReason.PROVIDER_UNAVAILABLE, "the last slot was not taken"),
    (paired("C1 closed"), EndReason.NO_STRONG_COUNTEREXAMPLE, "bear asks nothing at all"),
    (
        paired("C1 invalid", "C2 closed"),
        EndReason.NO_STRONG_COUNTEREXAMPLE,
        "bear closes before any accepted challenge",
    ),
    (
        paired("C1 accepted", "R1 accepted", claims="CONCEDED OPEN"),
        EndReason.SETTLED,
        "every challenged claim is conceded",
    ),
    (
        paired("C1 accepted", "R1 accepted", rounds=1, claims="CONCEDED"),
        EndReason.SETTLED,
        "settled in the last round",
    ),
    (paired(*ROUND, "C2 spent", claims="CONCEDED"), None, "what is under way is awaited"),
    (paired("C1 accepted", "R1 closed", claims="CONTESTED"), EndReason.DECLINED, "bull declines"),
    (
        paired("C1 accepted", "R1 accepted", "C2 closed", claims="CONTESTED"),
        EndReason.DECLINED,
        "bear declines after a challenge",
    ),
    (
        paired("C1 accepted", "R1 accepted", rounds=1, claims="CONTESTED"),
        EndReason.MAX_ROUNDS,
        "the one allowed round is used",
    ),
    (
        replace(paired("C1 accepted", "R1 accepted", rounds=1, claims="CONTESTED"), **NO_BUDGET),
        EndReason.MAX_ROUNDS,
        "no further request is needed, so the budget is no reason",
    ),
    (paired("C1 refused", rounds=1, scope_refusals=1), EndReason.MAX_ROUNDS, "one refused send"),
]


class TestPairEnd:
    @pytest.mark.parametrize(
        ("view", "reason"), [pytest.param(view, reason, id=id_) for view, reason, id_ in ENDS]
    )
    def test_is_the_first_reason_that_holds(self, view: View, reason: EndReason | None) -> None:
        assert pair_end(view) == reason

    def test_reaches_every_reason_that_needs_no_registrar(self) -> None:
        assert {reason for _, reason, _ in ENDS if reason} == set(EndReason) - FROM_ELSEWHERE

    @pytest.mark.parametrize(
        ("first", "second", "view"),
        [
            ("cancelled", "deadline", replace(paired(), **CANCELLED, **LATE)),
            ("deadline", "budget", replace(paired(), **LATE, **NO_BUDGET)),
            ("budget", "participant_ended", replace(paired(), **NO_BUDGET, **BULL_ENDED)),
            ("budget", "outcome_unknown", replace(paired("C1 unknown"), **NO_BUDGET)),
            ("participant_ended", "outcome_unknown", replace(paired("C1 unknown"), **BULL_ENDED)),
            ("outcome_unknown", "refused_scope", paired("C1 unknown", scope_refusals=2)),
            ("refused_scope", "invalid_output", paired("C2 invalid", scope_refusals=2)),
            ("refused_scope", "provider_unavailable", paired("C2 unused", scope_refusals=2)),
            ("invalid_output", "max_rounds", paired("C2 invalid")),
            ("provider_unavailable", "max_rounds", paired("C2 unused")),
            ("no_strong_counterexample", "declined", paired("C1 closed", claims="OPEN")),
            ("settled", "declined", paired(*ROUND, "C2 closed", claims="CONCEDED")),
            ("settled", "max_rounds", paired(*ROUND, rounds=1, claims="CONCEDED")),
            ("declined", "max_rounds", paired(*ROUND, "C2 closed", claims="CONTESTED")),
        ],
    )
    def test_of_two_that_hold_stores_the_first(self, first: str, second: str, view: View) -> None:
        assert ORDER.index(first) < ORDER.index(second)
        assert pair_end(view) == first

    def test_is_decided_once(self) -> None:
        ended = paired("C1 closed", end_reason="no_strong_counterexample")
        assert pair_end(replace(ended, **CANCELLED)) is None

    def test_without_a_pair_is_none(self) -> None:
        assert pair_end(OPENED) is None


class TestMayFreeze:
    def test_once_both_openings_stand(self) -> None:
        assert may_freeze(OPENED)

    @pytest.mark.parametrize(
        "view",
        [
            pytest.param(CREATED, id="nothing is planned"),
            pytest.param(PLANNED, id="no opening stands"),
            pytest.param(
                replace(OPENED, openings=frozenset({Role.BULL})), id="only bull's stands"
            ),
            pytest.param(
                replace(OPENED, openings=frozenset({Role.BEAR})), id="only bear's stands"
            ),
            pytest.param(replace(OPENED, pattern=Pattern.PARALLEL), id="no dialogue is planned"),
            pytest.param(paired(), id="joining twice is the same act"),
            pytest.param(replace(OPENED, no_pair="refused_scope"), id="it was refused before"),
            pytest.param(replace(OPENED, **LATE), id="the time of peers is over"),
            pytest.param(replace(OPENED, **CANCELLED), id="it was cancelled"),
            pytest.param(replace(OPENED, **BULL_ENDED), id="bull ended before the join"),
        ],
    )
    def test_never_when(self, view: View) -> None:
        assert not may_freeze(view)


class TestWhyNoPair:
    @pytest.mark.parametrize(
        ("view", "reason"),
        [
            pytest.param(PLANNED, None, id="openings are still to come"),
            pytest.param(OPENED, None, id="it can be formed now"),
            pytest.param(paired(), None, id="it is formed"),
            pytest.param(replace(PLANNED, pattern=Pattern.PARALLEL), None, id="none was planned"),
            pytest.param(
                replace(PLANNED, no_pair="deadline", **CANCELLED), None, id="it was said before"
            ),
            pytest.param(replace(PLANNED, **CANCELLED), EndReason.CANCELLED, id="cancelled"),
            pytest.param(replace(PLANNED, **LATE), EndReason.DEADLINE, id="too late"),
            pytest.param(
                replace(PLANNED, **BULL_ENDED), EndReason.PARTICIPANT_ENDED, id="bull has failed"
            ),
            pytest.param(
                replace(PLANNED, **BULL_ENDED, **LATE), EndReason.DEADLINE, id="deadline first"
            ),
        ],
    )
    def test_is_the_first_reason_that_holds(self, view: View, reason: EndReason | None) -> None:
        assert why_no_pair(view) == reason


class TestPeerIsThrough:
    @pytest.mark.parametrize(
        ("view", "through"),
        [
            pytest.param(PLANNED, False, id="its opening is to come"),
            pytest.param(OPENED, False, id="a pair may still be frozen"),
            pytest.param(paired(), False, id="the exchange is under way"),
            pytest.param(
                replace(OPENED, pattern=Pattern.PARALLEL), True, id="no exchange follows"
            ),
            pytest.param(replace(OPENED, no_pair="refused_scope"), True, id="no pair was formed"),
            pytest.param(paired(end_reason="max_rounds"), True, id="the pair has ended"),
            pytest.param(replace(paired(), **LATE), True, id="the time of peers is over"),
            pytest.param(replace(PLANNED, **CANCELLED), True, id="cancelled"),
            pytest.param(replace(OPENED, **BULL_ENDED), False, id="it has ended already"),
            pytest.param(CREATED, False, id="it was never created"),
        ],
    )
    def test_of_bull(self, view: View, through: bool) -> None:  # noqa: FBT001
        assert peer_is_through(view, Role.BULL) is through

    def test_a_lone_opening_is_no_end_while_the_other_may_come(self) -> None:
        view = replace(PLANNED, openings=frozenset({Role.BULL}))
        assert not peer_is_through(view, Role.BULL)
        alone = replace(view, no_pair="participant_ended")
        assert peer_is_through(alone, Role.BULL)
