"""Real files of issuers, against figures that were computed independently."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from research.domain import Unreadable
from research.domains.investment import DOMAIN
from tests.domain.sources import look, portfolio, row_of, view

RealFile = Callable[[str], bytes]


class TestIsharesIvv:
    def test_rows_and_weights_are_the_known_ones(self, real_file: RealFile) -> None:
        reading = DOMAIN.read(real_file("02"), "")
        assert reading.kind == "holdings"
        assert reading.reader == "issuer_csv/1"
        assert reading.as_of == "2022-12-30"
        assert reading.identity["name"] == "iShares Core S&P 500 ETF"
        assert reading.counts == {
            "position": 503,
            "cash": 4,
            "derivative": 1,
            "subtotal": 0,
            "footer": 1,
            "rejected": 0,
        }
        assert reading.summary["weight_sum_pct"] == "100.02"
        assert reading.summary["hhi"] == "0.011713"
        assert Decimal(reading.summary["effective_n"]).quantize(Decimal("0.1")) == Decimal("85.4")
        assert reading.summary["top_ten_pct"] == "24.32"
        assert reading.summary["taxonomy"] == "GICS sector labels as stated in the file"

    def test_a_future_keeps_its_market_value_and_its_notional_apart(
        self, real_file: RealFile
    ) -> None:
        rows = DOMAIN.read(real_file("02"), "").rows
        (future,) = [row for row in rows if row["class"] == "derivative"]
        assert future["market_value"] == "0.00"
        assert future["notional"] == "840925800.00"

    def test_a_portfolio_of_it_alone_has_its_figures(self, real_file: RealFile) -> None:
        own = portfolio("S&P 500 ETF,,IVV,100,Equity fund,")
        sources = [view("S1", own), view("S2", real_file("02"), assigned_to="1")]
        sectors = look(sources)
        assert row_of(sectors, "Information Technology")["before_pct"] == "25.68"
        assert "Communication Services" in {row["bucket"] for row in sectors["rows"]}
        level = look(sources, dimension="security")["level"]["before"]
        assert level == {"hhi": "0.011713", "effective_n": "85.38", "top_ten_pct": "24.32"}


class TestInvescoQqq:
    def test_rows_and_weights_are_the_known_ones(self, real_file: RealFile) -> None:
        reading = DOMAIN.read(real_file("12"), "")
        assert reading.kind == "holdings"
        assert reading.as_of == "2023-01-13"
        assert reading.identity == {"name": "", "isin": "", "ticker": "QQQ"}
        assert reading.counts["position"] == 101
        assert reading.summary["weight_sum_pct"] == "100.004"

    def test_codes_are_text_and_padding_goes(self, real_file: RealFile) -> None:
        rows = DOMAIN.read(real_file("12"), "").rows
        assert rows[0]["ticker"] == "MSFT"
        assert rows[1]["code"] == "037833100"

    def test_it_meets_a_line_by_its_ticker(self, real_file: RealFile) -> None:
        sources = [view("S1", portfolio("QQQ,,qqq,100,Equity fund,")), view("S2", real_file("12"))]
        shown = look(sources, dimension="asset_class")
        assert row_of(shown, "Equities")["before_pct"] == "100.00"


REFUSED = [
    (
        "01",
        27,
        "two tables in one file: the header row of the first is row 10, of the second row 27",
    ),
    ("06", None, "this is a ZIP container (an XLSX workbook or an archive)"),
    ("09", None, "this is a JSON document"),
    ("17", None, "this is an HTML page, as a blocked or moved download leaves behind"),
    ("22", None, "this is an OLE container (an XLS workbook or an old Office file)"),
    ("30", None, "this is an XML document"),
    ("42", 5, "the header in row 5 has no column for: weight"),
    ("48", 10, "the header in row 10 has no column for: weight"),
    ("61", None, "no header row found"),
]


@pytest.mark.parametrize(("number", "row", "says"), REFUSED, ids=[each[0] for each in REFUSED])
def test_what_is_not_read_is_refused_by_name(
    real_file: RealFile, number: str, row: int | None, says: str
) -> None:
    raw = real_file(number)
    with pytest.raises(Unreadable) as refused:
        DOMAIN.read(raw, "holdings.csv")
    assert refused.value.problem.startswith(says)
    assert refused.value.row == row
    if row is None:
        assert refused.value.first_bytes == raw[:64]


def test_a_blocked_page_is_shown_by_its_first_bytes(real_file: RealFile) -> None:
    with pytest.raises(Unreadable, match="it begins with b'<html>"):
        DOMAIN.read(real_file("17"), "")
