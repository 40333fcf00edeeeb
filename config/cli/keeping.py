"""Keep report, result and receipts of a Root as files, and verify its record."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import typer

from audit.verify import Result, verify_root
from audit.viewer import Viewer
from config.cli.exits import Exit
from config.cli.results import outcome_of, receipts_json

EXITS = {
    Result.VERIFIED: Exit.OK,
    Result.MISMATCH: Exit.MISMATCH,
    Result.CANNOT_BE_CHECKED: Exit.FAILURE,
}


def keep_and_verify(root_id: UUID, viewer: Viewer, folder: Path) -> None:
    """Write the files, print their paths, and say whether the record verifies.

    Raises:
        typer.Exit: it does not, or the result is not complete.
    """
    outcome = outcome_of(root_id, viewer)
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "Report": (f"{root_id}.md", outcome.markdown),
        "Result": (f"{root_id}.json", outcome.json),
        "Receipts": (f"{root_id}.receipts.json", receipts_json(root_id)),
    }
    for title, (name, text) in files.items():
        (folder / name).write_text(text)
        typer.echo(f"{title:<10}{folder / name}")
    verdict = verify_root(root_id)
    typer.echo(f"{'Record':<10}{verdict}")
    if verdict.result is not Result.VERIFIED:
        raise typer.Exit(EXITS[verdict.result])
    if outcome.status is not Exit.OK:
        raise typer.Exit(outcome.status)
