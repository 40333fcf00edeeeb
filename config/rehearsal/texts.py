"""Both sides where there are texts and no figures: they quote passages to the letter."""

from __future__ import annotations

import re
from typing import Any

from config.rehearsal import passages, premise, words
from config.rehearsal.lookup import Call
from config.rehearsal.passages import Sentence
from config.rehearsal.request import Claim, Message, Request

_READ = 40  # passages of the text under review
_FOUND = 20  # passages of a search
_CLAIMS = 4
NOT_SAID = "Whether anything bears on this that no text here mentions."
NO_PASSAGE = "No passage of the texts at hand bears on the question."


def next_call(request: Request) -> Call | None:
    """Return the call still needed: the list, the text under review, then a search for what is at stake."""
    if "list_sources" in request.offered and not request.results_of("list_sources"):
        return Call("list_sources", {})
    subject = passages.subject_of(request)
    unread = subject and not request.results_of("read_source")
    if unread and "read_source" in request.offered:
        return Call("read_source", {"source": subject, "first": 1, "limit": _READ})
    searches = request.results_of("search_sources")
    over = searches and request.purpose in {"opening", "research"}
    if "search_sources" not in request.offered or over:
        return None
    query = passages.query_of(*_at_stake(request))
    asked = {str(one.result.get("query", "")) for one in searches}
    if not query or query in asked or any("error" in one.result for one in searches):
        return None
    return Call("search_sources", {"query": query, "source": "", "limit": _FOUND})


def _at_stake(request: Request) -> list[str]:
    """Return what passages are looked for: the premise, and what is claimed by or asked of a side."""
    if request.purpose == "challenge":
        return [passages.matter_of(one) for one in request.claims_of("bull")]
    if request.purpose == "response":
        return [passages.matter_of(one) for one in _challenged(request)]
    if request.role == "bull":
        return [_premise(request)]
    subject = passages.subject_of(request)
    own = [one for one in passages.sentences(request) if one.source == subject]
    reasons = _reasons(own, _premise(request))
    return [_premise(request), *(one.text for one in reasons[:_CLAIMS])]


def _premise(request: Request) -> str:
    return premise.stated(request.question) or request.question


def opening(request: Request) -> dict[str, Any]:
    """State what the passages say: Bull for the premise, Bear what limits it, a researcher both."""
    for_it, against = _sides(request)
    chosen = {"bull": for_it, "bear": against}.get(request.role, [*for_it[:2], *against[:2]])
    if not chosen:
        return _without_passages(request)
    claims = [
        {"quote": sentence.cited, "evidence": sentence.evidence} for sentence in chosen[:_CLAIMS]
    ]
    said = words.quoted(_premise(request))
    lead = {
        "bull": f"The passages below speak for the premise {said}.",
        "bear": f"The passages below limit the premise {said} and what goes with it.",
    }.get(request.role, f"The passages below bear on the premise {said}.")
    return {
        "statement": "\n".join([lead, *(str(claim["quote"]) for claim in claims)]),
        "claims": claims,
        "unknown": _open_points(request),
        "would_change": ["A text that reports on the same matter and says otherwise."],
    }


def _sides(request: Request) -> tuple[list[Sentence], list[Sentence]]:
    """Part the sentences into those that carry the case, the reviewed text first, and those that limit it."""
    subject, stake = passages.subject_of(request), _premise(request)
    known = passages.sentences(request)
    own = [one for one in known if one.source == subject]
    for_it = _reasons(own, stake)
    others = [one for one in known if one.source != subject]
    matters = [stake, *(one.text for one in for_it[:_CLAIMS])]
    against = [
        one for one in others if any(passages.speaks_against(one, matter) for matter in matters)
    ]
    if not for_it:
        for_it = [one for one in others if passages.bears_out(one, stake)]
    return for_it, passages.nearest(against, stake)


def _reasons(own: list[Sentence], stake: str) -> list[Sentence]:
    """Return the sentence of the reviewed text that states the premise, and those that follow it."""
    on_premise = passages.nearest([one for one in own if passages.bears_on(one, stake)], stake)
    at = own.index(on_premise[0]) if on_premise else 0
    return own[at:]


def research(request: Request) -> dict[str, Any]:
    """Report to Main the passages that only this side may read."""
    for_it, against = _sides(request)
    chosen = (for_it if request.role == "bull" else against)[:_CLAIMS]
    told = [one.cited for one in chosen]
    return {
        "finding": "\n".join(told) or NO_PASSAGE,
        "evidence": list(dict.fromkeys(handle for one in chosen for handle in one.evidence)),
        "unknown": _open_points(request),
    }


