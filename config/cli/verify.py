"""`bullbear verify`: recompute everything on record of a Root from its bytes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated
from uuid import UUID

import typer

from audit.verify import Result, verify_root
from config.cli.following import root_for
from config.cli.keeping import EXITS
from config.cli.users import DEFAULT_USER, As, viewer_named


def verify(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")],
    *,
    as_user: As = DEFAULT_USER,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Say `verified`, or the first bad place (status 4), or why it cannot be checked (status 1)."""
    root_for(root, viewer_named(as_user))
    verdict = verify_root(root)
    if as_json:
        typer.echo(json.dumps(asdict(verdict), ensure_ascii=False, indent=2))
    else:
        typer.echo(str(verdict))
        for check, number in verdict.checked.items():
            typer.echo(f"  {number:>6}  {check}", err=True)
    if verdict.result is not Result.VERIFIED:
        raise typer.Exit(EXITS[verdict.result])
