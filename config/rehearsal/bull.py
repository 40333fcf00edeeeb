"""Bull: builds the supporting case from the figures, and withdraws what they do not bear out."""

from __future__ import annotations

import re
from typing import Any

from config.rehearsal import figures, premise, stance, telling, words
from config.rehearsal.figures import LookThrough, Verdict
from config.rehearsal.request import Claim, Message, Request

_CLAIM_HANDLE = re.compile(r"\bC[1-9][0-9]{0,3}\b")


def opening(request: Request) -> dict[str, Any]:
    """State the case for the requester's premise, with the figures that speak for it."""
    reading = figures.seen(request)
    if reading is None:
        return _without_figures(request)
    held, claims = _case(request.question, reading)
    would_change = [telling.NEWER_FILES]
    if reading.has_change:
        contrary = (
            f"Holdings under which the change spreads the weight by {reading.by} less evenly."
        )
        would_change.insert(0, contrary)
    return {
        "statement": " ".join(held),
        "claims": claims,
        "unknown": telling.open_points(reading),
        "would_change": would_change,
    }


def _case(question: str, reading: LookThrough) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the sentences of the statement, and those of them that are claims."""
    sentences = [telling.proposal(question, reading)]
    claims: list[dict[str, Any]] = []
    support = _support(reading)
    stated = words.quoted(stance.premise_of(question))
    own = premise.stated(question)
    source = "the requester's premise" if own else "the premise"
    if reading.has_change and support:
        claims.append(_claim(f"The supporting case is {source} {stated}: {support}.", reading))
    elif own:
        reason = "no figure here speaks for it" if reading.has_change else "no change was computed"
        claims.append(_claim(f"The supporting case is {source} {stated}, though {reason}.", None))
    claims.append(_claim(_line_facts(reading), reading))
    if reading.has_change and premise.direction(stance.premise_of(question)) >= 0:
        hope = "It is to be expected that the total value would then swing less than before."
        claims.append(_claim(hope, None))
    sentences += [claim["quote"] for claim in claims]
    sentences.append("What these figures do not show is listed as unknown.")
    return sentences, claims


def _support(reading: LookThrough) -> str:
    """Return the strongest figure that speaks for a wider spread, or an empty string."""
    if (lines := reading.line_effective) and lines.change > 0:
        return f"counted by its lines, the effective number of positions goes {lines.told()}"
    if (level := reading.level_effective) and level.change > 0:
        plural = words.dimension(reading.dimension, plural=True)
        return f"the effective number of {plural} goes {level.told()}"
    if (count := reading.line_count) and count.change > 0:
        return f"the number of portfolio lines goes {count.told()}"
    return ""


def _line_facts(reading: LookThrough) -> str:
    count, hhi = reading.line_count, reading.line_hhi
    if count is None or hhi is None:
        return f"By {reading.by}, {reading.bucket} goes {reading.share.told(' %')} of weight."
    if not reading.has_change:
        return (
            f"The portfolio has {count.before.text} lines with a line-level concentration index "
            f"(HHI) of {hhi.before.text}."
        )
    moves = f"goes {count.told()}" if count.change else f"stays at {count.after.text}"
    return (
        f"The number of portfolio lines {moves} and the line-level concentration index (HHI) goes "
        f"{hhi.told()}."
    )


def _claim(quote: str, reading: LookThrough | None) -> dict[str, Any]:
    return {"quote": quote, "evidence": reading.evidence if reading else []}


def _without_figures(request: Request) -> dict[str, Any]:
    stated = words.quoted(stance.premise_of(request.question))
    claim = (
        f"The supporting case would rest on the premise {stated}, for which no figure was read."
    )
    return {
        "statement": f"{figures.why_none(request)} No data is not a neutral finding. {claim}",
        "claims": [_claim(claim, None)],
        "unknown": ["What the portfolio looks like before and after the change: no data."],
        "would_change": ["A look-through of the portfolio with readable holdings files."],
    }


def response(request: Request) -> dict[str, Any]:
    """Answer every challenged claim: withdraw, narrow or defend it, as the figures say."""
    message = next((one for one in reversed(request.messages) if one.author == "bear"), None)
    challenged = _challenged(request, message)
    reading = figures.seen(request)
    if message is None or not challenged:
        return {
            "kind": "no_further",
            "text": "",
            "answers": [],
            "evidence": [],
            "checked": ["The messages and claims on record: none of mine is under challenge."],
            "unknown": telling.open_points(reading) if reading else [telling.NOT_SHOWN],
        }
    sentences, answers = [], []
    for claim in challenged:
        action, words_of_it = _answer_to(claim, message, request, reading)
        sentences.append(words_of_it)
        answers.append({"claim": claim.handle, "action": action, "quote": words_of_it})
    if reading:
        sentences.append(telling.facts(reading))
        sentences.append(f"This leaves open: {telling.open_points(reading)[0]}")
    else:
        sentences.append("There is no look-through on which to argue further.")
    return {
        "kind": "response",
        "text": " ".join(sentences),
        "answers": answers,
        "evidence": reading.evidence if reading else [],
        "checked": [],
        "unknown": [],
    }


def _challenged(request: Request, message: Message | None) -> list[Claim]:
    """Return Bull's claims that the message is about: those it names, else all contested ones."""
    mine = [claim for claim in request.claims_of("bull") if claim.status != "CONCEDED"]
    named = set(_CLAIM_HANDLE.findall(message.text)) if message else set()
    contested = [claim for claim in mine if claim.status == "CONTESTED"]
    about = [claim for claim in contested or mine if claim.handle in named]
    return (about or contested)[:8]


def _answer_to(
    claim: Claim, message: Message, request: Request, reading: LookThrough | None
) -> tuple[str, str]:
    premised = stance.rests_on_premise(claim, request.question)
    verdict = figures.judge(reading, stance.direction_of(claim, request.question))
    if verdict is Verdict.CONTRADICTED:
        return "concede", f"I withdraw claim {claim.handle}: the look-through speaks against it."
    if verdict is Verdict.SUPPORTED and message.kind != "proposition":
        return "defend", f"I defend claim {claim.handle}: the look-through bears it out."
    mine = request.results_of("look_through")
    if not premised and any(figures.bear_out(claim.quote, one, request.question) for one in mine):
        return "defend", f"I defend claim {claim.handle}: its figures stand in the tool result."
    if verdict is Verdict.UNMOVED:
        by = reading.by if reading else ""
        narrower = f"the spread by {by} stays practically as it was; only the lines change"
    elif reading is not None and not reading.fairly_classified:
        narrower = f"too little of the weight is classified by {reading.by} to test the rest of it"
    elif reading is not None:
        narrower = "the figures describe weights only, and do not test the rest of it"
    else:
        narrower = "it is an expectation for which no data is given"
    return "revise", f"I revise claim {claim.handle} to a narrower wording: {narrower}."
