"""Which pattern a Root gets: the user's wish, Main's proposal, or the host.  design.md D10, D11."""

from __future__ import annotations

import pytest

from bullbear.lifecycle import Role
from research.answers import Pattern
from research.plans import EXECUTIONS, Decision, decide_plan
from research.rules import Wish

SINGLE, PARALLEL, DIALOGUE = Pattern.SINGLE, Pattern.PARALLEL, Pattern.DIALOGUE
TABLE = [
    (Wish.AUTO, SINGLE, SINGLE, "main", "main decides on one researcher"),
    (Wish.AUTO, PARALLEL, PARALLEL, "main", "main decides on two openings"),
    (Wish.AUTO, DIALOGUE, DIALOGUE, "main", "main decides on a dialogue"),
    (Wish.AUTO, None, PARALLEL, "host", "without a valid plan the host plans two openings"),
    (Wish.REQUIRE, SINGLE, DIALOGUE, "user", "a required dialogue is held against main's plan"),
    (Wish.REQUIRE, PARALLEL, DIALOGUE, "user", "a required dialogue replaces two openings"),
    (Wish.REQUIRE, DIALOGUE, DIALOGUE, "user", "a required dialogue is the user's decision"),
    (Wish.REQUIRE, None, DIALOGUE, "user", "a required dialogue needs no plan"),
    (Wish.EXCLUDE, SINGLE, SINGLE, "main", "an exclusion leaves main one researcher"),
    (Wish.EXCLUDE, PARALLEL, PARALLEL, "main", "an exclusion leaves main two openings"),
    (Wish.EXCLUDE, DIALOGUE, PARALLEL, "user", "exclusion beats main's dialogue"),
    (Wish.EXCLUDE, None, PARALLEL, "user", "an exclusion needs no plan"),
]


@pytest.mark.parametrize(
    ("wish", "proposed", "pattern", "decided_by"),
    [pytest.param(*row[:4], id=row[4]) for row in TABLE],
)
def test_decide_plan(
    wish: Wish, proposed: Pattern | None, pattern: Pattern, decided_by: str
) -> None:
    assert decide_plan(wish, proposed) == Decision(pattern, decided_by)


def test_the_table_is_whole() -> None:
    assert {row[:2] for row in TABLE} == {(w, p) for w in Wish for p in (*Pattern, None)}


def test_exclusion_beats_everything() -> None:
    assert all(decide_plan(Wish.EXCLUDE, p).pattern is not DIALOGUE for p in (*Pattern, None))


@pytest.mark.parametrize("pattern", list(Pattern))
def test_every_pattern_names_its_executions(pattern: Pattern) -> None:
    assert Role.MAIN not in EXECUTIONS[pattern]
    assert len(set(EXECUTIONS[pattern])) == len(EXECUTIONS[pattern]) > 0
