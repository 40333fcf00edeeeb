"""How many rows a file has, counted apart from the readers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from python_calamine import CalamineWorkbook, SheetTypeEnum

from research.domain import Reading

SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "caret": "^", "tilde": "~"}
ENCODINGS = ("utf-8-sig", "utf-16", "gb18030", "cp1252")
RECORDS = {
    "sec_nport": ("invstOrSec",),
    "sec_13f": ("infoTable",),
    "ibkr_flex": ("OpenPosition", "CashReportCurrency"),
}


class Records(NamedTuple):
    """Rows of a file, and how many of them are blank."""

    total: int
    blank: int


def records_of(raw: bytes, reading: Reading) -> Records | None:
    """Return how many rows a file has, None where nothing but its reader could tell."""
    kind, _, container = reading.reader.partition("/")[0].rpartition("_")
    if container == "csv" and reading.kind != "covariance":
        return _of_text(raw, SIGNS[reading.summary["delimiter"]], reading)
    if container in ("xlsx", "xls"):
        return _of_workbook(raw)
    if kind in RECORDS and container == "xml":
        names = RECORDS[kind]
        root = ET.fromstring(raw.strip())  # noqa: S314 - our reader has let it pass
        return Records(sum(each.tag.rpartition("}")[2] in names for each in root.iter()), 0)
    if container == "json" and "sheet" not in reading.summary:
        arrays = [each for each in _arrays(json.loads(_text(raw, reading))) if each]
        if len(arrays) == 1:
            return Records(
                len(arrays[0]) + int(reading.summary["preamble_rows"]) + 1, len(arrays[0])
            )
    return None


def _of_text(raw: bytes, sign: str, reading: Reading) -> Records:
    text = _text(raw, reading)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign, skipinitialspace=True))
    return Records(len(rows), sum(not any(cell.strip() for cell in row) for row in rows))


def _text(raw: bytes, reading: Reading) -> str:
    said = " ".join(reading.findings)
    guessed = next((name for name in ENCODINGS if f"guessed as {name}" in said), "")
    marked = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    return raw.decode(guessed or ("utf-16" if marked else "utf-8-sig"))


def _of_workbook(raw: bytes) -> Records:
    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    total = blank = 0
    for each in book.sheets_metadata:
        if each.typ is SheetTypeEnum.WorkSheet:
            rows = book.get_sheet_by_name(each.name).to_python(skip_empty_area=False)
            total += len(rows)
            blank += sum(not any(str(cell).strip() for cell in row) for row in rows)
    return Records(total, blank)


def _arrays(document: Any) -> list[list[Any]]:
    if isinstance(document, Mapping):
        return [found for value in document.values() for found in _arrays(value)]
    if not isinstance(document, list):
        return []
    inner = [found for value in document for found in _arrays(value)]
    return inner or ([document] if any(isinstance(each, dict) for each in document) else [])
