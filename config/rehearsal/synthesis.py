"""Main's synthesis: one disposition for every claim, from what stands on the record.

Figures stand in its prose only as handles (`[[T1.after_pct]]`); the host renders them.

Source: design.md D13.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from config.rehearsal import figures, stance, words
from config.rehearsal.figures import LookThrough, Verdict
from config.rehearsal.request import Claim, Request, ToolRecord
from config.rehearsal.stance import Stance

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_HANDLE = re.compile(r"\[\[[^\]]*\]\]")
_SAID = {
    "stands": ("stands", "stand"),
    "revised": ("was narrowed by its author", "were narrowed by their author"),
    "withdrawn": ("was withdrawn by its author", "were withdrawn by their author"),
    "unresolved": ("stays unresolved", "stay unresolved"),
}
Outcome = tuple[str, str, list[str]]


def synthesis(request: Request) -> dict[str, Any]:
    """Dispose of every claim given, and say what stays open."""
    reading = figures.seen(request)
    outcomes = [(claim, _dispose(claim, request, reading)) for claim in request.claims]
    shown = [
        record.result.get("does_not_show", "") for record in request.results_of("look_through")
    ]
    questions = [str(line) for line in shown] + request.unknown
    if request.findings:
        questions.append("What a refused message said that the other side never received.")
    if not questions:
        questions.append("No open point is named on the record.")
    return {
        "summary": _summary(request, reading, Counter(outcome[0] for _, outcome in outcomes)),
        "dispositions": [
            {
                "claim": claim.handle,
                "disposition": disposition,
                "reason": reason,
                "evidence": evidence,
            }
            for claim, (disposition, reason, evidence) in outcomes[:64]
        ],
        "open_questions": lines_on_record(request, questions),
        "would_change": lines_on_record(request, request.would_change),
    }


def _dispose(claim: Claim, request: Request, reading: LookThrough | None) -> Outcome:
    basis = _basis(claim, request)
    if claim.status == "CONCEDED":
        cited = basis or (reading.evidence if reading else [])
        return "withdrawn", "Its author withdrew it in answer to a challenge.", cited
    if claim.status == "CONTESTED":
        return _contested(claim, request, basis)
    if not basis:
        return "unresolved", "No figure on the record bears it out or refutes it.", []
    direction = stance.direction_of(claim, request.question)
    if direction and figures.judge(reading, direction) is Verdict.CONTRADICTED:
        reason = "Its figures are on record, but the look-through points the other way."
        return "unresolved", reason, basis
    if (
        claim.author == "bull"
        and not direction
        and stance.rests_on_premise(claim, request.question)
    ):
        return "unresolved", "Its figures are on record, but they do not test the premise.", basis
    return "stands", "Its figures stand in a tool result, and nobody contested it.", basis


def _contested(claim: Claim, request: Request, basis: list[str]) -> Outcome:
    """Follow the author's last answer that names the claim."""
    answers = [one for one in request.messages if one.author == claim.author]
    taken = [(one, stance.read(one.text, claim.handle)) for one in answers]
    spoken = [(one, stance_) for one, stance_ in taken if stance_ is not Stance.SILENT]
    if not spoken:
        return (
            "unresolved",
            "It was challenged, and no answer to the challenge is on record.",
            basis,
        )
    message, last = spoken[-1]
    if last is Stance.REVISE:
        return "revised", "Its author narrowed it in answer to a challenge.", basis
    if last is Stance.CONCEDE:
        return (
            "unresolved",
            "Its author speaks of withdrawing it; no concession is on record.",
            basis,
        )
    grounds = [
        record.handle
        for record in request.results_of("look_through")
        if record.handle and figures.bear_out(message.text, record, request.question)
    ]
    if grounds:
        return (
            "stands",
            "It was challenged and defended with figures of a tool result.",
            grounds[:1],
        )
    return "unresolved", "It was defended without a figure of the record.", basis


def _basis(claim: Claim, request: Request) -> list[str]:
    """Return the tool result whose figures the claim carries, the author's own first."""
    records = [one for one in request.tools if one.handle and "error" not in one.result]
    records.sort(key=lambda one: one.author != claim.author)
    found = [one for one in records if figures.bear_out(claim.quote, one, request.question)]
    return [one.handle for one in found[:1]]


def _summary(request: Request, reading: LookThrough | None, tally: Counter[str]) -> str:
    sentences = []
    record = _record_of(request, reading)
    if reading is None or record is None:
        sentences.append(
            "No look-through with a point value is on record, so the question has no figures to rest on."
        )
    elif reading.has_change:
        sentences.append(
            f"On look-through by {reading.by}, {_cited(record, 'bucket')} goes from "
            f"{_cited(record, 'before_pct')} % to {_cited(record, 'after_pct')} % of portfolio "
            "weight under the proposed change."
        )
        sentences.append(_spread(reading))
    else:
        sentences.append(
            f"On look-through by {reading.by}, {_cited(record, 'bucket')} holds "
            f"{_cited(record, 'before_pct')} % of portfolio weight; no change was computed."
        )
    sentences += counted(tally)
    sentences.append("What the figures do not show is listed as open.")
    return " ".join(sentence for sentence in sentences if sentence)


def counted(tally: Counter[str]) -> list[str]:
    """Say in one sentence what became of the claims, or nothing where there are none."""
    told = [
        f"{words.count(tally[kind])} {_SAID[kind][tally[kind] > 1]}"
        for kind in _SAID
        if tally[kind]
    ]
    return [f"Of the claims on record, {words.listed(told)}."] if told else []


def _spread(reading: LookThrough) -> str:
    """Say in words how the concentration moves among lines and on look-through."""
    told = {
        1: "less evenly than before",
        0: "practically as before",
        -1: "more evenly than before",
    }
    lines, level = reading.line_hhi, reading.level_hhi
    if lines is None or level is None:
        return ""
    counted = f"Counted by lines the weight is spread {told[lines.movement]}"
    if not reading.fairly_classified:
        return f"{counted}; too little of it is classified by {reading.by} to say so there."
    if lines.movement == level.movement:
        return f"{counted}, and so it is by {reading.by}."
    return f"{counted}, by {reading.by} {told[level.movement]}."


def _record_of(request: Request, reading: LookThrough | None) -> ToolRecord | None:
    handles = [one for one in request.tools if reading and one.handle == reading.handle]
    return handles[0] if handles else None


def _cited(record: ToolRecord, key: str) -> str:
    return f"[[{record.handle}.{key}]]"


def lines_on_record(request: Request, lines: list[str]) -> list[str]:
    """Keep lines whose figures all stand on the record; say of others only that they exist."""
    known = {digits for record in request.tools for digits in _DIGITS.findall(str(record.result))}
    known |= set(_DIGITS.findall(request.question))
    told = [
        line
        if set(_DIGITS.findall(_HANDLE.sub("", line))) <= known
        else "A further point stands in an opening, with a figure that no source here bears out."
        for line in lines
    ]
    return words.unique(told)
