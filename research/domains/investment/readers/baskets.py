"""Swap funds: what they hold is security for a swap, and no exposure of theirs.

Source: ESMA Guidelines on ETFs and other UCITS issues (2014/937): synthetic funds disclose the basket and
the swap apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from research.domains.investment.readers.preamble import Preamble
from research.domains.investment.readers.rows import Row, RowClass

_WORDS: Final = re.compile(
    r"\b(substitute|collateral|swap|reference) basket\b|\bbasket of "
    r"(substitute|collateral)\b|\bswap[- ]based\b"
    r"|\bsynthetic(ally)?[- ](replicat\w+|etf)\b|\breplication( "
    r"method)?\W{1,3}(synthetic|swap|indirect)|\(swap\)|\bswap ucits\b"
    r"|\btr[aä]ger(portfolio|korb)\b|\bsicherheitenkorb\b|\bsynthetische replikation\b"
    r"|\bpanier de (substitution|collat[ée]ral|titres de substitution)\b|\br[ée]plication synth[ée]tique\b"
    r"|\bpaniere sostitutivo\b|\breplica sintetica\b|\bcesta de "
    r"(sustituci[óo]n|garant[íi]as)\b|\br[ée]plica sint[ée]tica\b"
    r"|合成复制|抵押篮子|互换篮子",
    re.IGNORECASE,
)
_SWAP: Final = re.compile(
    r"\b(total return|equity|index|performance) swaps?\b|\btrs\b", re.IGNORECASE
)
REASON: Final = "it is in the basket of a swap fund, which is no exposure of the fund"


def is_basket(preamble: Preamble, found: Iterable[Row]) -> bool:
    """Whether the lines around a table say that it is the basket of a swap fund."""
    return _WORDS.search(preamble.text) is not None or any(
        _WORDS.search(row["text"]) for row in found if row["class"] == RowClass.FOOTER
    )


def set_aside(found: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Reject the positions and cash of a basket; the swap itself stays."""
    rows: list[Row] = []
    for row in found:
        if row["class"] in (RowClass.POSITION, RowClass.CASH):
            kept = {
                key: row[key]
                for key in ("row", "name", "isin", "ticker", "weight_pct")
                if row.get(key)
            }
            rows.append(
                {**kept, "class": RowClass.REJECTED.value, "text": row["name"], "reason": REASON}
            )
        else:
            rows.append(row)
    count = sum(row.get("reason") == REASON for row in rows)
    return rows, [
        (
            f"This is a swap fund: the {count} rows of its basket are no exposure and were not counted; "
            "what the "
            "fund is exposed to is the index of its swap, which this file does not hold."
        )
    ]


def swap_rows(found: Iterable[Row]) -> list[str]:
    """Say that a file holds swaps, where nothing says that the fund replicates by them."""
    rows = [
        row["row"]
        for row in found
        if row["class"] == RowClass.DERIVATIVE and _SWAP.search(_words(row))
    ]
    if not rows:
        return []
    return [
        (
            f"Rows of swaps: {len(rows)} (the first is row {rows[0]}). If the fund replicates an "
            f"index by them, what "
            "else it holds is no exposure."
        )
    ]


def _words(row: Row) -> str:
    return f"{row['name']} {row['asset_class']}"
