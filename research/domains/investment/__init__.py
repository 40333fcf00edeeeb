"""Investing: portfolios, fund holdings, and what a change does to the exposure behind them.

Read in this order: `readers/` turn bytes into rows that each have a class, `matching.py` says
which holdings stand for which portfolio line, `formulas/` compute, `tools/` answer a model,
`report_words.py` shows their figures in a report.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from research.domain import Domain, Sample
from research.domains.investment.readers import read
from research.domains.investment.report_words import REPORT_WORDS
from research.domains.investment.tools import TOOLS
from research.reading.limits import MAX_BYTES

_FOLDER: Final = Path(__file__).parent

DOMAIN: Final = Domain(
    name="investment",
    subject_kind="portfolio",
    public_kinds=frozenset({"holdings"}),
    read=read,
    tools=TOOLS,
    prompts=_FOLDER / "prompts",
    report=REPORT_WORDS,
    largest_file=MAX_BYTES,
    part="line",
    sample=Sample(
        question=(
            "I want to move 10 points of my portfolio into the Technology ETF, because one more fund means "
            "more diversification. Does it?"
        ),
        folder=_FOLDER / "samples",
        subject="portfolio.csv",
        sources=(
            "aggregate_bond_etf.csv",
            "dividend_equity_etf.csv",
            "global_equity_etf.csv",
            "multi_asset_fund.csv",
            "technology_etf.csv",
        ),
    ),
)
