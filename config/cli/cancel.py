"""`bullbear cancel`: end a Root early, with a report on what there is."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from bullbear import hints
from config.cli.exits import Exit
from config.cli.following import root_for
from config.cli.users import DEFAULT_USER, As, viewer_named
from dialogue.cancel import cancel as cancel_root


def cancel(
    root: Annotated[UUID, typer.Argument(help="The Root's id.")], *, as_user: As = DEFAULT_USER
) -> None:
    """Stop a Root's work; calls under way are awaited, and Main compiles the report."""
    root_for(root, viewer_named(as_user))
    if not cancel_root(root):
        typer.echo("It is being finished already; nothing was changed.", err=True)
        raise typer.Exit(Exit.TEMPORARY)
    hints.flush()
    typer.echo(f"Cancelled. `bullbear watch {root}` shows its end.", err=True)
