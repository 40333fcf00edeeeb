"""Print what came of a Root, and end with the status that says how it ended."""

from __future__ import annotations

import json
from uuid import UUID

import typer

from audit.transcript import load_transcript
from audit.viewer import READER, Viewer
from bullbear.models import Root
from config.cli.exits import Exit, Problem
from config.cli.following import exit_of, root_for
from config.cli.snapshot import snapshot
from dialogue.models import Report
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown


def print_result(root_id: UUID, viewer: Viewer, *, as_json: bool) -> None:
    """Print a Root's report: Markdown, or JSON with how it ended.

    Shape:
        root: uuid, state: str, result: str, end_reason: str, report: the document

    Raises:
        Problem: the Root cannot be read, or has not ended.
        typer.Exit: unless its result is complete.
    """
    with snapshot(READER):
        root = root_for(root_id, viewer)
        document = read_document(_report(root))
        page = load_transcript(root, viewer)
    if as_json:
        shown = {
            "root": str(root.pk),
            "state": root.state,
            "result": root.result,
            "end_reason": page.end.reason,
            "report": document,
        }
        typer.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        typer.echo(render_markdown(document))
    status = exit_of(page)
    if status is not Exit.OK:
        raise typer.Exit(status)


def _report(root: Root) -> Report:
    reports = Report.objects.using(READER).filter(root=root).select_related("document")
    latest = reports.order_by("-version").first()
    if latest is None:
        hint = f"`bullbear watch {root.pk}` follows it."
        raise Problem(Exit.TEMPORARY, f"Root {root.pk} has not ended. {hint}")
    return latest
