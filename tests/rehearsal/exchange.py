"""Play a whole exchange against the server, with a toy portfolio in the host's place."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from dialogue.answers import BearAnswer, BullAnswer, SynthesisAnswer
from research.answers import OpeningAnswer, PlanAnswer
from tests.rehearsal import asking, toy
from tests.rehearsal.asking import Client


@dataclass
class Played:
    """What both sides and Main said."""

    question: str
    arguments: dict[str, dict[str, str]] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    openings: dict[str, OpeningAnswer] = field(default_factory=dict)
    claims: dict[str, tuple[str, str]] = field(default_factory=dict)  # handle → author, quote
    status: dict[str, str] = field(default_factory=dict)
    challenge: BearAnswer | None = None
    response: BullAnswer | None = None
    second: BearAnswer | None = None
    synthesis: SynthesisAnswer | None = None

    @property
    def dispositions(self) -> dict[str, str]:
        assert self.synthesis is not None
        return {one.claim: str(one.disposition) for one in self.synthesis.dispositions}

    def claim_blocks(self) -> list[str]:
        return [
            asking.block(f"claim {handle} | {author} | {self.status[handle]}", quote)
            for handle, (author, quote) in self.claims.items()
        ]

    def material(self, role: str) -> list[str]:
        handle = {"bull": "T2", "bear": "T4"}[role]
        return [
            asking.block("question | requester", self.question),
            asking.block("opening | bull", self.openings["bull"].statement),
            asking.block("opening | bear", self.openings["bear"].statement),
            asking.tool_block(handle, "look_through", self.results[role]),
            *self.claim_blocks(),
        ]


def plan(client: Client, question: str, wished: str = "auto") -> PlanAnswer:
    blocks = [asking.block("question | requester", question), f"[plan | wished {wished}]"]
    return PlanAnswer.model_validate_json(client.text(asking.body("plan", "main", blocks)))


def opening(client: Client, funds: list[toy.Fund], played: Played, role: str) -> None:
    """Run the tool loop of one opening as a host does, and keep what came of it."""
    first = {"bull": 1, "bear": 3}[role]
    blocks = [asking.block("question | requester", played.question)]
    request = asking.body("opening", role, blocks, tools=True)
    name, arguments = client.call(request)
    assert (name, arguments) == ("list_sources", {})
    _give(request, f"T{first}", name, toy.list_sources(funds))
    name, arguments = client.call(request)
    assert name == "look_through"
    played.arguments[role] = arguments
    played.results[role] = toy.look_through(funds, arguments)
    _give(request, f"T{first + 1}", name, played.results[role])
    answer = OpeningAnswer.model_validate_json(client.text(request))
    assert all(claim.quote in answer.statement for claim in answer.claims)
    assert {handle for claim in answer.claims for handle in claim.evidence} <= {f"T{first + 1}"}
    played.openings[role] = answer
    for claim in answer.claims:
        handle = f"C{len(played.claims) + 1}"
        played.claims[handle] = (role, claim.quote)
        played.status[handle] = "OPEN"


def _give(request: dict[str, Any], handle: str, name: str, result: object) -> None:
    call = {"id": handle, "type": "function", "function": {"name": name, "arguments": "{}"}}
    request["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": handle,
            "content": asking.tool_block(handle, name, result),
        },
    ]


def challenge(client: Client, played: Played, blocks: list[str] | None = None) -> BearAnswer:
    request = asking.body("challenge", "bear", played.material("bear") + (blocks or []))
    return BearAnswer.model_validate_json(client.text(request))


def respond(client: Client, played: Played, message: str) -> BullAnswer:
    request = asking.body("response", "bull", [*played.material("bull"), message])
    return BullAnswer.model_validate_json(client.text(request))


def synthesis(client: Client, played: Played, messages: list[str]) -> SynthesisAnswer:
    blocks = [
        asking.block("question | requester", played.question),
        *played.claim_blocks(),
        *messages,
        asking.tool_block("T2", "look_through", played.results["bull"], "bull"),
        asking.tool_block("T4", "look_through", played.results["bear"], "bear"),
    ]
    for role, answer in played.openings.items():
        blocks += [asking.block(f"unknown | {role}", line) for line in answer.unknown]
        blocks += [asking.block(f"would_change | {role}", line) for line in answer.would_change]
    request = asking.body("synthesis", "main", blocks)
    return SynthesisAnswer.model_validate_json(client.text(request))


def play(client: Client, question: str, funds: list[toy.Fund]) -> Played:
    """Play openings, one round, Bear's second slot, and the synthesis."""
    played = Played(question)
    opening(client, funds, played, "bull")
    opening(client, funds, played, "bear")
    messages: list[str] = []
    played.challenge = challenge(client, played)
    if played.challenge.kind == "challenge":
        assert set(played.challenge.evidence) <= {"T4"}
        for handle in played.challenge.claims:
            assert played.claims[handle][0] == "bull"
            played.status[handle] = "CONTESTED"
        messages.append(
            asking.block("message M1 | bear | challenge | round 1", played.challenge.text)
        )
        played.response = respond(client, played, messages[0])
        assert [one.claim for one in played.response.answers] == played.challenge.claims
        for answer in played.response.answers:
            if answer.action == "concede":
                played.status[answer.claim] = "CONCEDED"
        messages.append(
            asking.block("message M2 | bull | response | round 1", played.response.text)
        )
        played.second = challenge(client, played, messages)
    played.synthesis = synthesis(client, played, messages)
    return played


def show(played: Played) -> str:
    """Return everything said, for a person to read."""
    said: dict[str, Any] = {
        **played.openings,
        "challenge": played.challenge,
        "response": played.response,
    }
    said |= {"second": played.second, "synthesis": played.synthesis}
    return json.dumps(
        {key: one.model_dump() if one else None for key, one in said.items()}, indent=1
    )
