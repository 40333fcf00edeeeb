"""What the readers make of the variety that is allowed."""

from __future__ import annotations

import pytest

from research.domain import Reading
from research.domains.investment import DOMAIN
from research.domains.investment.codes import cusip_valid, isin_valid, ticker_key
from research.reading.dates import iso_date
from tests.domain.sources import HOLDINGS_HEADER, fund, portfolio

Order = bool | None
ROWS = ("Fund A,IE00B5BMR087,AAA,60.5,Equity fund,", "Fund B,IE00B4L5Y983,BBB,39.5,Bond fund,")


def read(text: str | bytes) -> Reading:
    return DOMAIN.read(text.encode() if isinstance(text, str) else text, "")


def weights(reading: Reading) -> list[str]:
    return [row["weight_pct"] for row in reading.rows if "weight_pct" in row]


class TestPortfolio:
    def test_lines_are_numbered_in_the_order_of_the_file(self) -> None:
        reading = read(portfolio(*ROWS, "Cash,,,0,Cash,", above="As of,2026-10-30\n"))
        assert [(row["row"], row["line"], row["class"]) for row in reading.rows] == [
            (4, 1, "position"),
            (5, 2, "position"),
            (6, 3, "cash"),
        ]
        assert reading.as_of == "2026-10-30"
        assert reading.summary["weight_sum_pct"] == "100.0"
        assert reading.findings == ()

    @pytest.mark.parametrize("sign", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
    def test_the_delimiter_is_found(self, sign: str) -> None:
        assert weights(read(portfolio(*ROWS).replace(",", sign))) == ["60.5", "39.5"]

    def test_a_decimal_comma_is_read(self) -> None:
        text = portfolio(*ROWS).replace(",", ";").replace(".", ",")
        assert weights(read(text)) == ["60.5", "39.5"]
        quoted = portfolio('A,,A,"60,500",Equity,', 'B,,B,"39,5",Equity,')
        assert weights(read(quoted)) == ["60.500", "39.5"]

    def test_fractions_become_percent_and_that_is_a_finding(self) -> None:
        reading = read(portfolio("A,,A,0.605,Equity,", "B,,B,0.395,Equity,"))
        assert weights(reading) == ["60.500", "39.500"]
        assert reading.findings == (
            (
                "The weights sum to 1.000 and were read as fractions of 1, although the header of "
                "the column says percent."
            ),
            "The file does not state the date of the weights.",
        )

    def test_a_percent_sign_in_the_cell_is_read(self) -> None:
        assert weights(read(portfolio("A,,A,60 %,Equity,", "B,,B,40%,Equity,"))) == ["60", "40"]

    def test_a_sum_within_the_tolerance_is_kept_as_it_is(self) -> None:
        reading = read(portfolio("A,,A,33.3,Equity,", "B,,B,66.6,Equity,"))
        assert weights(reading) == ["33.3", "66.6"]
        assert reading.summary["weight_sum_pct"] == "99.9"

    def test_a_total_is_a_subtotal_and_is_not_counted(self) -> None:
        reading = read(portfolio(*ROWS, "Total,,,100,,", "checked by hand"))
        assert reading.counts["subtotal"] == 1
        assert reading.counts["footer"] == 1
        assert reading.summary["weight_sum_pct"] == "100.0"

    def test_one_column_may_hold_isins_and_tickers(self) -> None:
        text = (
            "name,isin or ticker,weight,asset class\nA,IE00B5BMR087,50,Equity\nB,BRK.B,50,Share\n"
        )
        first, second = read(text).rows
        assert (first["isin"], first["ticker"]) == ("IE00B5BMR087", "")
        assert (second["isin"], second["ticker"]) == ("", "BRK.B")

    def test_what_looks_like_a_formula_stays_text(self) -> None:
        reading = read(portfolio('"=HYPERLINK(""http://x"")",,A,100,Equity,'))
        assert reading.rows[0]["name"] == '=HYPERLINK("http://x")'

    def test_doubtful_codes_are_findings(self) -> None:
        reading = read(
            portfolio("A,IE00B5BMR088,,50,Equity,", "B,,,30,Equity,", "C,IE00B5BMR088,,20,Equity,")
        )
        assert reading.findings[:3] == (
            "Row 2: the check digit of ISIN IE00B5BMR088 is wrong; it was kept as stated.",
            "ISIN IE00B5BMR088 stands in rows 2, 4; each row was counted.",
            "Line 2 has neither ISIN nor ticker: holdings meet it only if assigned.",
        )


class TestIssuer:
    def test_our_own_layout_names_its_fund(self) -> None:
        reading = read(fund("World", "X,,XX,Energy,Equity,100", isin="IE00B4L5Y983", ticker="WLD"))
        assert reading.kind == "holdings"
        assert reading.identity == {"name": "World", "isin": "IE00B4L5Y983", "ticker": "WLD"}
        assert reading.as_of == "2026-09-30"

    def test_every_row_ends_in_a_class_with_its_reason(self) -> None:
        reading = read(
            fund(
                "World",
                "X,,XX,Energy,Equity,60",
                "USD CASH,,USD,Cash and/or Derivatives,Cash,1",
                "EUR/USD,,EUR,Cash and/or Derivatives,Forwards,-1",
                "MINI FUT,,ESZ6,Cash and/or Derivatives,Futures,-",
                "WORLD SMALL CAP ETF,,WSC,Financials,Equity,40",
                "Y,,YY,Energy,Equity,<0.01%",
                "Z,,ZZ,Energy,Equity,-",
                ",,,,,0.1",
                "A, Inc,,AA,Energy,Equity,1",
                "Total,,,,,100",
                "",
                "Holdings may change.",
            )
        )
        assert reading.counts == {
            "position": 3,
            "cash": 1,
            "derivative": 2,
            "subtotal": 1,
            "footer": 1,
            "rejected": 3,
        }
        assert [row["reason"] for row in reading.rows if "reason" in row] == [
            "no weight is stated",
            "it has neither a name nor a code",
            "it has 7 cells, the header 6",
        ]
        assert "Row 11 (WORLD SMALL CAP ETF) is itself a fund" in " ".join(reading.findings)
        assert "Cash or derivative rows that state no weight: 1." in reading.findings
        assert reading.summary["weight_sum_pct"] == "100"
        assert reading.summary["weight_sum_below_pct"] == "100.01"
        (below,) = [row for row in reading.rows if "weight_below_pct" in row]
        assert (below["name"], below["weight_pct"], below["weight_below_pct"]) == ("Y", "", "0.01")

    def test_a_company_named_total_is_a_position(self) -> None:
        reading = read(fund("World", "TotalEnergies SE,FR0000120271,TTE,Energy,Equity,100"))
        assert reading.counts["position"] == 1

    def test_a_fund_without_a_name_or_date_says_so(self) -> None:
        reading = read("Ticker,Name,Sector,Weight\nXX,X,Energy,1.0\n")
        assert reading.findings == (
            "The weights sum to 1.0 and were read as fractions of 1.",
            "The file does not name its fund: it meets a line only if assigned to it.",
            "The file does not state the date of the holdings.",
        )
        assert reading.as_of == "not stated"

    def test_sectors_of_another_taxonomy_are_not_called_gics(self) -> None:
        reading = read(fund("World", "X,,XX,Technology,Equity,50", "Y,,YY,Energy,Equity,50"))
        assert reading.summary["taxonomy"] == (
            "sector labels as stated in the file, not all of them GICS"
        )

    def test_a_date_without_quotes_is_still_one_date(self) -> None:
        text = f"Fund,World\nAs of,Jan 20, 2023\n\n{HOLDINGS_HEADER}\nX,,XX,Energy,Equity,100\n"
        assert read(text).as_of == "2023-01-20"


class TestEncoding:
    @pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-32"])
    def test_a_byte_order_mark_decides(self, name: str) -> None:
        reading = read(portfolio(*ROWS).replace("Fund A", "Für A").encode(name))
        assert reading.rows[0]["name"] == "Für A"

    @pytest.mark.parametrize(
        ("encoding", "name"), [("cp1252", "Société Générale"), ("gb18030", "贵州茅台股份")]
    )
    def test_another_encoding_is_a_recorded_guess(self, encoding: str, name: str) -> None:
        reading = read(portfolio(*ROWS).replace("Fund B", name).encode(encoding))
        assert reading.rows[1]["name"] == name
        assert reading.findings[0].startswith(
            f"Row 3 is not UTF-8; the encoding was guessed as {encoding}"
        )


@pytest.mark.parametrize(
    ("text", "month_first", "date"),
    [
        ("Dec 30, 2022", None, "2022-12-30"),
        ("As of 10-Jan-2023", None, "2023-01-10"),
        ("30 September 2026", None, "2026-09-30"),
        ("2026-09-30T00:00:00", None, "2026-09-30"),
        ("20260430", None, "2026-04-30"),
        ("30.09.2026", None, "2026-09-30"),
        ("01.02.2026", None, "2026-02-01"),
        ("01/13/2023", None, "2023-01-13"),
        ("01/02/2023", True, "2023-01-02"),
        ("01/02/2023", None, "not stated"),
        ("33-09-2024", None, "not stated"),
        ("yesterday", None, "not stated"),
    ],
)
def test_dates_are_read_or_not_stated(text: str, month_first: Order, date: str) -> None:
    assert iso_date(text, month_first=month_first) == date


def test_check_digits_and_tickers() -> None:
    assert isin_valid("US0378331005")
    assert not isin_valid("US0378331006")
    assert cusip_valid("037833100")
    assert not cusip_valid("037833101")
    assert ticker_key("brk/b ") == ticker_key("BRK.B") == "BRKB"
