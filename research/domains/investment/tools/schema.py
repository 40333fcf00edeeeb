"""What this domain's tools take and why they refuse, beyond what all tools on sources share."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator

from research.reading.arguments import ReadingCode

_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,12})?")


class Code(StrEnum):
    """Why a tool refuses; the whole vocabulary, without handles or titles."""

    UNKNOWN_SOURCE = ReadingCode.UNKNOWN_SOURCE
    BAD_ARGUMENTS = ReadingCode.BAD_ARGUMENTS
    NO_DATA = ReadingCode.NO_DATA
    UNKNOWN_FUND = "unknown_fund"  # no line and no holdings file, or several, go by this name
    NO_PORTFOLIO = "no_portfolio"  # no portfolio among the sources
    NO_HOLDINGS = "no_holdings"  # no holdings file among the sources, and the lines do not tell
    NOT_IN_SOURCE = "not_in_source"  # the source that is cited for a figure does not hold it
    FUND_CYCLE = "fund_cycle"  # funds hold each other in a circle: looking through them has no end


def _decimal(text: str) -> str:
    if text and not _DECIMAL.fullmatch(text):
        raise ValueError('it is a decimal text such as "10" or "0.25"')
    return text


DecimalText = Annotated[str, AfterValidator(_decimal)]  # "" where nothing is given


def decimal(text: str) -> Decimal | None:
    """Return what a decimal text states, or None where it is empty."""
    return Decimal(text) if text else None
