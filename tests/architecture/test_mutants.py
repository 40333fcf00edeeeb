"""The list of mutants stays true: each guard stands where it says, and its tests exist."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutants.guards import ROOT, Mutant, mutants

LEAST = 25


def test_there_are_enough() -> None:
    """And no two have one name."""
    assert len(mutants()) >= LEAST
    assert max(Counter(one.name for one in mutants()).values()) == 1


@pytest.mark.parametrize("guard", mutants(), ids=lambda one: one.name)
class TestEachGuard:
    def test_stands_where_it_says_and_once(self, guard: Mutant) -> None:
        """A guard that moved would be taken away from nowhere, and its test would seem to notice."""
        text = (ROOT / guard.path).read_text()
        assert guard.applied_to(text) != text

    def test_has_a_test_that_exists(self, guard: Mutant) -> None:
        """As a file, and as the class or function in it that is named."""
        for test in guard.killed_by:
            path, *names = test.split("::")
            place = ROOT / path
            assert place.exists()
            for name in names:
                text = place.read_text()
                assert f"class {name}:" in text or f"def {name}(" in text
