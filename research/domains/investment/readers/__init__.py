"""Bytes to rows: what the file is, is told by its content and never by its name.

The way of a file: `reading.containers` says how it is stored, `nondata` what it is written in, and both
refuse by name what holds neither table nor text; `reading.encoding` makes text; a container (`delimited`,
`workbook`, `tree`, `markup`) makes sheets of rows; `grid` finds the table among them, and `parts` joins one
that stands in parts; the first layout that recognises the table reads it.  SEC forms and Flex queries are
known by their root element; prose becomes passages (`reading.document`, `reading.pdf`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from research.domain import Reading, Unreadable
from research.domains.investment.readers import (
    columns,
    covariance,
    flex,
    generic,
    grid,
    markup,
    nport,
    parts,
    submission,
    thirteen_f,
    tree,
    workbook,
)
from research.domains.investment.readers.delimited import DELIMITERS, sheet_of, tabular
from research.domains.investment.readers.limits import SEARCHED_ROWS
from research.domains.investment.readers.nondata import Markup, markup_of
from research.domains.investment.readers.preamble import read_preamble
from research.domains.investment.readers.sheets import Record, Sheet
from research.reading import document, pdf
from research.reading.containers import Container, container_of
from research.reading.encoding import Text, decode

_WORST: Final = 99  # no header


def read(raw: bytes, title: str) -> Reading:  # noqa: ARG001 - a file is what it holds, not its name
    """Read a file of this domain.

    Raises:
        Unreadable: the bytes are nothing that is read here; the message says what they are.
    """
    container = container_of(raw, advice="save the table as CSV or XLSX")
    if container is Container.PDF:
        return pdf.read(raw)
    if container is not Container.TEXT:
        return _table(workbook.sheets(raw, container), raw)
    text = decode(raw)
    kind = markup_of(text.head(), raw)
    if kind is Markup.SUBMISSION:
        return submission.read(text)
    if kind is Markup.XML:
        return _xml(text)
    if kind is Markup.JSON:
        return _table(tree.sheets(text), raw)
    return _plain(text)


def _xml(text: Text) -> Reading:
    xml = markup.Xml.of(text)
    name, namespace = xml.root()
    if name == "edgarSubmission" and namespace.endswith("/nport"):
        return nport.read(xml)
    if name == "informationTable" and "thirteenf" in namespace:
        return thirteen_f.read([xml], {})
    if name == "FlexQueryResponse":
        return flex.read(xml)
    return _table(markup.sheets(xml, text.findings), text.raw)


def _plain(text: Text) -> Reading:
    """Read delimited text, a matrix, or prose; the delimiter is the one under which a header is seen best."""
    best, sign = (_WORST, 0), ""
    problems: dict[str, Unreadable | None] = {}
    for each in DELIMITERS:
        score, problems[each] = _score(sheet_of(text, each))
        # A delimiter under which the rows can be read comes before one under which they cannot.
        if score[0] < _WORST and (
            not sign or _order(score, problems[each]) < _order(best, problems[sign])
        ):
            best, sign = score, each
    prose = document.is_markdown(text.head())
    if sign and not (prose and sign == "|"):
        return _table([sheet_of(text, sign)], text.raw)
    if prose:
        return document.read_text(text.whole(), text.findings)
    for each in DELIMITERS:
        if problems[each] is None and (matrix := covariance.read(sheet_of(text, each))):
            return matrix
    sheets = [sheet_of(text, each) for each in DELIMITERS]
    broken = [problem for problem in problems.values() if problem]
    wide = any("cells, more than" in problem.problem for problem in broken)
    if wide or _nearest(sheets) or tabular(text):
        raise _no_header(sheets, broken, text.raw)
    return document.read_text(text.whole(), text.findings)


def _order(score: tuple[int, int], problem: Unreadable | None) -> tuple[bool, tuple[int, int]]:
    return problem is not None, score


def _score(sheet: Sheet) -> tuple[tuple[int, int], Unreadable | None]:
    """Return the best header of a sheet, how many columns it knows, and what broke the search."""
    best = (_WORST, 0)
    try:
        for record in islice(sheet, SEARCHED_ROWS):
            kind = columns.kind_of(record.cells)
            if kind is not None:
                best = min(best, (kind.value, -len(columns.known(record.cells))))
    except Unreadable as problem:
        return best, problem
    return best, None


def _table(sheets: Sequence[Sheet], raw: bytes) -> Reading:
    found = parts.find(sheets, raw)
    if found is None:
        raise _no_header(sheets, [], raw)
    return generic.read(found, read_preamble(found.preamble), raw)


def _no_header(sheets: Sequence[Sheet], broken: Sequence[Unreadable], raw: bytes) -> Unreadable:
    nearest = _nearest(sheets)
    if nearest is None:
        also = "".join(f"; {each.problem}" for each in broken[:1])
        return Unreadable(
            f"no header row found in the first {SEARCHED_ROWS} rows: a table needs a column of "
            "weights and columns such as name, ISIN or ticker, asset class; "
            f"the file begins with {raw[:40]!r}{also}",
            first_bytes=raw,
        )
    known = columns.known(nearest.cells)
    missing = [name for name in ("weight", "name") if name not in known]
    return Unreadable(
        f"the header in row {nearest.row} has no column for: {' and '.join(missing) or 'weight'}; "
        f"it reads: {', '.join(nearest.filled)[:200]}",
        row=nearest.row,
        first_bytes=raw,
    )


def _nearest(sheets: Sequence[Sheet]) -> Record | None:
    for sheet in sheets:
        try:
            found = grid.nearest([sheet])
        except Unreadable:
            continue
        if found:
            return found
    return None
