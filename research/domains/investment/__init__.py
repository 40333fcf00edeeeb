"""Investing: portfolios, fund holdings, and what a change does to the exposure behind them.

Read in this order: `readers/` turn bytes into rows that each have a class, `matching.py` says
which holdings stand for which portfolio line, `formulas/` compute, `tools/` answer a model,
`report_words.py` shows their figures in a report.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from research.domain import Domain
from research.domains.investment.readers import read
from research.domains.investment.readers.limits import MAX_BYTES
from research.domains.investment.report_words import REPORT_WORDS
from research.domains.investment.tools import TOOLS

DOMAIN: Final = Domain(
    name="investment",
    subject_kind="portfolio",
    public_kinds=frozenset({"holdings"}),
    read=read,
    tools=TOOLS,
    prompts=Path(__file__).parent / "prompts",
    report=REPORT_WORDS,
    largest_file=MAX_BYTES,
)
