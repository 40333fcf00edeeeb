"""Citations: a figure that a tool was given by handle stood in the very request that asked for it.

Source: design.md D14; scenarios H07, H13.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from audit.proof.evidence import Evidence
from audit.proof.parts import asked_call
from audit.proof.reading import read_json
from audit.proof.research_rows import ToolCallRow
from audit.proof.verdict import require

_CITED = re.compile(r"\[\[([TMC])([1-9][0-9]{0,3})(?:\.([A-Za-z_]\w{0,63})|:([^\[\]]{1,64}))\]\]")


def every_cited_figure_was_shown(evidence: Evidence) -> int:
    """Each stands in a record that is a part of the asking request; its lineage went into the result."""
    count = 0
    for call in evidence.record.tool_calls:
        if call.refusal:
            continue
        place = f"tool call T{call.number}"
        arguments = str(asked_call(evidence, call, place)["function"].get("arguments", ""))
        for match in _CITED.finditer(arguments):
            _check(evidence, call, match, place)
            count += 1
    return count


def _check(evidence: Evidence, call: ToolCallRow, match: re.Match[str], place: str) -> None:
    request = evidence.request(call.request_id, place)
    kind, find = _SHOWN_AS[match[1]]
    shown = {find(evidence, record, place) for record in evidence.shown(request, kind)}
    said = next((one for one in shown if one[0] == int(match[2])), None)
    require(said is not None, place, f"it cites {match[1]}{match[2]}, which it was not shown")
    if said is None:
        return
    _, text, lineage = said
    if match[3]:
        result = read_json(text.encode(), place, "the cited result")
        value = result.get(match[3]) if isinstance(result, dict) else None
        given = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
        require(given, place, "the result that it cites has no such figure")
    else:
        require(match[4] in text, place, "the text that it cites holds no such figure")
    require(set(call.lineage).issuperset(lineage), place, "it lacks the lineage of what it cites")


_Found = tuple[int, str, tuple[str, ...]]  # number, text, lineage


def _tool_call(evidence: Evidence, record: str, place: str) -> _Found:
    row = evidence.tool_call(record, place)
    return row.number, evidence.text(row.result_id, place), tuple(row.lineage)


def _message(evidence: Evidence, record: str, place: str) -> _Found:
    row = evidence.message(record, place)
    return row.number, evidence.text(row.text_id, place), tuple(row.lineage)


def _claim(evidence: Evidence, record: str, place: str) -> _Found:
    row = evidence.claim(record, place)
    return row.number, evidence.text(row.quote_id, place), tuple(row.lineage)


_SHOWN_AS: Mapping[str, tuple[str, Callable[[Evidence, str, str], _Found]]] = {
    "T": ("tool_result", _tool_call),
    "M": ("message", _message),
    "C": ("claim_quote", _claim),
}
