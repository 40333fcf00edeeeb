"""Bear: looks for figures that would change the view, and says so where it finds none."""

from __future__ import annotations

from typing import Any

from config.rehearsal import figures, premise, stance, telling, words
from config.rehearsal.figures import NEGLIGIBLE_POINTS, LookThrough, Verdict
from config.rehearsal.request import Claim, Request
from config.rehearsal.stance import Stance


def opening(request: Request) -> dict[str, Any]:
    """Say what the look-through shows: what gains most, what is largest, how even it is."""
    reading = figures.seen(request)
    if reading is None:
        return _without_figures(request)
    claims = [claim for claim in (_focus(reading), _largest(reading), _index(reading)) if claim]
    sentences = [telling.proposal(request.question, reading), *claims]
    if contrast := _contrast(reading):
        sentences.append(contrast)
    would_change = [
        "Dated returns that show how much the total value swings.",
        telling.NEWER_FILES,
    ]
    if reading.has_change:
        harmless = f"A size or funding under which no {reading.by} gains weight to speak of."
        would_change.insert(0, harmless)
    return {
        "statement": " ".join(sentences),
        "claims": [{"quote": claim, "evidence": reading.evidence} for claim in claims],
        "unknown": telling.open_points(reading),
        "would_change": would_change,
    }


def _focus(reading: LookThrough) -> str:
    if not reading.has_change:
        return f"By {reading.by}, {reading.bucket} holds {reading.share.before.text} % of weight."
    if reading.share.change <= 0:
        return f"On look-through by {reading.by}, nothing gains weight with the change."
    return (
        f"On look-through by {reading.by}, {reading.bucket} gains most: it goes "
        f"{reading.share.told(' %')} of portfolio weight, {reading.share.change:+f} points."
    )


def _largest(reading: LookThrough) -> str:
    before, after = reading.largest_before, reading.largest_after
    if before is None or after is None or before[1].value <= 0:
        return ""
    if not reading.has_change:
        return f"The largest {reading.by} is {before[0]} with {before[1].text} %."
    if before[0] == after[0]:
        return (
            f"The largest {reading.by} stays {before[0]}, with {before[1].text} % before and "
            f"{after[1].text} % after."
        )
    return (
        f"The largest {reading.by} was {before[0]} with {before[1].text} % and becomes {after[0]} "
        f"with {after[1].text} %."
    )


def _index(reading: LookThrough) -> str:
    hhi = reading.level_hhi
    if hhi is None:
        return ""
    if not reading.has_change:
        return f"The concentration index (HHI) by {reading.by} is {hhi.before.text}."
    told = f"The concentration index (HHI) by {reading.by} goes {hhi.told()}"
    if not reading.fairly_classified:
        return f"{told}, with too little of the weight classified to make much of it."
    if hhi.movement == 0:
        return f"{told} and hardly moves."
    evenly = "less evenly" if hhi.movement > 0 else "more evenly"
    return f"{told}: the weight is spread {evenly} than before."


def _contrast(reading: LookThrough) -> str:
    """Say so where counting lines and looking through them point in different directions."""
    lines, level = reading.line_hhi, reading.level_hhi
    if not (lines and level and reading.fairly_classified):
        return ""
    if lines.movement < 0 < level.movement:
        return (
            "Counting lines hides this: their own index falls, while the look-through index rises."
        )
    return ""


def _without_figures(request: Request) -> dict[str, Any]:
    claim = "No figure on this record shows what the portfolio holds on look-through."
    return {
        "statement": f"{figures.why_none(request)} No data is not a neutral finding. {claim}",
        "claims": [{"quote": claim, "evidence": []}],
        "unknown": ["What the change does to the portfolio on look-through: no data."],
        "would_change": ["A look-through of the portfolio with readable holdings files."],
    }


def challenge(request: Request) -> dict[str, Any]:
    """Challenge the premise where the figures give cause; else say what was checked."""
    reading = figures.seen(request)
    if reading is None or not reading.has_change:
        return _no_further(request, reading, "There is no computed change to argue about.")
    replies = [one for one in request.messages if one.author == "bull" and one.kind == "response"]
    targets = _targets(request, answered=bool(replies))
    if not targets:
        return _no_further(request, reading, "No claim of the other side is left to challenge.")
    against = any(
        figures.judge(reading, stance.direction_of(claim, request.question) or 1)
        is Verdict.CONTRADICTED
        for claim in targets
    )
    if replies:
        return _after_an_answer(request, reading, targets, replies[-1].text, against=against)
    if reading.share.change <= NEGLIGIBLE_POINTS and not against:
        return _no_further(request, reading, "Nothing gains weight to speak of.")
    return _message("challenge", reading, targets)