def _open_points(request: Request) -> list[str]:
    """Say what stays open: sentences that say of themselves that something was not looked at."""
    missing = [
        one.cited for one in passages.sentences(request) if passages.says_what_is_missing(one)
    ]
    return words.unique([*missing[:3], NOT_SAID])


def _without_passages(request: Request) -> dict[str, Any]:
    if request.role == "bear":
        claim = "No passage that was found speaks against the premise or limits it."
    else:
        claim = (
            f"No passage that was found bears on the premise {words.quoted(_premise(request))}."
        )
    return {
        "statement": f"{claim} A text that does not mention something does not deny it.",
        "claims": [{"quote": claim, "evidence": []}],
        "unknown": [NOT_SAID],
        "would_change": ["A text that reports on the matter."],
    }


def challenge(request: Request) -> dict[str, Any]:
    """Put a passage against the first claim of the other side that one speaks against."""
    subject = passages.subject_of(request)
    others = [one for one in passages.sentences(request) if one.source != subject]
    for claim in request.claims_of("bull"):
        if claim.status != "OPEN":
            continue
        matter = passages.matter_of(claim)
        against = [one for one in others if passages.speaks_against(one, matter)]
        if against:
            return _message(claim, passages.nearest(against, matter)[0])
    return _no_further(request)


def _message(claim: Claim, sentence: Sentence) -> dict[str, Any]:
    return {
        "kind": "challenge",
        "claims": [claim.handle],
        "text": (
            f"I challenge claim {claim.handle}. {sentence.cited} What I ask is whether the claim holds "
            "beside this passage."
        ),
        "counter_quote": sentence.cited,
        "evidence": sentence.evidence,
        "does_not_establish": "That the passage is right, or that it holds elsewhere.",
        "checked": [],
        "unknown": [],
    }


def _no_further(request: Request) -> dict[str, Any]:
    checked = ["The opening of the other side and every claim on record."]
    if any(one.author == "bull" for one in request.messages):
        checked.append("The answers on record: each quotes a passage, or narrows or withdraws.")
    checked.append("The passages found: none speaks against a claim that is still open.")
    return {
        "kind": "no_further",
        "claims": [],
        "text": "",
        "counter_quote": "",
        "evidence": [],
        "does_not_establish": "",
        "checked": checked,
        "unknown": _open_points(request),
    }


def response(request: Request) -> dict[str, Any]:
    """Answer every challenged claim: withdraw, narrow or defend it, as the passages say."""
    message = _last_of_bear(request)
    challenged = _challenged(request)
    if message is None or not challenged:
        return {
            "kind": "no_further",
            "text": "",
            "answers": [],
            "evidence": [],
            "checked": ["The messages and claims on record: none of mine is under challenge."],
            "unknown": _open_points(request),
        }
    told, answers, evidence = [], [], []
    for claim in challenged:
        action, said, rests_on = _answer_to(claim, message, request)
        told.append(said)
        answers.append({"claim": claim.handle, "action": action, "quote": said})
        evidence += rests_on
    return {
        "kind": "response",
        "text": "\n".join(told),
        "answers": answers,
        "evidence": list(dict.fromkeys(evidence))[:12],
        "checked": [],
        "unknown": [],
    }


def _last_of_bear(request: Request) -> Message | None:
    return next((one for one in reversed(request.messages) if one.author == "bear"), None)


def _challenged(request: Request) -> list[Claim]:
    """Return Bull's contested claims that the last message names, else all contested ones."""
    message = _last_of_bear(request)
    contested = [one for one in request.claims_of("bull") if one.status == "CONTESTED"]
    named = [one for one in contested if message and re.search(rf"\b{one.handle}\b", message.text)]
    return (named or contested)[:8]


def _answer_to(claim: Claim, message: Message, request: Request) -> tuple[str, str, list[str]]:
    matter = passages.matter_of(claim)
    quoted = passages.quotes_in(message.text)
    turned = any(passages.speaks_against(Sentence("", 0, quote, ""), matter) for quote in quoted)
    subject = passages.subject_of(request)
    bearing_out = [
        one
        for one in passages.sentences(request)
        if one.source != subject and one.text not in quoted and passages.bears_out(one, matter)
    ]
    best = next(iter(passages.nearest(bearing_out, matter)), None)
    if not turned:
        said = (
            f"I defend claim {claim.handle}: the passage put against it does not speak against it."
        )
        return "defend", said, best.evidence if best else []
    if best is None:
        said = f"I withdraw claim {claim.handle}: the passage speaks against it, and none bears it out."
        return "concede", said, []
    said = (
        f"I revise claim {claim.handle} to what another text bears out, and no more: {best.cited}"
    )
    return "revise", said, best.evidence
