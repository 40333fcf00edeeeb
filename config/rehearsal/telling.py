"""How both sides say which change their figures are about."""

from __future__ import annotations

from config.rehearsal import premise
from config.rehearsal.figures import LookThrough


def proposal(question: str, reading: LookThrough) -> str:
    """Say which change the figures are about, or why they are about none."""
    if reading.has_change:
        line = reading.funding.removeprefix("from:")
        source = "pro rata from all lines" if line == reading.funding else f"from line {line}"
        return (
            f"The figures compare the portfolio before and after {reading.points} points go into "
            f"{reading.fund}, funded {source}."
        )
    if premise.points(question):
        return (
            "The question names the size of a change, but no listed line or file matches what it "
            "would go into, so the figures describe the present portfolio only."
        )
    return "The question names no change of a stated size; the figures describe the portfolio now."
