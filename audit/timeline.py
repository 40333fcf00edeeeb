"""The timeline of a Root: each receipt as a label and an English sentence, from one table.

A receipt holds ids, enums and counts, never texts; a sentence puts handles and roles in the place of ids that
earlier receipts of the Root gave a name to.

Source: design.md D18, D19; style.md, rule 13.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from bullbear.models import Receipt
from bullbear.models.receipt import Chain
from bullbear.receipts import RuntimeKind
from dialogue.kinds import DialogueKind
from research.kinds import ResearchKind

READER = "audit"  # the database alias of the role that can only SELECT
NOT_NAMED = "(not named)"


@dataclass(frozen=True, slots=True)
class Words:
    """A kind's label, and its sentence with the names of subjects in braces.

    `who` is the execution's role; `because` and `refused` are `reason` and `refusal` where they are not
    empty.
    """

    label: str
    sentence: str


WORDS: Mapping[str, Words] = {
    RuntimeKind.ROOT_CREATED: Words(
        "Root created",
        "A question was put: {model_calls} model calls, {tokens} tokens and {tool_calls} tool calls are "
        "allowed until {deadline_at}.",
    ),
    RuntimeKind.CHILD_CREATED: Words(
        "Execution created", "{who} was created and issued its authorization."
    ),
    RuntimeKind.CHILD_WOKEN: Words("Woken", "{who} must look again ({cause})."),
    RuntimeKind.CHILD_PARKED: Words("Parked", "{who} waits, without a worker or a connection."),
    RuntimeKind.CHILD_ENDED: Words("Execution ended", "{who} ended as {state}{because}."),
    RuntimeKind.CHILD_RESCUED: Words(
        "Rescued", "{who} was freed from a lease that had ended ({class}); rescue {rescues}."
    ),
    RuntimeKind.REQUEST_SEALED: Words(
        "Request sealed",
        "{who}'s {purpose} request to {model} was sealed with {parts} recorded parts.",
    ),
    RuntimeKind.REQUEST_ANSWERED: Words(
        "Answered", "{request} was answered by {served_model} ({class})."
    ),
    RuntimeKind.REQUEST_REJECTED: Words(
        "Rejected", "{request} was rejected and nothing was generated ({class})."
    ),
    RuntimeKind.REQUEST_OUTCOME_UNKNOWN: Words(
        "Outcome unknown", "What became of {request} is unknown and stays so ({class})."
    ),
    RuntimeKind.LATE_ANSWER: Words(
        "Late answer", "An answer to {request} came late: it is kept and billed, not used."
    ),
    RuntimeKind.TIMER_SET: Words("Timer set", "{who} looks again at {fires_at} ({cause})."),
    RuntimeKind.TIMER_FIRED: Words("Timer fired", "{who}'s timer fired ({cause})."),
    RuntimeKind.DEADLINE_PASSED: Words("Deadline passed", "The Root's deadline passed."),
    RuntimeKind.ROOT_FINALIZING: Words(
        "Finalising", "Only synthesis and report follow from here ({cause})."
    ),
    RuntimeKind.ROOT_ENDED: Words(
        "Root ended",
        "The Root ended as {state} with a {result} result, after {model_calls_spent} model calls and "
        "{tokens_spent} tokens.",
    ),
    ResearchKind.RELEASE_RECORDED: Words(
        "Released", "A source or a number was released to readers without its scope."
    ),
    ResearchKind.RELEASE_WITHDRAWN: Words("Release withdrawn", "A release was withdrawn."),
    ResearchKind.SOURCE_ADMITTED: Words("Source admitted", "Source {handle} was admitted."),
    ResearchKind.PLAN_RECORDED: Words(
        "Plan recorded",
        "The pattern is {pattern}, decided by {decided_by} (the user's wish was {wished}).",
    ),
    ResearchKind.TOOL_CALLED: Words("Tool called", "{who} made tool call {handle}{refused}."),
    ResearchKind.OPENING_ACCEPTED: Words("Opening accepted", "{who}'s opening was accepted."),
    ResearchKind.FINDING_RECORDED: Words(
        "Finding recorded", "Finding {handle} of {who} was recorded for Main ({kind})."
    ),
    DialogueKind.PAIR_OFFERED: Words("Pair offered", "{who} offered to form a pair."),
    DialogueKind.PAIR_FROZEN: Words(
        "Pair frozen",
        "Bull and Bear were paired for {max_rounds} rounds at most; their openings are {opening_order}.",
    ),
    DialogueKind.NO_PAIR: Words("No pair", "No pair was formed ({reason})."),
    DialogueKind.HALF_ROUND_SPENT: Words(
        "Half-round spent", "{who}'s {kind} of round {round} was begun: the slot is spent."
    ),
    DialogueKind.HALF_ROUND_ENDED: Words("Half-round ended", "{half_round} ended as {outcome}."),
    DialogueKind.MESSAGE_ACCEPTED: Words(
        "Message accepted", "{who}'s {kind} of round {round} was accepted as {handle}."
    ),
    DialogueKind.MESSAGE_DELIVERED: Words(
        "Message delivered", "{message} was delivered: it stood in {request}, which was answered."
    ),
    DialogueKind.SEND_REFUSED: Words(
        "Send refused",
        "{who}'s message was refused ({reason}); its text is for Main alone, as {finding}.",
    ),
    DialogueKind.CLAIM_RECORDED: Words(
        "Claim recorded", "Claim {handle} of {author} was put on the register."
    ),
    DialogueKind.CLAIM_MOVED: Words("Claim moved", "Claim {handle} was {move} by {message}."),
    DialogueKind.PAIR_ENDED: Words(
        "Exchange ended", "The exchange ended after {rounds} rounds ({reason})."
    ),
    DialogueKind.DECISION_RECORDED: Words(
        "Operator's decision", "An operator decided about {request}: {kind}."
    ),
    DialogueKind.SYNTHESIS_RECORDED: Words(
        "Synthesis recorded", "{who} disposed of each claim: {dispositions}."
    ),
    DialogueKind.SYNTHESIS_FAILED: Words(
        "No synthesis", "There is no valid synthesis ({reason}): every claim stays unresolved."
    ),
    DialogueKind.GAP_RECORDED: Words("Gap disclosed", "Something is missing: {code}."),
    DialogueKind.REPORT_COMPILED: Words("Report compiled", "Report {version} was compiled."),
}

# Receipts that give a name to an id: which subject is the id, and how it is called.
_NAMING: Mapping[str, tuple[str, str]] = {
    RuntimeKind.REQUEST_SEALED: ("request", "{who}'s {purpose} request"),
    ResearchKind.SOURCE_ADMITTED: ("source", "{handle}"),
    ResearchKind.TOOL_CALLED: ("tool_call", "{handle}"),
    ResearchKind.OPENING_ACCEPTED: ("opening", "{who}'s opening"),
    ResearchKind.FINDING_RECORDED: ("finding", "{handle}"),
    DialogueKind.HALF_ROUND_SPENT: ("half_round", "{who}'s {kind} of round {round}"),
    DialogueKind.MESSAGE_ACCEPTED: ("message", "{handle}"),
    DialogueKind.CLAIM_RECORDED: ("claim", "{handle}"),
}
# Names of things as the provider or the user wrote them are left as they are.
_VERBATIM = frozenset({"model", "served_model", "version"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One receipt, for a person who reads it."""

    seq: int
    recorded_at: datetime
    kind: str
    label: str
    sentence: str
    who: str


