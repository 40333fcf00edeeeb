"""What holds for any file: no crash, no row lost, no weight changed, sums kept under any change."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from research.domain import Unreadable
from research.domains.investment import DOMAIN
from research.domains.investment.formulas.funding import CannotFund, funded
from tests.domain.sources import HOLDINGS_HEADER, fund

CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
WEIGHTS = st.decimals(-500, 500, places=4, allow_nan=False)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=8), max_size=12)
SIGNS = st.sampled_from([",", ";", "\t", "|"])
HEADER = HOLDINGS_HEADER.split(",")


def table(rows: list[list[str]], sign: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=sign, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


@given(st.binary(max_size=400))
def test_random_bytes_are_refused_and_never_crash(raw: bytes) -> None:
    with suppress(Unreadable):
        DOMAIN.read(raw, "")


@given(st.binary(max_size=60), st.integers(0, 400), st.sampled_from([0, 400]))
def test_a_damaged_file_is_read_or_refused(noise: bytes, at: int, kept: int) -> None:
    raw = fund("A", "X,,XX,Energy,Equity,60", '"Y, Inc",,YY,Energy,Equity,40').encode()
    with suppress(Unreadable):
        DOMAIN.read(raw[:at] + noise + raw[at : at + kept], "")


@given(ROWS, SIGNS)
def test_every_row_ends_in_a_class(rows: list[list[str]], sign: str) -> None:
    good = ["X", "", "XX", "Energy", "Equity", "100"]
    given_rows = [["Fund", "A"], HEADER, good, *rows]
    try:
        reading = DOMAIN.read(table(given_rows, sign).encode(), "")
    except Unreadable:
        return
    accounted = (
        sum(reading.counts.values())
        + int(reading.summary["preamble_rows"])
        + int(reading.summary["blank_rows"])
        + 1  # the header
    )
    assert accounted == len(given_rows)
    assert len(reading.rows) == sum(reading.counts.values())
    assert all(row["reason"] for row in reading.rows if row["class"] == "rejected")


@given(st.lists(WEIGHTS, min_size=1, max_size=20))
def test_weights_are_kept_to_the_last_digit(weights: list[Decimal]) -> None:
    last = 100 - sum(weights, Decimal(0))
    if abs(last) > 1000:
        return
    rows = [f"N{n},,T{n},Energy,Equity,{w:f}" for n, w in enumerate([*weights, last])]
    reading = DOMAIN.read(fund("A", *rows).encode(), "")
    assert [Decimal(row["weight_pct"]) for row in reading.rows] == [*weights, last]
    assert Decimal(reading.summary["weight_sum_pct"]) == 100


@given(
    st.lists(st.decimals(0, 100, places=2), min_size=2, max_size=8),
    st.decimals("0.01", 100, places=2),
    st.data(),
)
def test_a_change_keeps_the_sum(
    weights: list[Decimal], points: Decimal, data: st.DataObject
) -> None:
    target = data.draw(st.none() | st.integers(0, len(weights) - 1))
    rule = data.draw(st.sampled_from(["pro_rata", "from:1", "from:2"]))
    try:
        after = funded(weights, target, points, rule)
    except CannotFund:
        return
    assert abs(sum(after, Decimal(0)) - sum(weights, Decimal(0))) < Decimal("1e-20")
    assert min(after) >= 0
    receiver = len(weights) if target is None else target
    assert after[receiver] - (0 if target is None else weights[target]) == points
