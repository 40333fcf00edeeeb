"""Answers for the double: valid ones by default, one field at a time made wrong by a test.

The double is told for which request an answer is: `WHEN` names the host's task line that stands in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.provider_double import Behaviour

PLAN = "[task | plan |"
RESEARCHER_OPENING = "[task | opening | researcher |"
BULL_RESEARCH = "[task | research | bull |"
BEAR_RESEARCH = "[task | research | bear |"
BULL_OPENING = "[task | opening | bull |"
BEAR_OPENING = "[task | opening | bear |"
CHALLENGE = "[task | challenge | bear |"
RESPONSE = "[task | response | bull |"
SYNTHESIS = "[task | synthesis |"

BULL_CLAIM = "A further fund spreads the money wider"
BEAR_CLAIM = "The fund overlaps with what is held"
COUNTER_QUOTE = "Its largest positions are held already"
CHALLENGE_TEXT = f"{COUNTER_QUOTE}, so one more fund is not one more bet."
RESPONSE_QUOTE = "I withdraw that the number of funds spreads risk"
RESPONSE_TEXT = f"{RESPONSE_QUOTE}; the direction of volatility stays open."


def challenge_in(round_: int) -> str:
    """Name Bear's request of one round, whatever its number of rounds."""
    return f"{CHALLENGE} round {round_} of"


def response_in(round_: int) -> str:
    """Name Bull's request of one round."""
    return f"{RESPONSE} round {round_} of"


def says(when: str, answer: Mapping[str, Any] | str, **behaviour: Any) -> Behaviour:
    """Answer the next request that holds `when` with a completion of this content."""
    content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Behaviour(when=when, content=content, **behaviour)


def asks_for(
    when: str, *calls: tuple[str, Mapping[str, Any] | str], **behaviour: Any
) -> Behaviour:
    """Answer with tool calls: (name, arguments), arguments as an object or as raw text."""
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{index}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments
                    if isinstance(arguments, str)
                    else json.dumps(arguments),
                },
            }
            for index, (name, arguments) in enumerate(calls)
        ],
    }
    return Behaviour(when=when, message=message, finish_reason="tool_calls", **behaviour)


def fails(when: str, **behaviour: Any) -> Behaviour:
    """Answer with a failure: a status, a cut, a hang."""
    return Behaviour(when=when, **behaviour)


def a_plan(pattern: str = "dialogue") -> dict[str, Any]:
    """Main proposes a pattern."""
    return {"pattern": pattern, "reason": "The premise is worth testing."}


def a_finding(finding: str = "The portfolio holds it already", **changed: Any) -> dict[str, Any]:
    """A child reports to Main what it found in its own material."""
    return {"finding": finding, "evidence": [], "unknown": ["correlations"], **changed}


def an_opening(*quotes: str, evidence: Sequence[str] = (), **changed: Any) -> dict[str, Any]:
    """A child states claims, each quoted from its statement."""
    return {
        "statement": f"{'. '.join(quotes)}.",
        "claims": [{"quote": quote, "evidence": list(evidence)} for quote in quotes],
        "unknown": ["whether total volatility rises or falls"],
        "would_change": ["a covariance matrix"],
        **changed,
    }


def a_challenge(*claims: str, **changed: Any) -> dict[str, Any]:
    """Bear brings counter-evidence against claims."""
    return {
        "kind": "challenge",
        "claims": list(claims or ["C1"]),
        "text": CHALLENGE_TEXT,
        "counter_quote": COUNTER_QUOTE,
        "evidence": [],
        "does_not_establish": "that risk rises",
        "checked": [],
        "unknown": [],
        **changed,
    }


def a_proposition(*claims: str, **changed: Any) -> dict[str, Any]:
    """Bear offers a narrowed wording for acceptance."""
    return a_challenge(*claims, **{"kind": "proposition", "counter_quote": "", **changed})


def nothing_further(**changed: Any) -> dict[str, Any]:
    """Bear has nothing more to ask, and says what it looked at."""
    return {
        "kind": "no_further",
        "claims": [],
        "text": "",
        "counter_quote": "",
        "evidence": [],
        "does_not_establish": "",
        "checked": ["the overlap of the ten largest positions"],
        "unknown": ["correlations"],
        **changed,
    }


def a_response(
    *claims: str, action: str = "concede", quote: str = RESPONSE_QUOTE, **changed: Any
) -> dict[str, Any]:
    """Bull answers each challenged claim in the same way."""
    return {
        "kind": "response",
        "text": RESPONSE_TEXT,
        "answers": [
            {"claim": claim, "action": action, "quote": quote} for claim in (claims or ["C1"])
        ],
        "evidence": [],
        "checked": [],
        "unknown": [],
        **changed,
    }


def no_response(**changed: Any) -> dict[str, Any]:
    """Bull has nothing more to say."""
    return {
        "kind": "no_further",
        "text": "",
        "answers": [],
        "evidence": [],
        "checked": ["the holdings"],
        "unknown": ["correlations"],
        **changed,
    }


def a_synthesis(*, evidence: Sequence[str] = (), **dispositions: str) -> dict[str, Any]:
    """Main disposes of each claim: C1="withdrawn", …."""
    return {
        "summary": "The exchange narrowed the premise.",
        "dispositions": [
            {
                "claim": claim,
                "disposition": disposition,
                "reason": "As the exchange shows.",
                "evidence": list(evidence),
            }
            for claim, disposition in dispositions.items()
        ],
        "open_questions": ["the direction of volatility"],
        "would_change": ["a covariance matrix"],
    }


def a_dialogue(*, bulls: str = "C1", bears: str = "C2") -> list[Behaviour]:
    """A whole dialogue: Bear challenges Bull's claim, Bull concedes it, Main disposes of both.

    What a test scripts before it is served first.  Handles follow the order in which openings are accepted:
    Bull's is C1 unless a test lets Bear open first.
    """
    return [
        says(PLAN, a_plan()),
        says(BULL_OPENING, an_opening(BULL_CLAIM), times=2),
        says(BEAR_OPENING, an_opening(BEAR_CLAIM), times=2),
        says(challenge_in(1), a_challenge(bulls)),
        says(response_in(1), a_response(bulls)),
        says(SYNTHESIS, a_synthesis(**{bulls: "withdrawn", bears: "stands"})),
    ]


BEAR_OPENS_FIRST = a_dialogue(bulls="C2", bears="C1")
