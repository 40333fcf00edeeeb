"""How long a look-through of many funds may take, in processor time."""

from __future__ import annotations

from statistics import median
from time import process_time

from tests.domain.sources import fund, look, portfolio, view

FUNDS, ROWS = 20, 500
LIMIT_SECONDS = 0.4  # the aim is 0.2 on a core of one's own; a busy machine takes up to twice that


def test_twenty_funds_of_500_rows() -> None:
    own = portfolio(*[f"Fund {n},,F{n},5,Equity fund," for n in range(FUNDS)])
    files = [
        fund(f"Fund {n}", *[f"N{n * 400 + r},,T{n * 400 + r},Energy,Equity,0.2" for r in range(ROWS)],
             ticker=f"F{n}")
        for n in range(FUNDS)
    ]  # fmt: skip
    sources = [view("S1", own), *(view(f"S{n}", text) for n, text in enumerate(files, start=2))]
    taken = []
    shown = look(sources, "F1", "10", dimension="security")
    for _ in range(5):
        began = process_time()
        shown = look(sources, "F1", "10", dimension="security")
        taken.append(process_time() - began)
    assert shown["coverage"]["looked_through_pct"] == "100.00"
    assert median(taken) < LIMIT_SECONDS
