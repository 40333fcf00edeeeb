"""What a claim rests on, and what an answer does with it: rules over plain English."""

from __future__ import annotations

import re
from enum import StrEnum

from config.rehearsal import premise
from config.rehearsal.request import Claim

_WORDS = re.compile(r"\w{3,}")
_FILLERS = frozenset(("the", "and", "that", "with", "from", "than", "for", "will", "would", "are"))
_SENTENCE = re.compile(r"[^.?!\n]+(?:\.\d[^.?!\n]*)*")
_FALLBACK = "the proposed change makes the portfolio broader"


class Stance(StrEnum):
    """What an answer does with one claim."""

    CONCEDE = "concede"
    REVISE = "revise"
    DEFEND = "defend"
    SILENT = "silent"  # the answer does not speak of it


_VERBS = {
    Stance.CONCEDE: re.compile(r"\b(?:withdr\w+|conced\w+|retract\w*|giv\w+ up)\b", re.IGNORECASE),
    Stance.REVISE: re.compile(
        r"\b(?:revis\w+|narrow\w*|reword\w*|rephras\w+|amend\w*)\b", re.IGNORECASE
    ),
    Stance.DEFEND: re.compile(
        r"\b(?:defend\w*|maintain\w*|uphold\w*|stands?|holds?)\b", re.IGNORECASE
    ),
}


def premise_of(question: str) -> str:
    """Return the premise to argue about: the stated one, else the supporting case as such."""
    return premise.stated(question) or _FALLBACK


def rests_on_premise(claim: Claim, question: str) -> bool:
    """Say whether a claim restates the premise: at least half of its words stand in the claim."""
    wanted = set(_WORDS.findall(premise_of(question).lower())) - _FILLERS
    return bool(wanted) and 2 * len(wanted & set(_WORDS.findall(claim.quote.lower()))) >= len(
        wanted
    )


def direction_of(claim: Claim, question: str) -> int:
    """Say which way a claim speaks that rests on the premise; other claims speak neither way."""
    if not rests_on_premise(claim, question):
        return 0
    return premise.direction(claim.quote) or premise.direction(premise_of(question))


def read(text: str, handle: str) -> Stance:
    """Read what `text` does with the claim, in the sentences that name it."""
    naming = [one for one in _SENTENCE.findall(text) if re.search(rf"\b{handle}\b", one)]
    for sentence in naming:
        for stance, verb in _VERBS.items():
            if verb.search(sentence):
                return stance
    return Stance.SILENT
