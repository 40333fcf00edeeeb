"""Main's synthesis where there are texts and no figures: on which passage each claim rests."""

from __future__ import annotations

from collections import Counter
from typing import Any

from config.rehearsal import passages, stance, synthesis, words
from config.rehearsal.request import Claim, Request
from config.rehearsal.stance import Stance

Outcome = tuple[str, str, list[str]]


def synthesise(request: Request) -> dict[str, Any]:
    """Dispose of every claim given, and say what stays open."""
    outcomes = [(claim, _dispose(claim, request)) for claim in request.claims]
    questions = list(request.unknown)
    if request.findings:
        questions.append("What Main alone was told: the other side never received it.")
    questions += [
        f"Whether {claim.handle} holds. {reason}"
        for claim, (disposition, reason, _) in outcomes
        if disposition == "unresolved"
    ]
    return {
        "summary": _summary(request, Counter(outcome[0] for _, outcome in outcomes)),
        "dispositions": [
            {
                "claim": claim.handle,
                "disposition": disposition,
                "reason": reason,
                "evidence": evidence,
            }
            for claim, (disposition, reason, evidence) in outcomes[:64]
        ],
        "open_questions": synthesis.lines_on_record(request, questions),
        "would_change": synthesis.lines_on_record(request, request.would_change),
    }


def _dispose(claim: Claim, request: Request) -> Outcome:
    found = passages.sources_of(claim.quote, request.tools)
    basis = list(dict.fromkeys(handle for handle in found.values() if handle))[:1]
    if claim.status == "CONCEDED":
        return "withdrawn", "Its author withdrew it in answer to a challenge.", basis
    if claim.status == "CONTESTED":
        return _contested(claim, request, basis)
    if not found:
        return "unresolved", "It quotes no passage on the record.", []
    subject = passages.subject_of(request)
    if set(found) == {subject}:
        other = _other_text(claim, request, subject)
        if other:
            return "stands", "The text under review says so, and another text bears it out.", other
        return "unresolved", "The text under review says so, and no other text does.", basis
    return "stands", "Its passage stands in a source, and nobody contested it.", basis


def _other_text(claim: Claim, request: Request, subject: str) -> list[str]:
    """Return the tool result in which another text bears a claim out."""
    matter = passages.matter_of(claim)
    found = [
        one
        for one in passages.sentences(request)
        if one.source != subject and passages.bears_out(one, matter)
    ]
    best = next(iter(passages.nearest(found, matter)), None)
    return best.evidence if best else []


def _contested(claim: Claim, request: Request, basis: list[str]) -> Outcome:
    """Follow the author's last answer that names the claim."""
    answers = [one for one in request.messages if one.author == claim.author]
    taken = [(one, stance.read(one.text, claim.handle)) for one in answers]
    spoken = [(one, each) for one, each in taken if each is not Stance.SILENT]
    if not spoken:
        return "unresolved", "It was challenged, and no answer is on record.", basis
    message, last = spoken[-1]
    grounds = list(dict.fromkeys(passages.sources_of(message.text, request.tools).values()))[:1]
    if last is Stance.REVISE:
        reason = "Its author narrowed it to what another text bears out."
        return "revised", reason, grounds or basis
    if last is Stance.DEFEND and grounds:
        return "stands", "It was challenged, and defended with a passage of a source.", grounds
    return "unresolved", "It was challenged, and its answer quotes no passage.", basis


def _summary(request: Request, tally: Counter[str]) -> str:
    challenges = sum(one.kind == "challenge" for one in request.messages)
    noun = "passage" if challenges == 1 else "passages"
    put = f"Bear put {words.count(challenges)} {noun} against claims of Bull."
    told = [
        "Both sides argued from what the texts say.",
        *([put] if challenges else []),
        *synthesis.counted(tally),
        "Whether what the texts report is true, and what to decide, is not said here.",
    ]
    return " ".join(told)
