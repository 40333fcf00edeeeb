"""The three questions, answered first: what was claimed; challenged, answered, revised; what is unresolved.

Each line is the host's, read off the other sections; words of a model stand in it only as a quote.

Source: design.md D1, D13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bullbear.identity import JsonValue
from bullbear.lifecycle import Role
from dialogue.answers import DispositionKind
from dialogue.report.material import Section
from dialogue.report.sentences import MESSAGES, NAMES, SLOTS, listed
from dialogue.rules import MessageKind, SlotKind

Built = Mapping[str, Any]


def answers(sections: Built) -> Section:
    """Answer the three questions from the finished sections."""
    return {
        "claimed": _or_none(_claimed(sections), "No claim is on record."),
        "challenged": _or_none(_challenged(sections), sections["how_it_ran"]["end"]["sentence"]),
        "unresolved": _or_none(_unresolved(sections), "Nothing is left open on the record."),
    }


def _or_none(lines: Iterable[Section], nothing: str) -> list[JsonValue]:
    found: list[JsonValue] = list(lines)
    return found or [{"line": nothing}]


def _claimed(sections: Built) -> Iterator[Section]:
    made = {one["claim"]: one for one in sections["dispositions"]}
    for claim in sections["claimed"]["claims"]:
        disposition = made[claim["handle"]]
        yield {
            "line": f"{claim['handle']}, {NAMES[Role(claim['by'])]}: {disposition['disposition']} – "
            f"{disposition['means']}.",
            "quote": claim["quote"],
        }


def _challenged(sections: Built) -> Iterator[Section]:
    for half in sections["exchange"]["half_rounds"]:
        message = half["message"]
        yield from [_said(half, message)] if message else [_unsaid(half)]
    if sections["exchange"]["half_rounds"]:
        yield {"line": sections["how_it_ran"]["end"]["sentence"]}


def _said(half: Built, message: Built) -> Section:
    verb = MESSAGES[MessageKind(message["kind"])]
    about = f" {listed(list(message['claims']))}" if message["claims"] else ""
    answered = message["kind"] == MessageKind.RESPONSE
    moved = [f"{one['claim']} {one['means']}" for one in message["moved"]] if answered else []
    outcome = f": {listed(moved)}" if moved else ""
    line = (
        f"Round {half['round']}: {NAMES[Role(half['by'])]} {verb}{about}{outcome} "
        f"({message['handle']}, delivered: {message['delivery']['state']})."
    )
    quotes = list({one["quote"]["text"]: one["quote"] for one in message["moved"]}.values())
    return {"line": line} | ({"quote": quotes[0]} if len(quotes) == 1 else {})


def _unsaid(half: Built) -> Section:
    who = NAMES[Role(half["by"])]
    if half["closing"] is not None:
        return {"line": f"Round {half['round']}: {who} had nothing further to say."}
    kind = SLOTS[SlotKind(half["kind"])]
    return {"line": f"Round {half['round']}: no {kind} by {who}: {half['outcome_means']}."}


def _unresolved(sections: Built) -> Iterator[Section]:
    quotes = {claim["handle"]: claim["quote"] for claim in sections["claimed"]["claims"]}
    for one in sections["dispositions"]:
        if one["disposition"] == DispositionKind.UNRESOLVED:
            yield {"line": f"Claim {one['claim']} is unresolved.", "quote": quotes[one["claim"]]}
    for question in sections["unresolved"]["questions"]:
        yield {"line": "Open:", "quote": question["line"]}
    for gap in sections["gaps"]:
        yield {"line": f"Missing: {gap['sentence']}"}
