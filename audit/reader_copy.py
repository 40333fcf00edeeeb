"""The report as its reader may see it: what his scopes do not cover is withheld, and the copy says so.

A document holds words of models, figures and titles.  Words are shown if they stand in a stored answer whose
whole lineage the reader covers, figures if their tool result does, and are withheld otherwise: what is not
known to be covered is not shown.  The stored document stays as it is.

Source: design.md D13, D14; scenario H11.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from audit.viewer import READER, Coverage, Viewer
from bullbear.boundedjson import JsonRefused, parse
from bullbear.content import load_all
from bullbear.models import ModelRequest, Root
from dialogue.report.figures import render_figures
from research.completions import read
from research.models import RootSource, ToolCall

WITHHELD = "(withheld: your scopes do not cover what this rests on)"
_SOURCE_FIELDS = ("title", "assigned_to", "scope", "sha256", "as_of")
_Document = dict[str, Any]


@dataclass
class _Reader:
    """What a reader may see of a Root's texts.

    Shape:
        words: every text of an answer or result that he covers
        results: handle of a tool call that he covers → its result
    """

    words: frozenset[str]
    results: Mapping[str, Mapping[str, Any]]
    withheld: int = field(default=0)

    def copy(self, value: Any) -> Any:
        """Copy a part of a document; a text of a model is an object with `text`."""
        match value:
            case {"text": str(text)}:
                return self._quoted(text, value)
            case dict():
                return {key: self.copy(one) for key, one in value.items()}
            case list():
                return [self.copy(one) for one in value]
            case _:
                return value

    def _quoted(self, text: str, quoted: _Document) -> _Document:
        if text not in self.words:
            self.withheld += 1
            return {"text": WITHHELD, "withheld": True}
        figures = render_figures(text, self.results)
        shown = {key: one for key, one in quoted.items() if key != "with_figures"}
        return shown if figures == text else {**shown, "with_figures": figures}

    def table(self, table: _Document) -> _Document:
        """Copy a table of figures whole, or nothing of it but whose result it is."""
        if any(one["handle"] in self.results for one in table["results"]):
            return table
        self.withheld += 1
        return {
            **table,
            "title": WITHHELD,
            "rows": [],
            "coverage": [],
            "denominator": WITHHELD,
            "does_not_show": WITHHELD,
            "withheld": True,
        }

    def source(self, source: _Document, *, covered: bool) -> _Document:
        """Copy a line of the evidence, or what of it is no secret: its handle, kind and reader."""
        if covered:
            return source
        self.withheld += 1
        return {**source, **dict.fromkeys(_SOURCE_FIELDS, WITHHELD), "rows": {}, "withheld": True}


def reader_copy(
    document: Mapping[str, Any], root: Root, viewer: Viewer, *, using: str = READER
) -> _Document:
    """Copy a report's document for a reader who may read its Root.

    Shape:
        the document's, with `withheld: int`, the number of places where something was left out
    """
    linked = RootSource.objects.using(using).filter(root=root).select_related("source")
    coverage = viewer.covers(root, linked, using=using)
    covered = {f"S{one.number}": coverage.holds([str(one.source_id)]) for one in linked}
    if all(covered.values()):
        return {**document, "withheld": 0}
    reader = _reader(document, root, coverage, using)
    own = {key: document[key] for key in ("question", "evidence", "numbers")}
    rest = {key: reader.copy(one) for key, one in document.items() if key not in own}
    own["evidence"] = {
        **own["evidence"],
        "sources": [
            reader.source(one, covered=covered.get(one["handle"], False))
            for one in own["evidence"]["sources"]
        ],
    }
    own["numbers"] = [reader.table(one) for one in own["numbers"]]
    copied = {key: own.get(key, rest.get(key)) for key in document}
    return {**copied, "withheld": reader.withheld}


def _reader(document: Mapping[str, Any], root: Root, coverage: Coverage, using: str) -> _Reader:
    requests = ModelRequest.objects.using(using).filter(root=root, response__isnull=False)
    answers = [one.response_id for one in requests if coverage.holds(one.lineage)]
    calls = ToolCall.objects.using(using).filter(root=root, refusal="")
    seen = {one.result_id: f"T{one.number}" for one in calls if coverage.shows(one)}
    contents = load_all([one for one in [*answers, *seen] if one], using=using)
    results = {handle: json.loads(contents[key]) for key, handle in seen.items()}
    tables = [
        one["does_not_show"]
        for one in document["numbers"]
        if any(result["handle"] in results for result in one["results"])
    ]
    said = (text for key in answers if key for text in _said(contents[key]))
    return _Reader(frozenset([*said, *tables, *_of_the_host(document)]), results)


def _said(raw: bytes) -> Iterator[str]:
    """Every text of a structured answer."""
    try:
        yield from _texts([parse(read(raw).text).value])
    except JsonRefused:
        return


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        match value:
            case str():
                yield value
            case dict():
                yield from _texts(value.values())
            case list():
                yield from _texts(value)


def _of_the_host(document: Mapping[str, Any]) -> Iterator[str]:
    """The host's own reasons, which rest on nothing."""
    for one in document["dispositions"]:
        if one["by"] == "host":
            yield one["reason"]["text"]
