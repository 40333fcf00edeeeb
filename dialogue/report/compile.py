"""Compile the report of a Root: host-written, immutable, in the transaction that ends the Root.

A Root always ends with a report, also when no model answered.

Source: design.md D13.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bullbear import receipts
from bullbear.content import keep, load_text
from bullbear.identity import canonical
from bullbear.ids import new_id
from bullbear.lifecycle import Cause, ChildState, ResultType
from dialogue.case import DialogueCase, end_reason_of
from dialogue.kinds import DialogueKind
from dialogue.models import Report
from dialogue.report.document import build_document
from dialogue.report.material import load
from dialogue.report.result import reason_of, result_type

FIRST_VERSION = 1


def result_of(case: DialogueCase) -> ResultType:
    """Say what the end of a Root is worth, once everything but its report is on record."""
    return result_type(
        reason_of(end_reason_of(case), Cause(case.root.cause)),
        synthesis_valid=any(one.request_id for one in case.dispositions),
        failed_execution=any(child.state == ChildState.FAILED for child in case.children),
    )


def compile_report(case: DialogueCase) -> Report:
    """Put the report of the held Root on record; the same record gives the same document but its ids."""
    held = case.held
    report_id = new_id()
    document = build_document(
        load(case), report_id=report_id, version=FIRST_VERSION, result=result_of(case)
    )
    raw = canonical(document)
    report = held.add(
        Report(
            id=report_id,
            root=case.root,
            version=FIRST_VERSION,
            document=keep(held, raw),
            document_sha256=hashlib.sha256(raw).hexdigest(),
            compiled_at=held.now,
        )
    )
    receipts.append(
        held,
        DialogueKind.REPORT_COMPILED,
        act=str(report_id),
        subjects={"report": str(report_id), "version": FIRST_VERSION},
        digests={"document": report.document_sha256},
    )
    return report


def read_document(report: Report) -> dict[str, Any]:
    """Read the document of a report."""
    document: dict[str, Any] = json.loads(load_text(report.document))
    return document
