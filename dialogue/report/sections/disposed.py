"""What Main made of each claim, what stays open, and what would change the picture.

No winner, score, vote or average: one disposition for each claim, with its reason.

Source: design.md D13.
"""

from __future__ import annotations

from collections.abc import Iterable

from bullbear.identity import JsonValue
from bullbear.lifecycle import Role
from dialogue.answers import DispositionKind, SynthesisAnswer
from dialogue.models import Claim, Disposition
from dialogue.report.material import Material, Section
from dialogue.report.sections.evidence import cited
from dialogue.report.sections.exchange import peer_answer
from dialogue.report.sentences import DISPOSITIONS
from dialogue.rules import SlotOutcome
from research.answers import OpeningAnswer

HOST = "host"
_NO_SYNTHESIS = "There is no valid synthesis, and the host disposes of no claim."


def synthesis_answer(material: Material) -> SynthesisAnswer | None:
    """Read Main's synthesis again, if there is a valid one."""
    made = next((one.request_id for one in material.case.dispositions if one.request_id), None)
    return material.answer(made, SynthesisAnswer)


def synthesis(material: Material) -> Section | None:
    """Main's summary, with the figures that it cites."""
    answer = synthesis_answer(material)
    made = next((one.request_id for one in material.case.dispositions if one.request_id), None)
    if answer is None:
        return None
    return {"by": str(Role.MAIN), "request": str(made), "summary": material.quoted(answer.summary)}


def dispositions(material: Material) -> list[JsonValue]:
    """One disposition for each claim: Main's, or `unresolved` where it made none."""
    made = {one.claim_id: one for one in material.case.dispositions}
    return [_disposition(material, claim, made.get(claim.pk)) for claim in material.case.claims]


def _disposition(material: Material, claim: Claim, made: Disposition | None) -> Section:
    kind = DispositionKind(made.disposition) if made else DispositionKind.UNRESOLVED
    section: Section = {
        "claim": f"C{claim.number}",
        "disposition": str(kind),
        "means": DISPOSITIONS[kind],
    }
    main = material.case.child_of(Role.MAIN)
    if made is None or made.request_id is None or made.reason_id is None or main is None:
        return section | {"by": HOST, "reason": {"text": _NO_SYNTHESIS}, "evidence": []}
    return section | {
        "by": str(Role.MAIN),
        "reason": material.quoted(material.text(made.reason_id)),
        "evidence": cited(material, main, made.evidence, until=made.request_id),
    }


def open_questions(material: Material) -> list[JsonValue]:
    """What is open in the words of those who said so, Main first; identical lines once."""
    lines: list[tuple[str, str]] = []
    answer = synthesis_answer(material)
    if answer:
        lines += [(str(Role.MAIN), line) for line in answer.open_questions]
    for by, opening in _opening_answers(material):
        lines += [(by, line) for line in opening.unknown]
    for half in material.case.half_rounds:
        said = peer_answer(material, half) if half.outcome == SlotOutcome.CLOSED else None
        if said:
            lines += [(str(material.role(half.child_id)), line) for line in said.unknown]
    return _merged(material, lines)


def would_change(material: Material) -> list[JsonValue]:
    """What would change the picture, in the words of those who said so; identical lines once."""
    lines: list[tuple[str, str]] = []
    answer = synthesis_answer(material)
    if answer:
        lines += [(str(Role.MAIN), line) for line in answer.would_change]
    for by, opening in _opening_answers(material):
        lines += [(by, line) for line in opening.would_change]
    return _merged(material, lines)


def _opening_answers(material: Material) -> Iterable[tuple[str, OpeningAnswer]]:
    for opening in material.case.openings:
        answer = material.answer(opening.request_id, OpeningAnswer)
        if answer:
            yield str(material.role(opening.child_id)), answer


def _merged(material: Material, lines: Iterable[tuple[str, str]]) -> list[JsonValue]:
    """Keep each line once, with everybody who said it."""
    said: dict[str, list[JsonValue]] = {}
    for by, line in lines:
        who = said.setdefault(line, [])
        if by not in who:
            who.append(by)
    return [{"by": who, "line": material.quoted(line)} for line, who in said.items()]
