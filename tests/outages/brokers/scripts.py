"""What the provider says before its usual answers: calls held back at a gate, told by their Root."""

from __future__ import annotations

from tests.scripted import (
    BEAR_CLAIM,
    BEAR_OPENING,
    PLAN,
    a_challenge,
    a_plan,
    an_opening,
    challenge_in,
    says,
)

SENDING = "(Root sending.)"
IN_CALLS = "(Root in calls.)"
IN_A_CALL = "(Root in a call.)"
ANSWERED = {"before": "(Root answered before.)", "frozen": "(Root answered while frozen.)"}
ANSWERED_IN_A_PHASE = 3  # Roots

SCRIPT = [
    says(BEAR_OPENING, an_opening(BEAR_CLAIM), also=SENDING, gate="bear opens"),
    says(challenge_in(1), a_challenge("C1"), also=SENDING, gate="bear challenges"),
    says(PLAN, a_plan(), also=IN_CALLS, gate="in calls", times=2),
    says(PLAN, a_plan(), also=IN_A_CALL, gate="in a call"),
    *(
        says(PLAN, a_plan(), also=tag, gate=phase, times=ANSWERED_IN_A_PHASE)
        for phase, tag in ANSWERED.items()
    ),
]
