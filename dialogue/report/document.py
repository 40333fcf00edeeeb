"""The document: sections in a fixed shape, versioned, without a float anywhere.

Shape:
    answers: {claimed | challenged | unresolved: [{line: str, quote?: Quoted}]}
    result: {type: complete | partial, means: str}
    question, evidence, claimed, exchange, synthesis, dispositions, unresolved, numbers, gaps,
    would_change, how_it_ran: one module each in `sections/`
    Quoted: {text: str, verbatim; with_figures?: str, where the text cites figures by handle}

Source: design.md D13.
"""

from __future__ import annotations

from uuid import UUID

from bullbear.identity import JsonValue
from bullbear.lifecycle import ResultType
from bullbear.receipts import instant
from dialogue.answers import DispositionKind
from dialogue.report.material import Material, Section
from dialogue.report.sections.answers import answers
from dialogue.report.sections.claimed import claims, openings
from dialogue.report.sections.disposed import (
    dispositions,
    open_questions,
    synthesis,
    would_change,
)
from dialogue.report.sections.evidence import question, sources
from dialogue.report.sections.exchange import half_rounds, private_research, refused
from dialogue.report.sections.gaps import gaps
from dialogue.report.sections.numbers import numbers
from dialogue.report.sections.run import how_it_ran
from dialogue.report.sentences import RESULT_SENTENCES

DOCUMENT_VERSION = 1


def build_document(
    material: Material, *, report_id: UUID, version: int, result: ResultType
) -> Section:
    """Build the document of a Root that ends with this transaction.

    Args:
        material: the record, loaded.
        report_id: of the report this is the document of.
        version: which version of the report.
        result: what the end is worth.
    """
    sections: Section = {
        "v": DOCUMENT_VERSION,
        "report": str(report_id),
        "version": version,
        "compiled_at": instant(material.case.now),
        "disclaimer": material.domain.report.disclaimer,
        "result": {"type": str(result), "means": RESULT_SENTENCES[result]},
        "question": question(material),
        "evidence": {"sources": sources(material)},
        "claimed": {"openings": openings(material), "claims": claims(material)},
        "exchange": {
            "half_rounds": half_rounds(material),
            "refused": refused(material),
            "private_research": private_research(material),
        },
        "synthesis": synthesis(material),
        "dispositions": dispositions(material),
        "numbers": numbers(material),
        "gaps": gaps(material),
        "would_change": would_change(material),
        "how_it_ran": how_it_ran(material),
    }
    sections["unresolved"] = _unresolved(material, sections)
    return {"answers": answers(sections)} | sections


def _unresolved(material: Material, sections: Section) -> Section:
    """What stays open: claims, questions, and what the figures themselves do not show."""
    unresolved = [
        one["claim"]
        for one in _items(sections["dispositions"])
        if one["disposition"] == DispositionKind.UNRESOLVED
    ]
    questions = open_questions(material)
    asked = {_text(one["line"]) for one in _items(questions)}
    for table in _items(sections["numbers"]):
        line = _text({"text": table["does_not_show"]})
        if line and line not in asked:
            asked.add(line)
            questions.append({"by": ["figures"], "line": {"text": line}})
    return {"claims": unresolved, "questions": questions}


def _items(value: JsonValue) -> list[Section]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(quoted: JsonValue) -> str:
    text = quoted.get("text") if isinstance(quoted, dict) else ""
    return text if isinstance(text, str) else ""
