"""What the provider does with a call: chosen by name, meant for the model, played by the double.

Source: design.md D5, D10; scenarios.md group F.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bullbear.wire.call import Endpoint, Exchange, SealedCall
from bullbear.wire.provider import Provider
from tests import scripted
from tests.machine.facts import Request, Root, Said
from tests.provider_double import Behaviour, ProviderDouble

NOBODY_LISTENS = Endpoint.from_base_url("http://127.0.0.1:9/v1")
SAME_WORDS = "The same words again, as before."

# name: (status, headers, whether a repeat is worth while, Retry-After)
_REJECTIONS: dict[str, tuple[str, Behaviour, int | None, bool]] = {
    "429 at once": ("rate_limited", Behaviour(status=429, headers={"Retry-After": "0"}), 0, True),
    "429 soon": ("rate_limited", Behaviour(status=429), None, True),
    "429 in a minute": (
        "rate_limited",
        Behaviour(status=429, headers={"Retry-After": "60"}),
        60,
        True,
    ),
    "429 in hours": (
        "rate_limited",
        Behaviour(status=429, headers={"Retry-After": "9000"}),
        9000,
        True,
    ),
    "307": (
        "redirected",
        Behaviour(status=307, headers={"Location": "http://127.0.0.1:9/"}),
        None,
        True,
    ),
    "404": ("not_found", Behaviour(status=404), None, False),
}
_UNKNOWN: dict[str, tuple[str, Behaviour, bool]] = {
    "500": ("server_error", Behaviour(status=500), True),
    "409": ("conflict_status", Behaviour(status=409), True),
    "cut off": ("cut_off", Behaviour(cut="body"), True),
    "reset": ("reset", Behaviour(cut="before", then="reset"), False),
    "a page": ("not_a_completion", Behaviour(body=b"<html>", content_type="text/html"), True),
}
_INVALID: dict[str, tuple[str, Behaviour]] = {
    "prose": ("not_json", Behaviour(content="Let me think about it.")),
    "other fields": ("not_the_schema", Behaviour(content='{"verdict": "buy"}')),
    "truncated": ("truncated", Behaviour(content='{"kind"', finish_reason="length")),
    "nothing": ("empty", Behaviour(content="  ")),
}
VALID = ("valid", "valid, shorter", "valid, the same words", "no further")
TOOLS = ("reads the portfolio", "asks for no tool of ours")
FAILURES = (*_REJECTIONS, *_UNKNOWN, *_INVALID)
CONNECT_REFUSED = Said("rejected", "connect_refused", has_body=False, arrives=False)


def meant(choice: str, root: Root, request: Request, serial: int) -> tuple[Said, Behaviour]:
    """Say what an answer of this name is to this request, and how the double gives it.

    Args:
        choice: one of the names above.
        root: as the model has it.
        request: the call's.
        serial: makes a text unlike any other.
    """
    if choice in _REJECTIONS:
        outcome, behaviour, seconds, repeatable = _REJECTIONS[choice]
        said = Said("rejected", outcome, retry_after=seconds, repeatable=repeatable)
        return said, behaviour
    if choice in _UNKNOWN:
        outcome, behaviour, has_body = _UNKNOWN[choice]
        return Said("outcome_unknown", outcome, has_body=has_body), behaviour
    if choice in _INVALID:
        outcome, behaviour = _INVALID[choice]
        return Said("answered", outcome), behaviour
    if choice in TOOLS:
        name = "read_source" if choice == TOOLS[0] else "trade"
        asked = scripted.asks_for("", (name, {"source": "S1", "offset": 0, "limit": 1}))
        return Said("answered", "tool_calls", act="tools", asks_for=name), asked
    said, answer = _valid(choice, root, request, serial)
    return said, Behaviour(content=json.dumps(answer))


def _valid(choice: str, root: Root, request: Request, serial: int) -> tuple[Said, Any]:
    text = SAME_WORDS if choice == "valid, the same words" else f"Words number {serial}, no more."
    short = choice != "valid"
    match request.purpose:
        case "plan":
            pattern = {"valid, shorter": "single", "no further": "parallel"}.get(
                choice, "dialogue"
            )
            said = Said("answered", "valid", act="plan", pattern=pattern)
            return said, scripted.a_plan(pattern)
        case "opening":
            quotes = [f"Claim {serial} of it"] + [f"Another {serial} of it"] * (not short)
            answer = scripted.an_opening(*quotes)
            said = Said("answered", "valid", act="opening", about=quotes, text=answer["statement"])
            return said, answer
        case "challenge":
            return _challenge(choice, root, text, short=short)
        case "response":
            return _response(choice, root, text, short=short)
    became = {
        handle: "withdrawn" if status == "CONCEDED" else "stands"
        for handle, status in root.statuses().items()
    }
    return Said("answered", "valid", act="synthesis"), scripted.a_synthesis(**became)


def _challenge(choice: str, root: Root, text: str, *, short: bool) -> tuple[Said, Any]:
    if choice == "no further":
        return Said("answered", "valid", act="no_further"), scripted.nothing_further()
    about = root.standing("bull")[: 1 if short else None]
    kind = "proposition" if choice == "valid, shorter" else "challenge"
    said = Said("answered", "valid", act=kind, about=about, text=text)
    if kind == "proposition":
        return said, scripted.a_proposition(*about, text=text)
    return said, scripted.a_challenge(*about, text=text, counter_quote=text)


def _response(choice: str, root: Root, text: str, *, short: bool) -> tuple[Said, Any]:
    if choice == "no further":
        return Said("answered", "valid", act="no_further"), scripted.no_response()
    about = root.messages[-1].about
    conceded = about[:1] if short else ()
    answer = scripted.a_response(*about, action="defend", text=text, quote=text)
    for one in answer["answers"]:
        if one["claim"] in conceded:
            one["action"] = "concede"
    said = Said("answered", "valid", act="response", about=about, conceded=conceded, text=text)
    return said, answer


class Answering(Provider):
    """The provider's client at an endpoint, told before each call what the double will do with it."""

    def __init__(
        self, double: ProviderDouble, endpoint: Endpoint, told: Callable[[SealedCall], Behaviour]
    ) -> None:
        super().__init__(endpoint, "none")
        self._double = double
        self._told = told

    @classmethod
    def at(
        cls, double: ProviderDouble, told: Callable[[SealedCall], Behaviour]
    ) -> tuple[Answering, Answering]:
        """Return a client of the double, and one of an address where nobody listens."""
        here = Endpoint.from_base_url(double.base_url)
        return cls(double, here, told), cls(double, NOBODY_LISTENS, told)

    def dispatch(self, call: SealedCall) -> Exchange:
        """Let the double know, and make the call."""
        behaviour = self._told(call)
        if self.endpoint != NOBODY_LISTENS:
            self._double.script(behaviour)
        return super().dispatch(call)
