"""SEC full submissions: an SGML header and the documents of a filing, in one text.

Source: SEC, EDGAR Public Dissemination Service technical specification.
"""

from __future__ import annotations

import re
from typing import Final

from research.domain import Reading
from research.domains.investment.readers import nport, thirteen_f
from research.domains.investment.readers.markup import Xml
from research.reading.containers import refusal
from research.reading.encoding import Text

_FIELDS: Final = {
    "CONFORMED SUBMISSION TYPE": "type",
    "CONFORMED PERIOD OF REPORT": "period",
    "FILED AS OF DATE": "filed",
    "COMPANY CONFORMED NAME": "company",
}
_FIELD: Final = re.compile(r"^\s*([A-Z ]+):[ \t]*(\S.*?)\s*$", re.MULTILINE)
_OPEN: Final = re.compile(rb"<XML>\s*", re.IGNORECASE)
_CLOSE: Final = b"</XML>"


def read(text: Text) -> Reading:
    """Read the N-PORT or 13F within a submission.

    Raises:
        Unreadable: neither of them is in it.
    """
    head = text.head()
    facts: dict[str, str] = {}
    for found in _FIELD.finditer(head):
        if found[1].strip() in _FIELDS:
            facts.setdefault(_FIELDS[found[1].strip()], found[2])
    tables: list[Xml] = []
    for document in _documents(text.raw):
        name, namespace = document.root()
        if name == "informationTable":
            tables.append(document)
        elif name == "edgarSubmission" and namespace.endswith("/nport"):
            return nport.read(document, "sec_nport_submission/1")
        elif name == "edgarSubmission":
            facts |= thirteen_f.cover(document)
    if tables:
        return thirteen_f.read(tables, facts, "sec_13f_submission/1")
    kind = facts.get("type", "of an unknown type")
    raise refusal(
        f"an SEC full submission ({kind}) without the XML of an N-PORT or a 13F table", text.raw
    )


def _documents(raw: bytes) -> list[Xml]:
    found: list[Xml] = []
    at = 0
    while opening := _OPEN.search(raw, at):
        end = raw.find(_CLOSE, opening.end())
        at = len(raw) if end < 0 else end
        found.append(Xml(raw[opening.end() : at]))
    return found
