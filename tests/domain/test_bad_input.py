"""Every way in which a file may be wrong, and the sentence that says so."""

from __future__ import annotations

import pytest

from research.domain import Unreadable
from research.domains.investment import DOMAIN
from research.domains.investment.readers import limits
from research.reading import containers
from tests.domain.sources import fund, portfolio

LINE = "Fund A,IE00B5BMR087,AAA,60,Equity fund,"
OTHER = "Fund B,IE00B4L5Y983,BBB,40,Bond fund,"
GOOD = portfolio(LINE, OTHER)
HOLDINGS = fund("Fund A", "X,,XX,Energy,Equity,60", "Y,,YY,Energy,Equity,40")


def changed(old: str, new: str, text: str = GOOD) -> str:
    assert old in text
    return text.replace(old, new)


CASES: list[tuple[str, bytes | str, int | None, str]] = [
    ("empty file", b"", None, "the file is empty (0 bytes)"),
    ("white space only", b" \n\r\n\t", None, "the file is empty (white space only)"),
    ("byte order mark only", b"\xef\xbb\xbf", None, "the file is empty (white space only)"),
    ("html", "\n<!DOCTYPE html><p>x", None, "this is an HTML page"),
    ("xml", "<?xml version='1.0'?><a/>", None, "this is an XML document"),
    ("json", '{"a": 1}', None, "this is a JSON document"),
    ("pdf", b"%PDF-1.7 x", None, "this is a PDF"),
    (
        "a table without a header",
        "a,1,2,3\nb,4,5,6\nc,7,8,9\n",
        None,
        "no header row found in the first 200 rows",
    ),
    (
        "utf-16 without a mark",
        GOOD.encode("utf-16-le"),
        1,
        "unknown encoding: every other byte is NUL, as in UTF-16 without a byte order mark",
    ),
    ("broken utf-16", b"\xff\xfe\x00\xd8a\x00", None, "the byte order mark says utf-16-le, but"),
    ("nul byte", GOOD.encode() + b"\x00", 4, "row 4 holds a NUL byte: this is binary data"),
    ("control character", changed("Fund B", "Fund\x01B"), 3, "row 3 holds the control character"),
    (
        "unknown encoding",
        b"Name,\x81\x8d\x8f\x90\n",
        1,
        "unknown encoding: row 1 is not UTF-8, and the bytes look like neither",
    ),
    ("quote never closed", changed("Fund B", '"Fund B'), 3, "row 3: a quote opens here and is"),
    ("text after a quote", changed("Fund B", '"Fund" B'), 3, "row 3: broken quoting"),
    ("huge cell", changed("Fund B", "B" * 140_000), 3, "row 3: a cell is longer than 131,072"),
    ("long cell", changed("Fund B", "B" * 1_001), 3, "row 3 has a cell of more than the limit"),
    ("many columns", changed("Sector", "Sector" + "," * 300), None, "no header row found in the"),
    (
        "two tables",
        GOOD + "\n" + GOOD,
        5,
        "two tables in one file: the header row of the first is row 1, of the second row 5",
    ),
    (
        "two weight columns",
        changed("Ticker", "Weight"),
        1,
        "the header in row 1 has two columns of weights: 'Weight' and 'Weight (%)'",
    ),
    (
        "sum of 90",
        changed(",60,", ",50,"),
        3,
        "the weights of rows 2 to 3 sum to 90, which is neither 100 nor 1",
    ),
    ("sum of 0", changed(",60,", ",-40,"), 3, "the weights of rows 2 to 3 sum to 0, which is"),
    ("no weight", changed(",60,", ",,"), 2, "row 2: the weight '' of 'Fund A' is no number"),
    ("word as weight", changed(",60,", ",sixty,"), 2, "row 2: the weight 'sixty' of 'Fund A'"),
    ("not a number", changed(",60,", ",NaN,"), 2, "row 2: the weight 'NaN' of 'Fund A' is no"),
    ("weight of 1001", changed(",60,", ",1001,"), 2, "row 2: the weight '1001' of 'Fund A' is no"),
    ("no name", changed("Fund A", ""), 2, "row 2 has no name"),
    ("too many cells", changed("fund,\n", "fund,,x\n"), 2, "row 2 has 7 cells, the header 6"),
    (
        "two decimal signs",
        changed(",60,", ',"60,0",', changed(",40,", ",40.0,")),
        3,
        "the weight column mixes decimal signs: a point in row 3, a comma in row 2",
    ),
    ("header only", portfolio(), 1, "row 1 is a header, but no line follows it"),
    (
        "no codes",
        "Portfolio,x\nName,Weight,Asset class\nA,100,Cash\n",
        2,
        "the header in row 2 has no column for: isin or ticker",
    ),
    (
        "no weights",
        "Name,ISIN\nA,IE00B5BMR087\n",
        1,
        "the header in row 1 has no column for: weight",
    ),
    (
        "501 lines",
        portfolio(*["Fund A,,A,0,Equity fund,"] * 501),
        502,
        "the portfolio has 501 lines, more than the limit of 500",
    ),
    (
        "holdings sum of 200",
        changed(",60", ",160", HOLDINGS),
        8,
        "the weights of rows 7 to 8 sum to 200, which is neither 100 nor 1",
    ),
    (
        "holdings sum of 35 without a unit",
        changed(" (%)", "", changed(",60", ",15", changed("Equity,40", "Equity,20", HOLDINGS))),
        8,
        "the weights of rows 7 to 8 sum to 35, which is neither 100 nor 1",
    ),
    (
        "holdings without a weight",
        changed(",60", ",-", changed("Equity,40", "Equity,-", HOLDINGS)),
        6,
        "row 6 is a header, but no row with a weight follows it",
    ),
    (
        "two funds",
        "Fund Ticker,Name,Weight\nA,X,50\nB,Y,50\n",
        3,
        "two tables in one file: the rows are of several funds, 'A' in row 2 and 'B' in row 3",
    ),
    (
        "two dates",
        "Fund Ticker,Name,Weight,Date\nA,X,50,01/13/2023\nA,Y,50,01/14/2023\n",
        3,
        "two tables in one file: the rows are of several dates",
    ),
]


@pytest.mark.parametrize(("raw", "row", "says"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_bad_input_is_named(raw: bytes | str, row: int | None, says: str) -> None:
    raw = raw.encode() if isinstance(raw, str) else raw
    with pytest.raises(Unreadable) as refused:
        DOMAIN.read(raw, "portfolio.csv")
    assert refused.value.problem.startswith(says)
    assert refused.value.row == row


def test_the_good_ones_are_good() -> None:
    assert DOMAIN.read(GOOD.encode(), "").kind == "portfolio"
    assert DOMAIN.read(HOLDINGS.encode(), "").kind == "holdings"


def test_many_columns_are_refused_with_the_limit() -> None:
    with pytest.raises(Unreadable, match=r"row 1 has 306 cells, more than the limit of 200"):
        DOMAIN.read(changed("Sector", "Sector" + "," * 300).encode(), "")


def test_a_large_file_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_BYTES", 100)
    with pytest.raises(Unreadable, match=r"more than the limit of 100"):
        DOMAIN.read(GOOD.encode(), "")


def test_many_rows_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.domains.investment.readers.delimited.MAX_ROWS", 1)
    with pytest.raises(Unreadable, match=r"row 2: the file has more than the limit of 1 rows"):
        DOMAIN.read(GOOD.encode(), "")
    assert limits.MAX_ROWS == 50_000