class _Fields(dict[str, str]):
    def __missing__(self, _key: str) -> str:
        return NOT_NAMED


def timeline(root_id: UUID, *, using: str = READER) -> list[Entry]:
    """Tell everything on record of a Root, oldest first; nothing of one that is not there."""
    return events_after(root_id, 0, using=using)


def events_after(root_id: UUID, seq: int, *, using: str = READER) -> list[Entry]:
    """Tell what was recorded of a Root after its receipt number `seq`, oldest first."""
    naming = [*_NAMING, RuntimeKind.CHILD_CREATED]
    rows = (
        Receipt.objects.using(using)
        .filter(Q(seq__gt=seq) | Q(kind__in=naming), root=root_id, chain=Chain.RESEARCH)
        .order_by("seq")
        .values_list("recorded_at", "body")
    )
    told = tell((recorded_at, json.loads(bytes(body))) for recorded_at, body in rows)
    return [entry for entry in told if entry.seq > seq]


def tell(receipts: Iterable[tuple[datetime, Mapping[str, Any]]]) -> Iterator[Entry]:
    """Put receipts into words, in the order of their chain.

    Args:
        receipts: the time and the body of each.
    """
    names: dict[str, str] = {}
    for recorded_at, body in receipts:
        kind, who = str(body["kind"]), names.get(str(body["child"]), "")
        if kind == RuntimeKind.CHILD_CREATED:
            who = names[str(body["child"])] = str(body["subjects"].get("role", "")).title()
        fields = _fields(body["subjects"], who, names)
        if kind in _NAMING:
            subject, name = _NAMING[kind]
            names[str(body["subjects"].get(subject, ""))] = name.format_map(fields)
        words = WORDS.get(kind, Words(kind, "This version has no sentence for this receipt."))
        sentence = words.sentence.format_map(fields)
        yield Entry(int(body["seq"]), recorded_at, kind, words.label, sentence, who)


def _fields(subjects: Mapping[str, Any], who: str, names: Mapping[str, str]) -> _Fields:
    fields = _Fields({key: _word(key, value, names) for key, value in subjects.items()})
    reason, refusal = fields.get("reason", ""), fields.get("refusal", "")
    fields["who"] = who or "The host"
    fields["because"] = f" ({reason})" if reason else ""
    fields["refused"] = f", which was refused ({refusal})" if refusal else ""
    return fields


def _word(key: str, value: Any, names: Mapping[str, str]) -> str:
    match value:
        case str() if value in names:
            return names[value]
        case str() if key in _VERBATIM:
            return value or "nobody"
        case str():
            return value.replace("_", " ")
        case dict():
            return ", ".join(f"{one} {_word(one, said, names)}" for one, said in value.items())
        case list():
            return ", ".join(_word(key, one, names) for one in value)
        case _:
            return str(value)