def _targets(request: Request, *, answered: bool) -> list[Claim]:
    """Return the claims to challenge: those on the premise; later the contested ones."""
    claims = request.claims_of("bull")
    if answered:
        return [claim for claim in claims if claim.status == "CONTESTED"][:8]
    standing = [claim for claim in claims if claim.status == "OPEN"]
    on_premise = [one for one in standing if stance.rests_on_premise(one, request.question)]
    spoken = [one for one in standing if premise.direction(one.quote)]
    return (on_premise or spoken or standing[:1])[:8]


def _after_an_answer(
    request: Request, reading: LookThrough, targets: list[Claim], answer: str, *, against: bool
) -> dict[str, Any]:
    """Go on only where the answer left the figures unanswered."""
    taken = {stance.read(answer, claim.handle) for claim in targets}
    if Stance.REVISE in taken:
        return _no_further(request, reading, "The claim was narrowed; no figure contradicts that.")
    with_figures = any(
        figures.bear_out(answer, record, request.question)
        for record in request.results_of("look_through")
    )
    if with_figures and not against:
        return _no_further(request, reading, "The figures of the answer were checked; they hold.")
    mine = [one for one in request.messages if one.author == "bear"]
    if len(mine) > 1:
        return _no_further(request, reading, "What speaks against the claim has been put twice.")
    return _message("challenge" if against else "proposition", reading, targets)


def _message(kind: str, reading: LookThrough, targets: list[Claim]) -> dict[str, Any]:
    named = words.listed([claim.handle for claim in targets])
    noun = "claim" if len(targets) == 1 else "claims"
    counter = telling.facts(reading)
    if kind == "challenge":
        sentences = [f"I challenge {noun} {named}.", counter, _weighed(reading)]
        if contrast := _contrast(reading):
            sentences.append(contrast)
    else:
        wording = "the change alters the weights as computed, and more than that is not shown"
        sentences = [f"I propose a narrower wording for {noun} {named}: {wording}.", counter]
    return {
        "kind": kind,
        "claims": [claim.handle for claim in targets],
        "text": " ".join(sentences),
        "counter_quote": counter,
        "evidence": reading.evidence,
        "does_not_establish": reading.does_not_show or telling.NOT_SHOWN,
        "checked": [],
        "unknown": [],
    }


def _weighed(reading: LookThrough) -> str:
    movement = reading.level_hhi.movement if reading.level_hhi else 0
    if not reading.fairly_classified:
        return (
            "Too little of the weight is classified for the index to say much; what I ask is "
            f"whether the claim holds although {reading.bucket} gains."
        )
    if movement > 0:
        return "At this level the weight is spread less evenly than before."
    if movement < 0:
        return (
            "The index falls, so the weight as a whole is spread more evenly; what I ask is "
            f"whether the claim holds although {reading.bucket} gains."
        )
    return (
        f"The index hardly moves; what I ask is whether the claim holds as {reading.bucket} gains."
    )


def _no_further(request: Request, reading: LookThrough | None, why: str) -> dict[str, Any]:
    checked = []
    if "bull" in request.openings:
        checked.append("The opening of the other side and every claim on record.")
    if reading and reading.has_change:
        checked.append(f"The look-through: {telling.facts(reading)}")
    elif reading:
        checked.append(f"The look-through by {reading.by} of the present portfolio.")
    elif request.results_of("look_through") or figures.error_of(request):
        checked.append(figures.why_none(request))
    checked.append(why)
    unknown = telling.open_points(reading) if reading else []
    if reading is None:
        unknown.append("What the change does on look-through: no data is not a neutral finding.")
    elif not reading.has_change:
        unknown.append("What a change would do: none was computed.")
    return {
        "kind": "no_further",
        "claims": [],
        "text": "",
        "counter_quote": "",
        "evidence": [],
        "does_not_establish": "",
        "checked": checked,
        "unknown": words.unique(unknown),
    }
