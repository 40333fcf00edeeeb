"""What bytes are, which limits they keep, and what is refused by name."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable

import pytest

from research.domain import Unreadable
from research.domains.investment import DOMAIN
from research.domains.investment.readers import (
    archive,
    grid,
    markup,
    tree,
    workbook,
)
from research.reading import containers, document, pdf
from tests.domain.workbooks import Cell, packed, sheet_xml, with_sheet, xlsx
from tests.domain.workbooks import pdf as made_pdf

TABLE: list[list[Cell]] = [
    ["Fund", "X"],
    ["ISIN", "Name", "Weight (%)"],
    ["US0378331005", "A", 60.5],
    ["DE0007164600", "B", 39.5],
]
RealFile = Callable[[str], bytes]
NPORT = (
    "<edgarSubmission xmlns='http://www.sec.gov/edgar/nport'><formData><genInfo><repPdDate>2022-12-31</repPdDate>"
    "</genInfo><invstOrSecs>{}</invstOrSecs></formData></edgarSubmission>"
)


def refusal(raw: bytes | str) -> str:
    raw = raw.encode() if isinstance(raw, str) else raw
    with pytest.raises(Unreadable) as refused:
        DOMAIN.read(raw, "")
    return refused.value.problem


NAMED = [
    ("spreadsheetml", ('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
     '<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"/>'), "this is SpreadsheetML"),
    ("xhtml", "<?xml version='1.0'?>\n<!DOCTYPE html><html/>", "this is an HTML page"),
    ("html fragment", "<!-- x --><table><tr><td>1</td></tr></table>", "this is an HTML page"),
    ("xml of something", "<note><to>x</to></note>",
        "this is an XML document (root element note) without a table"),
    ("broken xml", "<?xml version='1.0'?>\n<a><b></a>", "this is an XML document that is broken in row 2"),
    ("document type", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
     "this is an XML document with a document type or an entity (DTDForbidden)"),
    ("json without a table", '{"a": 1}', "this is a JSON document without an array of objects"),
    ("broken json", '[{"name": "A",\n "isin": }]', "this is a JSON document that is broken in row 2"),
    ("a key twice", '[{"name": "A", "name": "B"}]', "the key 'name' stands twice in one object"),
    ("submission without xml", "<SEC-DOCUMENT>x\nCONFORMED SUBMISSION TYPE:\t10-K\n",
     "this is an SEC full submission (10-K) without the XML"),
    ("empty n-port", NPORT.format(""),
     "this is an SEC N-PORT filing without holdings and without net assets"),
    ("flex without positions", "<FlexQueryResponse><Trade symbol='A' quantity='1'/></FlexQueryResponse>",
     "this is an Interactive Brokers Flex query without open positions (it holds 1 Trade)"),
    ("gzip", b"\x1f\x8b\x08\x00", "this is a gzip archive"),
    ("parquet", b"PAR1abc", "this is a Parquet file"),
    ("word", packed({"word/document.xml": b""}), "this is a Word document (DOCX)"),
    ("zip", packed({"a.csv": b""}), "this is a ZIP archive"),
    ("cut xlsx", xlsx({"A": TABLE})[:300], "this is a ZIP container that is damaged"),
    ("xlsx without sheets", packed({"xl/workbook.xml": b"<workbook/>"}),
     "this is an XLSX workbook that is damaged"),
    ("ole", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "this is an OLE container that is damaged"),
    ("cut pdf", made_pdf(["Words"])[:200], "this is a PDF that is damaged"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "says"), [each[1:] for each in NAMED], ids=[each[0] for each in NAMED]
)
def test_what_is_not_read_is_named(raw: bytes | str, says: str) -> None:
    assert refusal(raw).startswith(says)


@pytest.mark.parametrize("number", ["22", "06", "08"])
def test_a_cut_workbook_is_refused(real_file: RealFile, number: str) -> None:
    raw = real_file(number)
    for part in (3, 2):
        assert "damaged" in refusal(raw[: len(raw) // part])


class TestWorkbookLimits:
    def test_unpacked_size(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 1_000)
        assert refusal(xlsx({"A": TABLE})).endswith("bytes or more, the limit is 1,000")

    def test_ratio(self) -> None:
        bomb = xlsx({"A": TABLE}, {"xl/media/zeros.bin": b"0" * 20_000_000})
        assert len(bomb) < 30_000
        assert "unpacks to more than 200 times its packed size" in refusal(bomb)

    def test_a_size_that_is_a_lie_is_found_out(self) -> None:
        raw = bytearray(xlsx({"A": TABLE}, {"xl/media/zeros.bin": b"0" * 2_000_000}))
        with zipfile.ZipFile(io.BytesIO(bytes(raw))) as held:
            size = held.getinfo("xl/media/zeros.bin").file_size
        at = raw.rindex(size.to_bytes(4, "little"))
        raw[at : at + 4] = (10).to_bytes(4, "little")
        problem = refusal(bytes(raw))
        assert "200 times its packed size" in problem or "damaged" in problem

    def test_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive, "MAX_PARTS", 3)
        assert "parts, more than the limit of 3" in refusal(xlsx({"A": TABLE}))

    def test_sheets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workbook, "MAX_SHEETS", 1)
        assert refusal(xlsx({"A": TABLE, "B": TABLE})) == (
            "the workbook has 2 sheets, more than the limit of 1"
        )

    @pytest.mark.parametrize(
        ("place", "says"),
        [
            ("A1048576", "reaches to row 1,048,576: more than the limit of 50,000 rows"),
            ("XFD9", "reaches to column 16,384: more than the limit of 200 columns"),
            (
                "GR40000",
                "has 8,000,000 cells between its corners, more than the limit of 1,000,000",
            ),
        ],
    )
    def test_two_cells_far_apart_take_no_memory(self, place: str, says: str) -> None:
        xml = sheet_xml(TABLE).replace(
            b"</sheetData>", f'<row><c r="{place}"><v>1</v></c></row></sheetData>'.encode()
        )
        assert says in refusal(with_sheet(xml))

    def test_an_xls_whose_cell_is_far_away(self, real_file: RealFile) -> None:
        raw = bytearray(real_file("22"))
        at = raw.index(b"\x03\x02\x0e\x00")  # a NUMBER record: row, column
        raw[at + 6 : at + 8] = (60_000).to_bytes(2, "little")
        assert "reaches to column 60,001" in refusal(bytes(raw))


class TestOtherLimits:
    def test_json_size_and_depth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert (
            refusal("[" * 40 + "]" * 40)
            == "the JSON document is nested deeper than the limit of 32"
        )
        assert refusal("[" * 100_000) == "the JSON document is nested deeper than the limit of 32"
        monkeypatch.setattr(tree, "MAX_JSON_BYTES", 100)
        assert "more than the limit of 100 for JSON" in refusal(json.dumps([{"name": "A" * 100}]))

    def test_xml_depth_and_elements(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert (
            refusal("<a>" * 33 + "</a>" * 33)
            == "the XML document is nested deeper than the limit of 32"
        )
        monkeypatch.setattr(markup, "MAX_ELEMENTS", 10)
        assert (
            refusal("<a>" + "<b/>" * 10 + "</a>")
            == "the XML document has more than the limit of 10 elements"
        )

    def test_tables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(grid, "MAX_TABLES", 2)
        table = "Name,ISIN,Weight\nA,US0378331005,100\n"
        assert refusal(table * 3) == "row 5: the file has more than the limit of 2 tables"

    def test_text(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(document, "MAX_PASSAGES", 2)
        assert (
            refusal("one\n\ntwo\n\nthree")
            == "the document has 3 passages, more than the limit of 2"
        )
        monkeypatch.setattr(document, "MAX_DOCUMENT_CHARACTERS", 5)
        assert refusal("one two") == "the text has 7 characters, more than the limit of 5"

    def test_pdf(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pdf, "MAX_PAGES", 1)
        assert refusal(made_pdf(["a"], ["b"])) == "the PDF has 2 pages, more than the limit of 1"

    def test_size(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(containers, "MAX_BYTES", 10)
        assert "more than the limit of 10" in refusal(xlsx({"A": TABLE}))


class TestWhatNoTextMayHold:
    def test_half_a_pair_and_a_nul_become_a_mark(self) -> None:
        rows = DOMAIN.read(
            b'[{"name": "A\\ud800B\\u0000", "isin": "US0378331005", "weight": 100}]', ""
        ).rows
        assert rows[0]["name"] == "A\ufffdB\ufffd"


class TestDocuments:
    def test_markdown_keeps_its_headings_and_its_date(self) -> None:
        text = "---\ntitle: Policy\nupdated_at: 2025-11-12\n---\n\n# Limits\nAt most 60 %.\n\n- one\n- two\n"
        reading = DOMAIN.read(text.encode(), "")
        assert (reading.kind, reading.reader, reading.as_of) == (
            "text",
            "markdown/1",
            "2025-11-12",
        )
        assert reading.identity["name"] == "Policy"
        assert [(row["row"], row["text"], row.get("heading", "")) for row in reading.rows[1:]] == [
            (6, "# Limits", "Limits"),
            (7, "At most 60 %.", "Limits"),
            (9, "- one\n- two", "Limits"),
        ]

    def test_plain_text_is_passages(self) -> None:
        reading = DOMAIN.read(b'Dear client,\n"All is well," he said.\n\nYours\n', "")
        assert reading.reader == "plain_text/1"
        assert [row["text"] for row in reading.rows] == [
            'Dear client,\n"All is well," he said.',
            "Yours",
        ]
        assert reading.counts == {"passage": 2}

    def test_a_long_paragraph_becomes_several_passages_and_loses_nothing(self) -> None:
        text = "word " * 1_000
        rows = DOMAIN.read(text.encode(), "").rows
        assert len(rows) == 3
        assert "".join(row["text"] for row in rows) == text.rstrip()

    def test_the_text_of_a_pdf_is_passages_of_its_pages(self) -> None:
        reading = DOMAIN.read(
            made_pdf(["Investment policy", "At most 60"], [], ["Page three"]), ""
        )
        assert reading.reader == "pdf_text/1"
        assert [(row["page"], row["text"]) for row in reading.rows] == [
            (1, "Investment policy\nAt most 60"),
            (3, "Page three"),
        ]
        assert reading.findings[1] == (
            "Pages without text (pictures, perhaps): 1, the first is page 2."
        )
