"""What one request may cost, and what a Root must be able to afford.

Units: tokens are estimated from above before the call and settled with the provider's figures after it.

Source: design.md D17.
"""

from __future__ import annotations

from collections.abc import Mapping

from bullbear.budget import Amounts
from research.rules import Purpose

ANSWER_TOKENS: Mapping[Purpose, int] = {
    Purpose.PLAN: 500,
    Purpose.RESEARCH: 2_500,
    Purpose.OPENING: 2_500,
    Purpose.CHALLENGE: 2_000,
    Purpose.RESPONSE: 2_000,
    Purpose.REGISTRATION: 2_000,
    Purpose.SYNTHESIS: 4_000,
    Purpose.REASONING_AUDIT: 2_000,
}
BYTES_PER_TOKEN = (
    3  # below what tokenizers make of English or Chinese UTF-8: an upper bound of tokens
)
TOOL_CALLS_PER_ANSWER = 4
QUESTION_CHARACTERS = 10_000
FINAL_CALL_TOKENS = 16_000  # one synthesis or reasoning audit, request and answer
SMALLEST_OPENING_TOKENS = 6_000
HAND_BACK = Amounts(model_calls=4, tokens=4 * FINAL_CALL_TOKENS)
TWO_OPENINGS = Amounts(model_calls=3, tokens=3 * SMALLEST_OPENING_TOKENS)  # and the plan
PRIVATE_RESEARCH = Amounts(model_calls=2, tokens=2 * SMALLEST_OPENING_TOKENS)  # each side's
ONE_ROUND = Amounts(model_calls=2, tokens=2 * SMALLEST_OPENING_TOKENS)


def tokens_for(purpose: Purpose, body_bytes: int) -> int:
    """Estimate from above what a request of this size and its answer will use."""
    return -(-body_bytes // BYTES_PER_TOKEN) + ANSWER_TOKENS[purpose]
