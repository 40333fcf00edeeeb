"""How both sides tell their figures: the same reading gives the same words."""

from __future__ import annotations

from config.rehearsal import premise, words
from config.rehearsal.figures import LookThrough

NOT_SHOWN = (
    "Whether the total value of the portfolio swings more or less than before is not shown."
)
NEWER_FILES = "More recent holdings files with other weights."


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


def facts(reading: LookThrough) -> str:
    """Say in one sentence what gains most and what the concentration index does."""
    told = [f"the weight of {reading.bucket} goes {reading.share.told(' %')} of the portfolio"]
    if reading.level_hhi:
        told.append(f"the concentration index (HHI) goes {reading.level_hhi.told()}")
    return f"By {reading.by}, {words.listed(told)}."


def open_points(reading: LookThrough) -> list[str]:
    """Say what the figures leave open: the tool's own line, and weight that is not classified."""
    points = [reading.does_not_show or NOT_SHOWN]
    if reading.weakly_classified and reading.classified:
        points.append(
            f"How the weight is spread that carries no {reading.by} in the files: "
            f"{reading.classified.text} % of the weight is classified."
        )
    return words.unique(points)
