"""What it cost, and which models it was: counted from the request rows.

Units: tokens as the provider reports them; where it reports none, or the outcome is unknown, as reserved.

Source: design.md D13, D17, D20.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from bullbear.identity import JsonValue
from bullbear.lifecycle import RequestState, Role
from bullbear.models import ModelRequest
from dialogue.report.material import Material, Section
from dialogue.report.outcome_words import outcome_words
from dialogue.report.sentences import NAMES, listed

Names: TypeAlias = tuple[str, ...]
REHEARSAL_MODEL = "bullbear-rehearsal"
_REHEARSAL = (
    "The rehearsal model served {who}: a program of fixed rules that reads its request and "
    "computes with tools. It is not a language model."
)
_SHARED = "Bull and Bear were served by the same model, {model}: where they agree, that is no second opinion."
_APART = "Bull and Bear were served by different models: {bull} and {bear}."
_OTHER = "{who} asked for {requested}; the answers name {served}."


def debited_tokens(request: ModelRequest) -> int:
    """Return what a request costs its Root."""
    if request.state == RequestState.REJECTED:
        return 0
    answered = request.state == RequestState.ANSWERED
    if answered and request.prompt_tokens is not None and request.completion_tokens is not None:
        return request.prompt_tokens + request.completion_tokens
    return request.reserved_tokens


def calls(material: Material) -> list[JsonValue]:
    """Calls, tokens and tools of each role that asked a model."""
    return [_of_role(material, role, requests) for role, requests in _by_role(material).items()]


def _by_role(material: Material) -> dict[Role, list[ModelRequest]]:
    found: dict[Role, list[ModelRequest]] = {}
    for request in material.case.requests:
        found.setdefault(material.role(request.child_id), []).append(request)
    return {role: found[role] for role in Role if role in found}


def _of_role(material: Material, role: Role, requests: list[ModelRequest]) -> Section:
    states = Counter(request.state for request in requests)
    tools = [one for one in material.case.tool_calls if material.role(one.child_id) is role]
    return {
        "role": str(role),
        "calls": len(requests) - states[RequestState.REJECTED],
        "answered": states[RequestState.ANSWERED],
        "rejected": states[RequestState.REJECTED],
        "outcome_unknown": states[RequestState.OUTCOME_UNKNOWN],
        "tokens": sum(debited_tokens(request) for request in requests),
        "tool_calls": len(tools),
        "tool_calls_refused": sum(bool(one.refusal) for one in tools),
    }


def outcomes(material: Material) -> list[JsonValue]:
    """How many calls ended in which class."""
    found = Counter((one.state, one.outcome_class) for one in material.case.requests)
    return [
        {"state": state, "class": code, "means": outcome_words(code), "calls": number}
        for (state, code), number in sorted(found.items())
    ]


def budget(material: Material) -> Section:
    """What was spent of what was allowed."""
    account = material.case.root.account
    spent, limit = account.spent, account.limit
    return {
        "model_calls": {"spent": spent.model_calls, "limit": limit.model_calls},
        "tokens": {"spent": spent.tokens, "limit": limit.tokens},
        "tool_calls": {"spent": spent.tool_calls, "limit": limit.tool_calls},
    }


def models(material: Material) -> Section:
    """Which models were asked for, which answered, and what a reader must know of that."""
    by_role = _by_role(material)
    requested = {role: _distinct(r.requested_model for r in rs) for role, rs in by_role.items()}
    served = {role: _distinct(r.served_model for r in rs) for role, rs in by_role.items()}
    return {
        "roles": [
            {"role": str(role), "requested": requested[role], "served": served[role]}
            for role in by_role
        ],
        "same_model": _same_model(served),
        "rehearsal": bool(_rehearsed(requested, served)),
        "notes": [
            *_rehearsal_note(_rehearsed(requested, served)),
            *_sides_note(served),
            *_other_notes(requested, served),
        ],
    }


def _distinct(names: Iterable[str]) -> Names:
    return tuple(sorted({name for name in names if name}))


def _same_model(served: Mapping[Role, Names]) -> bool | None:
    """Whether both sides share a model; None where one of them had no answer."""
    bull, bear = served.get(Role.BULL), served.get(Role.BEAR)
    return not set(bull).isdisjoint(bear) if bull and bear else None


def _rehearsed(requested: Mapping[Role, Names], served: Mapping[Role, Names]) -> list[Role]:
    """Name the roles that the rehearsal model answered: by its own word, or as it was asked for."""
    return [
        role
        for role, names in served.items()
        if names and REHEARSAL_MODEL in {*names, *requested[role]}
    ]


def _rehearsal_note(roles: list[Role]) -> list[str]:
    return [_REHEARSAL.format(who=listed([NAMES[role] for role in roles]))] if roles else []


def _sides_note(served: Mapping[Role, Names]) -> list[str]:
    shared = _same_model(served)
    if shared is None:
        return []
    bull, bear = served[Role.BULL], served[Role.BEAR]
    if shared:
        return [_SHARED.format(model=listed(sorted(set(bull) & set(bear))))]
    return [_APART.format(bull=listed(bull), bear=listed(bear))]


def _other_notes(requested: Mapping[Role, Names], served: Mapping[Role, Names]) -> list[str]:
    differing: dict[tuple[Names, Names], list[str]] = {}
    for role, names in served.items():
        if names and names != requested[role]:
            differing.setdefault((requested[role], names), []).append(NAMES[role])
    return [
        _OTHER.format(who=listed(who), requested=_named(asked), served=listed(names))
        for (asked, names), who in differing.items()
    ]


def _named(requested: Names) -> str:
    return listed(requested) if requested else "no model by name"
