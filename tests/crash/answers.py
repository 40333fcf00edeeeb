"""What the provider says in every Root of the crash table, whichever opening was accepted first."""

from __future__ import annotations

from dataclasses import replace

from tests.provider_double import Behaviour
from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    BULL_CLAIM,
    BULL_OPENING,
    PLAN,
    SYNTHESIS,
    a_challenge,
    a_plan,
    a_response,
    a_synthesis,
    an_opening,
    challenge_in,
    response_in,
    says,
)

ALWAYS = 1_000_000


def answers() -> list[Behaviour]:
    """Bear challenges Bull's one claim, Bull concedes it, Main disposes of what is on record."""
    scripted = [
        says(PLAN, a_plan()),
        says(BULL_OPENING, an_opening(BULL_CLAIM)),
        says(BEAR_OPENING, an_opening(BEAR_CLAIM)),
        says(challenge_in(1), a_challenge("C1"), also="[claim C1 | bull |"),
        says(challenge_in(1), a_challenge("C2"), also="[claim C2 | bull |"),
        says(response_in(1), a_response("C1"), also="[claim C1 | bull |"),
        says(response_in(1), a_response("C2"), also="[claim C2 | bull |"),
        says(SYNTHESIS, a_synthesis(C1="withdrawn", C2="stands"), also="C1 | bull | CONCEDED"),
        says(SYNTHESIS, a_synthesis(C1="stands", C2="withdrawn"), also="C2 | bull | CONCEDED"),
        says(SYNTHESIS, a_synthesis(C1="stands", C2="unresolved"), also="[claim C2 |"),
        says(SYNTHESIS, a_synthesis(C1="unresolved"), also="[claim C1 |"),
    ]
    return [replace(one, times=ALWAYS) for one in scripted]
