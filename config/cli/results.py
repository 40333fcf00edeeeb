"""What came of a Root, for a person or a program, and the status that says how it ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import typer

from audit.reader_copy import reader_copy
from audit.transcript import load_transcript
from audit.verify.snapshot import one_moment
from audit.viewer import READER, Viewer
from bullbear.models import Receipt, Root
from config.cli.exits import Exit, Problem
from config.cli.following import exit_of, root_for
from dialogue.models import Report
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown


@dataclass(frozen=True, slots=True)
class Outcome:
    """An ended Root's report, and how it ended."""

    root: Root
    end_reason: str
    document: dict[str, Any]
    status: Exit

    @property
    def markdown(self) -> str:
        """The report for a person."""
        return render_markdown(self.document)

    @property
    def json(self) -> str:
        """The report for a program.

        Shape:
            root: uuid, state: str, result: str, end_reason: str, report: the document
        """
        shown = {
            "root": str(self.root.pk),
            "state": self.root.state,
            "result": self.root.result,
            "end_reason": self.end_reason,
            "report": self.document,
        }
        return json.dumps(shown, ensure_ascii=False, indent=2)


def outcome_of(root_id: UUID, viewer: Viewer) -> Outcome:
    """Load what came of a Root.

    Raises:
        Problem: it cannot be read, or has not ended.
    """
    with one_moment(READER):
        root = root_for(root_id, viewer)
        document = reader_copy(read_document(_report(root)), root, viewer)
        page = load_transcript(root, viewer)
    return Outcome(root, page.end.reason, document, exit_of(page))


def print_result(root_id: UUID, viewer: Viewer, *, as_json: bool) -> None:
    """Print a Root's report, Markdown or JSON.

    Raises:
        Problem: it cannot be read, or has not ended.
        typer.Exit: its result is not complete.
    """
    outcome = outcome_of(root_id, viewer)
    typer.echo(outcome.json if as_json else outcome.markdown)
    if outcome.status is not Exit.OK:
        raise typer.Exit(outcome.status)


def receipts_json(root_id: UUID) -> str:
    """Return all receipts of a Root; each `body` is the exact text that its digest covers."""
    rows = Receipt.objects.using(READER).filter(root=root_id).order_by("chain", "seq")
    shown = [
        {
            "chain": row.chain,
            "seq": row.seq,
            "kind": row.kind,
            "body": bytes(row.body).decode(),
            "previous": bytes(row.previous).hex(),
            "digest": bytes(row.digest).hex(),
        }
        for row in rows
    ]
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _report(root: Root) -> Report:
    reports = Report.objects.using(READER).filter(root=root).select_related("document")
    latest = reports.order_by("-version").first()
    if latest is None:
        hint = f"`bullbear watch {root.pk}` follows it."
        raise Problem(Exit.TEMPORARY, f"Root {root.pk} has not ended. {hint}")
    return latest
