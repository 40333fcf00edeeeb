"""Which Roots are opened, and when: all of it follows from the seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from config.env import PROJECT
from research.asking import GivenFile, Question
from research.rules import Wish

SAMPLES = PROJECT / "research" / "domains" / "investment" / "samples"
OPENED_WITHIN = 0.85  # of the time: the last Roots are hurt too
MARK = "mark-of-a-question"  # stands in every question, and so may stand in no log and no hint
_ASKED = {
    "": "Should I move 10 points of the portfolio into the Technology ETF, because one more fund "
    "means more diversification?",
    "no_new_exposure": "I want to add 10 points of World Select ETF, because another fund spreads "
    "the risk further. Does it?",
    "bond_share": "Should I move 15 points into Global Bond ETF, because more lines mean more "
    "diversification?",
    "defended": "Does moving 10 points into Health Care ETF make the portfolio more balanced?",
}
_WISHES = (Wish.AUTO, Wish.AUTO, Wish.REQUIRE, Wish.REQUIRE, Wish.EXCLUDE)


@dataclass(frozen=True, slots=True)
class Planned:
    """A Root to open.

    Args:
        at: seconds after the beginning.
    """

    at: float
    question: Question


def planned(seed: int, roots: int, seconds: float) -> Iterator[Planned]:
    """Yield all Roots of a run, in order."""
    chance = random.Random(f"questions {seed}")  # noqa: S311  a mixture, not a secret
    moments = sorted(chance.uniform(0, OPENED_WITHIN * seconds) for _ in range(roots))
    for number, at in enumerate(moments, start=1):
        folder = chance.choice(sorted(_ASKED))
        question = Question(
            text=f"{_ASKED[folder]} ({MARK})",
            files=_files(folder),
            wish=chance.choice(_WISHES),
            rounds=chance.randint(1, 3),
            external_id=f"chaos-{seed}-{number}",
        )
        yield Planned(at, question)


def _files(folder: str) -> list[GivenFile]:
    paths = sorted((SAMPLES / folder).glob("*.csv"))
    return [GivenFile(path.name, path.read_bytes()) for path in paths]
