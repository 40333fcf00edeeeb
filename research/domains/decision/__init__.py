"""Reviewing an idea or a decision: texts with quotes, and no figures.

Read in this order: `reader.py` turns bytes into numbered passages, `tools/` answer a model with them,
verbatim, each with its source and number.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from research.domain import Domain, Reading, ReportWords, Sample
from research.domains.decision.reader import read
from research.domains.decision.tools import TOOLS

SUBJECT_KIND: Final = "proposal"
_FOLDER: Final = Path(__file__).parent


def _as_subject(reading: Reading) -> Reading:
    """Take a text as the one under review: that is the giver's word, no content tells it."""
    return replace(reading, kind=SUBJECT_KIND)


DOMAIN: Final = Domain(
    name="decision",
    subject_kind=SUBJECT_KIND,
    public_kinds=frozenset(),
    read=read,
    as_subject=_as_subject,
    tools=TOOLS,
    prompts=_FOLDER / "prompts",
    report=ReportWords(disclaimer="A review drafted by a model; it decides nothing."),
    sample=Sample(
        question=(
            "Should the support team move to a four-day week, because the team closes the same number "
            "of cases in less time?"
        ),
        folder=_FOLDER / "samples",
        subject="proposal.md",
        sources=("trial_notes.md", "staff_survey.txt"),
    ),
)
