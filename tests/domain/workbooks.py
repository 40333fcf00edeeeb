"""Small workbooks and PDFs made by hand, so that tests need no library that writes them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from xml.sax.saxutils import escape

Cell = str | int | float | date | None
_FIRST_DAY = date(1899, 12, 30)
_STYLES = (  # plain, a day, percent
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>'
    '<xf numFmtId="10" applyNumberFormat="1"/></cellXfs>'
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


class Percent(float):
    """A fraction that the workbook shows as percent."""


def xlsx(
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    more: Mapping[str, bytes] | None = None,
    merged: str = "",
) -> bytes:
    """Return an XLSX workbook; `more` are parts of its container, `merged` cells of each sheet."""
    parts = _parts({name: sheet_xml(rows, merged) for name, rows in sheets.items()})
    return packed({**parts, **(more or {})})


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return a ZIP container."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return held.getvalue()


def with_sheet(xml: bytes) -> bytes:
    """Return an XLSX workbook whose one sheet is this XML."""
    return packed(_parts({"Sheet1": xml}))


def sheet_xml(rows: Sequence[Sequence[Cell]], merged: str = "") -> bytes:
    """Return the XML of a sheet; `merged` is a range of cells that is one."""
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(
            _cell(f"{_letters(at)}{number}", cell) for at, cell in enumerate(row, start=1)
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    one = f'<mergeCells count="1"><mergeCell ref="{merged}"/></mergeCells>' if merged else ""
    data = f"<sheetData>{''.join(lines)}</sheetData>"
    return f'<worksheet xmlns="{_MAIN}">{data}{one}</worksheet>'.encode()


def _cell(place: str, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return (
            f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
        )
    if isinstance(cell, date):
        return f'<c r="{place}" s="1"><v>{(cell - _FIRST_DAY).days}</v></c>'
    style = ' s="2"' if isinstance(cell, Percent) else ""
    return f'<c r="{place}"{style}><v>{cell!r}</v></c>'


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _parts(sheets: Mapping[str, bytes]) -> dict[str, bytes]:
    numbers = range(1, len(sheets) + 1)
    names = zip(numbers, sheets, strict=True)
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="rId{n}"/>' for n, name in names
    )
    related = "".join(
        f'<Relationship Id="rId{n}" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    related += f'<Relationship Id="rId0" Type="{_RELATIONS}/styles" Target="styles.xml"/>'
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for n in numbers
    )
    return {
        "[Content_Types].xml": (
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/xl/workbook.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
            '<Override PartName="/xl/styles.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>'
            f"{types}</Types>"
        ).encode(),
        "_rels/.rels": (
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
            f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ).encode(),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{listed}</sheets></workbook>'
        ).encode(),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{_PACKAGE}/relationships">{related}</Relationships>'
        ).encode(),
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{_STYLES}</styleSheet>'.encode(),
        **{
            f"xl/worksheets/sheet{n}.xml": xml
            for n, xml in zip(numbers, sheets.values(), strict=True)
        },
    }


def pdf(*pages: Sequence[str]) -> bytes:
    """Return a PDF with these lines of text on its pages."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj 0 -30 Td" for line in lines)
        stream = f"BT /F1 12 Tf 50 750 Td {shown} ET".encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
    )
    return bytes(out)
