"""The explorer itself: it runs every interleaving once, sees real lock waits, and repeats itself."""

from __future__ import annotations

from functools import partial
from math import comb

import pytest

from bullbear.lifecycle import Role
from dialogue.cancel import cancel
from tests.races.explorer import Acts, Explored, Outcomes, explore
from tests.races.naive import put, run, said, say, state_of, transaction
from tests.races.stage import Stage, nobody_failed
from tests.usecases.scene import Scene


def says(times: int, who: str) -> None:
    """Write so many facts, each a step, with a COMMIT as the last."""
    with transaction():
        for _ in range(times):
            say("word", who)


def moves_bull(who: str) -> None:
    """Write one row that others write too."""
    with transaction():
        run("UPDATE naive.execution SET state = %s WHERE name = 'bull'", who)


def explored(acts: Acts, *, only: str | None = None) -> Explored:
    def prepare() -> Acts:
        put(bull="ready")
        return acts

    return explore(prepare, nobody_failed, every_statement=True, only=only)


@pytest.mark.usefixtures("naive")
class TestExplore:
    """All schedules of sessions, each once."""

    @pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 1), (3, 2)])
    def test_runs_every_interleaving_of_sessions_that_do_not_meet(self, a: int, b: int) -> None:
        """As many as there are ways to merge their steps, COMMIT included; no name twice."""
        found = explored({"a": partial(says, a, "a"), "b": partial(says, b, "b")})
        assert found.held() == comb(a + b + 2, a + 1)
        names = {one.name for one in found.ran}
        assert len(names) == len(found.ran)
        assert " ".join(["a"] * (a + 1) + ["b"] * (b + 1)) in names
        assert not any(one.waited for one in found.ran)

    def test_does_not_choose_who_waits_for_a_lock(self) -> None:
        """Both write one row: who comes second goes on only after the first one's COMMIT."""
        found = explored({"a": partial(moves_bull, "a"), "b": partial(moves_bull, "b")})
        assert sorted(one.name for one in found.ran) == [
            "a a b b",
            "a b a b",
            "b a b a",
            "b b a a",
        ]
        assert [one.name for one in found.ran if one.waited] == ["a b a b", "b a b a"]

    def test_says_what_each_step_was(self) -> None:
        """A losing schedule can be read."""
        found = explored({"a": partial(moves_bull, "a"), "b": partial(moves_bull, "b")})
        [one] = [one for one in found.ran if one.name == "a b a b"]
        update = "UPDATE naive.execution SET state = %s WHERE name = 'bull'"
        assert one.steps == [
            f"a: {update}",
            f"b: {update}",
            "(b waits)",
            "a: COMMIT",
            "b: COMMIT",
        ]

    def test_runs_one_schedule_again_by_its_name(self) -> None:
        """The same choices make the same schedule."""
        acts = {"a": partial(moves_bull, "a"), "b": partial(moves_bull, "b")}
        for name, last in (("a b a b", "b"), ("b a b a", "a")):
            [one] = explored(acts, only=name).ran
            assert (one.name, state_of("bull")) == (name, last)

    def test_tells_a_judge_what_failed(self) -> None:
        """What a session raises is its outcome, and the others go on."""

        def fails() -> None:
            run("SELECT 1 / 0")

        def judge(outcomes: Outcomes) -> None:
            assert type(outcomes["a"].failed).__name__ == "DataError"
            assert outcomes["b"].failed is None
            assert said("word") == 1

        def prepare() -> Acts:
            put()
            return {"a": fails, "b": partial(says, 1, "b")}

        assert explore(prepare, judge, every_statement=True).held() == 3


@pytest.mark.usefixtures("database")
class TestWholeUnderTheRootLock:
    """The statements under a Root lock may be one step."""

    def test_loses_nothing(self, challenged: Scene) -> None:
        """A record and a cancel, between every two statements and not: the same ends."""
        stage = Stage(challenged)
        response = stage.answered(Role.BULL)
        ends: set[tuple[str, bool]] = set()

        def holds(_: Outcomes) -> None:
            bull_first = len(challenged.messages()) == 2
            assert challenged.pair.end_reason == ("settled" if bull_first else "cancelled")
            ends.add((challenged.pair.end_reason, bull_first))

        acts: Acts = {
            "bull": stage.records(response),
            "operator": partial(cancel, challenged.root.pk),
        }
        assert stage.race(holds, acts).held() == 4
        few = set(ends)
        ends.clear()
        many = stage.race(holds, acts, every_statement=True)
        # Whoever comes second asks for the lock before any further step of the first, or after all.
        bull_first, operator_first = many.ran[0].name, many.ran[-1].name
        assert many.held() == bull_first.count("bull") + operator_first.count("operator") > 20
        assert ends == few == {("settled", True), ("cancelled", False)}
