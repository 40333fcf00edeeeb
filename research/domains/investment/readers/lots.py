"""Lots below a position: what was bought when, already counted in the row above."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from research.domains.investment.readers.numbers import text
from research.domains.investment.readers.rows import COUNTED, Row, RowClass

_NAMES: Final = re.compile(r"(tax )?(lots?|lotto|lotti|lotes?)\b.*|批次.*", re.IGNORECASE)
_CODES: Final = ("isin", "cusip", "sedol", "figi", "ticker", "code")


def set_aside(found: Sequence[Row]) -> list[Row]:
    """Reject the lots of each position, so that it is counted once.

    Rows are lots where they follow a row with a code, have no other code, and either are called so or
    are several whose values sum to its value.
    """
    kept = list(found)
    above, run = -1, list[int]()
    for at, row in enumerate([*found, None]):
        if row and above >= 0 and _may_be_lot(row, found[above]):
            run.append(at)
            continue
        if run:
            _reject(kept, found[above], run)
        run = []
        above = at if row and row["class"] in COUNTED and any(map(row.get, _CODES)) else -1
    return kept


def _may_be_lot(row: Row, above: Row) -> bool:
    if row["class"] not in COUNTED:
        return False
    return all(row.get(role, "") in ("", above.get(role, "")) for role in _CODES)


def _reject(kept: list[Row], above: Row, run: Sequence[int]) -> None:
    total = sum((Decimal(kept[at]["market_value"]) for at in run), Decimal(0))
    whole = total == Decimal(above["market_value"])
    called = all(_NAMES.fullmatch(kept[at]["name"]) for at in run)
    if not called and not (whole and len(run) > 1):
        return
    differs = "" if whole else f", although its lots sum to {text(total)}"
    for at in run:
        row = kept[at]
        kept[at] = {key: row[key] for key in ("row", "sheet") if key in row} | {
            "class": RowClass.REJECTED.value,
            "text": f"{row['name']} | {row['market_value']}",
            "reason": f"it is a lot of row {above['row']}, which is counted whole{differs}",
        }
